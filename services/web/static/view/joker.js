/** The jokers of Hand: one of our masks in a fool's cap, one joker red, one black. */
import { isJoker, suitOf } from "../play/cards.js";
import { html } from "./h.js";

const CAP =
  "M25 78C25 58 20 50 11 52C14 35 33 32 41 50C42 38 46 30 50 24C54 30 58 38 59 50C67 32 86 35 89 52C80 50 75 58 75 78C60 71 40 71 25 78Z";
const MASK = "M50 70C61 70 70 74 72 80C73 96 62 112 50 112C38 112 27 96 28 80C30 74 39 70 50 70Z";
const HOLES =
  "M35 86C39 81 45 82 47 87C43 91 38 91 35 86ZM65 86C61 81 55 82 53 87C57 91 62 91 65 86ZM41 99C46 104 54 104 59 99C54 101 46 101 41 99Z";
const BELLS = [[11, 55], [50, 22], [89, 55]];
const STAR = "M0-9L2.6-2.6L9 0L2.6 2.6L0 9L-2.6 2.6L-9 0L-2.6-2.6Z";

/** The suit in whose colour a card is drawn. @param {string} card */
export const inkOf = (card) => (isJoker(card) ? (card === "JK1" ? "H" : "S") : suitOf(card));

export const joker = () => html`<path class="robe" d=${CAP} />
  <path class="mask-of-joker edge" d=${MASK} />
  <path class="robe" d=${HOLES} />
  ${BELLS.map(([x, y]) => html`<circle class="brass edge" cx=${x} cy=${y} r="5" />`)}`;

/** @param {number} x @param {number} y @param {number} scale */
const star = (x, y, scale) =>
  html`<path class="ink" d=${STAR} transform=${`translate(${x} ${y}) scale(${scale})`} />`;

/** What stands in its corners. @param {boolean} small */
export const jokerIndex = (small) => (small ? star(20, 20, 1.7) : [star(15, 21, 1.1), star(85, 121, 1.1)]);
