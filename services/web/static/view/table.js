/** A table: the bar, the felt with who sits round it, what lies over it, my side. */
import { sameAgain } from "../play/again.js";
import { seen } from "../play/sitting.js";
import { say } from "../play/words.js";
import { Bar } from "./bar.js";
import { hand } from "./hand/table.js";
import { html } from "./h.js";
import { hokm } from "./hokm/table.js";
import { Leave } from "./leave.js";
import { Lobby, inLobby } from "./lobby/room.js";
import { calledAt, whoIsWho, wonBy } from "./names.js";
import { End } from "./panels.js";
import { SaidAloud } from "./stickers.js";
import { Watching } from "./watching.js";

/**
 * What each game draws there: `Facts` in the bar, `Felt` on it, `Over` it while a match goes on,
 * `Mine` below, its `line(words, view, state, who)`; and who won, as `won(view)`, `text(words, view, who)` and `Score`.
 * @type {Record<string, any>}
 */
export const GAMES = { hand, hokm };

/** @param {{page: any, deeds: any, room: any}} props */
export function Table({ page, deeds, room }) {
  const { words } = page;
  const state = page.state && heard(page.state);
  const view = state && seen(state);
  const played = view ?? state?.opened?.options;
  const game = played && GAMES[played.game];
  const mine = seatOf(page);
  const known = view ?? (state?.opened && { game: played.game, options: played, seat: mine });
  const who = whoIsWho(words, known, mine, calledAt(page, state?.scene.sitting ?? []));
  const all = { words, view, state, sitting: room, who };
  if (state && inLobby(state)) return html`<${Lobby} page=${page} deeds=${deeds} known=${known} ...${all} />`;
  return html`<main class="table" data-game=${view?.game}>
    <${Bar} page=${page} deeds=${deeds} drawer=${mayLeave(state, mine) && html`<${Leave} deeds=${deeds} ...${all} />`}>
      ${view && html`<${game.Facts} ...${all} />`}
    <//>
    <div class="felt" dir="ltr">
      ${view ? html`<${game.Felt} ...${all} />` : html`<p class="dealing" dir="auto">${say(words, "dealing")}</p>`}
      ${state && over(game, all, deeds, page)}
    </div>
    ${view && below(game, all)}
    ${state && html`<${SaidAloud} words=${words} said=${state.scene.said} who=${who} />`}
  </main>`;
}

/** The state with the stickers that are seen in what is shown; none where they are hidden. @param {any} state */
const heard = (state) => ({ ...state, scene: { ...state.scene, said: state.hushed ? {} : state.said } });

/** My seat at the table that is shown. @param {any} page @returns {number | null} */
const seatOf = ({ me, state }) =>
  state?.scene.sitting.find((/** @type {any} */ one) => one.player === me)?.seat ?? null;

/** @param {any} state @param {number | null} mine */
const mayLeave = (state, mine) => state && state.scene.begun && !state.scene.over && mine !== null;

/** My side; for who looks on a line that says so. @param {any} game @param {any} all */
function below(game, all) {
  if (all.view.seat !== null) return html`<${game.Mine} ...${all} />`;
  return all.state.scene.over ? null : html`<${Watching} ...${all} line=${game.line(all.words, all.view, all.state, all.who)} />`;
}

/** What lies over the felt: a round that was just scored, the match's end, what the game has. Before
 * there is a view that is the draw for who begins.
 * @param {any} game @param {any} all @param {any} deeds @param {any} page */
function over(game, all, deeds, page) {
  const { words, view, state, who } = all;
  const ended = state.scene.over;
  const shows = !ended || (state.round && ended !== "unknown");
  if (game && shows && (view || state.draw)) return html`<${game.Over} ...${all} />`;
  if (!ended) return null;
  const won = view && view.seat !== null && game.won(view);
  const told = { over: ended, won, text: endText(game, words, view, who) };
  const mayAgain = view && view.seat !== null && !page.busy;
  const again = mayAgain ? () => deeds.begin(sameAgain(view.options, state.scene.sitting, page.me)) : null;
  return html`<${End} words=${words} match=${state.scene.match} deeds=${deeds} again=${again} ...${told}>
    ${view && html`<${game.Score} words=${words} view=${view} who=${who} />`}
  <//>`;
}

/** Who won, or nothing. @param {any} game @param {any} words @param {any} view @param {any} who */
function endText(game, words, view, who) {
  if (!view || view.winner === null) return "";
  return view.seat === null ? wonBy(words, view, who) : game.text(words, view, who);
}
