/** The trick in the middle; one that was just taken goes to who took it. */
import { place } from "../play/hokm.js";
import { cardName } from "../play/words.js";
import { Face } from "./card.js";
import { html } from "./h.js";
import { seatName } from "./seats.js";

/** @param {{words: any, view: any, news: any}} props */
export function Trick({ words, view, news }) {
  const taken = news?.body?.type === "trick_taken" && view.trick.length === 0;
  const plays = taken ? (view.earlier.at(-1) ?? []) : view.trick;
  const to = taken ? ` to-${place(news.body.by, view.seat)}` : "";
  return html`<div class="trick">
    ${plays.map(
      (/** @type {{seat: number, card: string}} */ { seat, card }) =>
        html`<div
          key=${card}
          class=${`card played from-${place(seat, view.seat)}${to}`}
          role="img"
          aria-label=${`${seatName(words, seat, view.seat)}: ${cardName(words, card)}`}
        >
          <${Face} card=${card} />
        </div>`,
    )}
  </div>`;
}
