/** Under the line: how my cards are to lie, and what can be done with those that are chosen. */
import { isJoker } from "../../play/cards.js";
import { cardName, inLine, say } from "../../play/words.js";
import { html } from "../h.js";

/** @param {{words: any, view: any, mind: any, deeds: any, may: boolean}} props */
export const Tools = ({ words, view, mind, deeds, may }) =>
  html`<div class="tools">
    <div class="sorts" role="group" aria-label=${say(words, "arrange")}>
      <span class="sort-by" aria-hidden="true">${say(words, "sort_by")}</span>
      <${Gather} words=${words} several=${mind.chosen.length > 1} deeds=${deeds} />
      <button class="sort" onClick=${() => deeds.sort("suit")}>${say(words, "by_suit")}</button>
      <button class="sort" onClick=${() => deeds.sort("rank")}>${say(words, "by_rank")}</button>
    </div>
    <${Bar} words=${words} view=${view} worth=${mind.grouped} />
    <${Deed} words=${words} view=${view} mind=${mind} deeds=${deeds} may=${may} />
  </div>`;

/** All in melds, or the chosen ones beside each other: both words take their place, so that nothing moves.
 * @param {{words: any, several: boolean, deeds: any}} props */
const Gather = ({ words, several, deeds }) =>
  html`<button class="sort gather" onClick=${several ? deeds.gather : deeds.automatic}>
    <span aria-hidden=${String(several)} data-shown=${String(!several)}>${say(words, "group")}</span>
    <span aria-hidden=${String(!several)} data-shown=${String(several)}>${say(words, "gather")}</span>
  </button>`;

/** The one thing to do with what is chosen, or with the groups. @param {any} props */
function Deed({ words, view, mind, deeds, may }) {
  const { laying, alone } = mind;
  if (!may || view.phase === "draw") return null;
  if (laying && view.phase === "act")
    return html`<button class="deed lay" data-no=${String(Boolean(laying.no))} aria-disabled=${String(Boolean(laying.no))} onClick=${() => deeds.lay(laying)}>
      ${say(words, view.opened[view.seat] ? "lay_these" : "open_with", { worth: laying.value })}
    </button>`;
  if (!alone) return null;
  return html`<button class="deed throw" data-no=${String(!mind.throws)} aria-disabled=${String(!mind.throws)} onClick=${() => deeds.discard(alone)}>${say(words, "throw_this", { card: isJoker(alone) ? cardName(words, alone) : inLine([alone]) })}</button>`;
}

/** Until I have opened: what that must be worth, and what my melds are. @param {any} props */
function Bar({ words, view: { bar, opened, seat }, worth }) {
  if (seat === null || opened[seat]) return html`<div class="gauge"></div>`;
  return html`<div class="gauge" data-met=${String(worth >= bar)}>
    <span>${say(words, "bar_is", { bar })}</span>
    <b>${say(words, "yours", { worth })}</b>
    <span class="filled" aria-hidden="true"><i style=${{ transform: `scaleX(${Math.min(1, worth / bar)})` }}></i></span>
  </div>`;
}
