/** The cards that a seat holds, small, where all lie open: a line for each suit that is held, and one of jokers. */
import { SUITS, inOrder, indexOf, isJoker, suitOf } from "../play/cards.js";
import { cardName, say } from "../play/words.js";
import { SuitMark } from "./card.js";
import { html } from "./h.js";

/** @param {{words: any, cards: readonly string[]}} props */
export function Fronts({ words, cards }) {
  const jokers = cards.filter(isJoker);
  return html`<span class="fronts" dir="ltr" role="img" aria-label=${named(words, cards)}>
    ${SUITS.filter((suit) => cards.some((card) => suitOf(card) === suit)).map(
      (suit) => html`<span class="suit-line" key=${suit}>
        <${SuitMark} suit=${suit} /><${Indices} cards=${inOrder(cards.filter((card) => suitOf(card) === suit))} />
      </span>`,
    )}
    ${jokers.length > 0 && html`<span class="suit-line"><b>★</b><${Indices} cards=${jokers} /></span>`}
  </span>`;
}

/** @param {any} words @param {readonly string[]} cards */
const named = (words, cards) =>
  cards.length ? inOrder(cards).map((card) => cardName(words, card)).join(", ") : say(words, "cards_left", { count: 0 });

/** @param {{cards: readonly string[]}} props */
const Indices = ({ cards }) => html`<span>${cards.map(indexOf).join(" ")}</span>`;
