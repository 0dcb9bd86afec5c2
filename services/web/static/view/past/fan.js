/** The cards at the bottom, to look at: nothing can be done with them. */
import { inOrder } from "../../play/cards.js";
import { cardName, say } from "../../play/words.js";
import { Face } from "../card.js";
import { html } from "../h.js";
import { Backs } from "../seats.js";

/** @param {{words: any, cards: readonly string[], trump: string | null, count: number}} props
 *   `count`: how many there are, where they are not seen */
export function Fan({ words, cards, trump, count }) {
  if (cards.length === 0) return html`<${Backs} words=${words} count=${count} />`;
  return html`<div class="fan" dir="ltr" role="group" aria-label=${say(words, "cards_below")}>
    ${inOrder(cards, trump).map(
      (card) => html`<div class="slot" key=${card}>
        <div class="card" role="img" aria-label=${cardName(words, card)}><${Face} card=${card} /></div>
      </div>`,
    )}
  </div>`;
}
