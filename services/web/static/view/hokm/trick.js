/** The trick in the middle; one that was just taken goes to who took it. */
import { winning } from "../../play/hokm.js";
import { place } from "../../play/seats.js";
import { cardName, say } from "../../play/words.js";
import { Face } from "../card.js";
import { html } from "../h.js";

/** @param {{words: any, view: any, news: any, who: (seat: number) => string}} props */
export function Trick({ words, view, news, who }) {
  const taken = news?.body?.type === "trick_taken" && view.trick.length === 0;
  const plays = taken ? (view.earlier.at(-1) ?? []) : view.trick;
  const to = taken ? ` to-${place(news.body.by, view.seat)}` : "";
  const first = winning(plays, view.trump);
  return html`<div class="trick">
    ${plays.map(
      (/** @type {{seat: number, card: string}} */ { seat, card }) =>
        html`<div
          key=${card}
          class=${`card played from-${place(seat, view.seat)}${to}`}
          role="img"
          data-wins=${String(card === first)}
          aria-label=${`${who(seat)}: ${cardName(words, card)}${card === first ? ` ${say(words, "wins_so_far")}` : ""}`}
        >
          <${Face} card=${card} />
        </div>`,
    )}
  </div>`;
}
