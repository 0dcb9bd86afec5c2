/** The cards that a seat holds, small, where all lie open: a line a suit, and one of jokers. */
import { SUITS, inOrder, indexOf, isJoker, suitOf } from "../play/cards.js";
import { cardName, say } from "../play/words.js";
import { SuitMark } from "./card.js";
import { html } from "./h.js";

/** @param {{words: any, cards: readonly string[]}} props */
export function Fronts({ words, cards }) {
  const jokers = cards.filter(isJoker);
  return html`<span class="fronts" dir="ltr" role="img" aria-label=${named(words, cards)}>
    ${SUITS.filter((suit) => cards.some((card) => suitOf(card) === suit)).map((suit) => html`<${Suit} key=${suit} suit=${suit} cards=${inOrder(cards.filter((card) => suitOf(card) === suit))} />`)}
    ${jokers.length > 0 && html`<span class="suit-line"><b>★</b><span>${jokers.map((card) => html`<i key=${card}>${indexOf(card)}</i>`)}</span></span>`}
  </span>`;
}

/** @param {any} words @param {readonly string[]} cards */
const named = (words, cards) =>
  cards.length ? inOrder(cards).map((card) => cardName(words, card)).join(", ") : say(words, "cards_left", { count: 0 });

/** @param {{suit: string, cards: readonly string[]}} props */
const Suit = ({ suit, cards }) =>
  html`<span class="suit-line">
    <${SuitMark} suit=${suit} /><span>${cards.map((card) => html`<i key=${card}>${indexOf(card)}</i>`)}</span>
  </span>`;
