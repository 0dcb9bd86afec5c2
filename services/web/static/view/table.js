/** A table: the bar, the felt with who sits round it, what lies over it, my side. */
import { seen } from "../play/sitting.js";
import { say } from "../play/words.js";
import { Bar } from "./bar.js";
import { html } from "./h.js";
import { hokm } from "./hokm/table.js";
import { whoIsWho } from "./names.js";
import { End } from "./panels.js";

/**
 * What each game draws there: `Facts` in the bar, `Felt` on it, `Over` it while a match goes on,
 * `Mine` below; and who won, as `won(view)`, `text(words, view)` and `Score`.
 * @type {Record<string, any>}
 */
export const GAMES = { hokm };

/** @param {{page: any, deeds: any, room: any}} props */
export function Table({ page, deeds, room }) {
  const { words, state } = page;
  const view = state && seen(state);
  const game = view && GAMES[view.game];
  const all = { words, view, state, sitting: room, who: whoIsWho(words, view) };
  return html`<main class="table" data-game=${view?.game}>
    <${Bar} page=${page} deeds=${deeds}>${view && html`<${game.Facts} ...${all} />`}<//>
    <div class="felt" dir="ltr">
      ${view ? html`<${game.Felt} ...${all} />` : html`<p class="dealing" dir="auto">${say(words, "dealing")}</p>`}
      ${state && over(game, all, deeds)}
    </div>
    ${view && view.seat !== null && html`<${game.Mine} ...${all} />`}
  </main>`;
}

/** What lies over the felt: a round that was just scored, the match's end, what the game has.
 * @param {any} game @param {any} all @param {any} deeds */
function over(game, all, deeds) {
  const { words, view, state } = all;
  const ended = state.scene.over;
  if (game && (!ended || (state.round && ended !== "unknown"))) return html`<${game.Over} ...${all} />`;
  if (!ended) return null;
  return html`<${End} words=${words} match=${state.scene.match} over=${ended} won=${game?.won(view)} text=${game ? game.text(words, view) : ""} deeds=${deeds}>
    ${game && html`<${game.Score} words=${words} view=${view} />`}
  <//>`;
}
