/** A card drawn as SVG: our own light set, sharp at any size, in two colours or four (by CSS). */
import { indexOf, isJoker, rankOf, suitOf } from "../play/cards.js";
import { html } from "./h.js";
import { inkOf, joker, jokerIndex } from "./joker.js";
import { Picture, isClassic } from "./pictures.js";

/** Each suit in a box of 20 by 20, its middle at 0 0. @type {Record<string, string>} */
const SHAPES = {
  S: "M0-10C3-5.5 9-2.5 9 2.6C9 5.6 6.8 7.2 4.7 7.2C3 7.2 1.7 6.3 1 5C1.2 7.2 2 8.8 3.4 10H-3.4C-2 8.8-1.2 7.2-1 5C-1.7 6.3-3 7.2-4.7 7.2C-6.8 7.2-9 5.6-9 2.6C-9-2.5-3-5.5 0-10Z",
  H: "M0 9.6C-3.4 5.6-9.4 1.6-9.4-3.7C-9.4-6.8-7.1-8.8-4.6-8.8C-2.5-8.8-.8-7.6 0-5.6C.8-7.6 2.5-8.8 4.6-8.8C7.1-8.8 9.4-6.8 9.4-3.7C9.4 1.6 3.4 5.6 0 9.6Z",
  D: "M0-10.4C2.2-6.4 4.8-3 8 0C4.8 3 2.2 6.4 0 10.4C-2.2 6.4-4.8 3-8 0C-4.8-3-2.2-6.4 0-10.4Z",
  C: "M0-9.6C2.5-9.6 4.4-7.8 4.4-5.4C4.4-4 3.8-2.8 2.9-2C3.5-2.3 4.2-2.4 4.9-2.4C7.4-2.4 9.4-.5 9.4 2C9.4 4.5 7.4 6.4 4.9 6.4C3.1 6.4 1.7 5.5 .9 4.1C1.1 6.6 1.9 8.5 3.4 10H-3.4C-1.9 8.5-1.1 6.6-.9 4.1C-1.7 5.5-3.1 6.4-4.9 6.4C-7.4 6.4-9.4 4.5-9.4 2C-9.4-.5-7.4-2.4-4.9-2.4C-4.2-2.4-3.5-2.3-2.9-2C-3.8-2.8-4.4-4-4.4-5.4C-4.4-7.8-2.5-9.6 0-9.6Z",
};
const [L, M, R] = [34, 50, 66];
/**
 * Where a rank's pips are on a card of 100 by 142; those below the middle stand on their head.
 * @type {Record<string, number[][]>}
 */
const PIPS = {
  2: [[M, 34], [M, 108]],
  3: [[M, 32], [M, 71], [M, 110]],
  4: [[L, 36], [R, 36], [L, 106], [R, 106]],
  5: [[L, 36], [R, 36], [M, 71], [L, 106], [R, 106]],
  6: [[L, 36], [R, 36], [L, 71], [R, 71], [L, 106], [R, 106]],
  7: [[L, 36], [R, 36], [M, 53], [L, 71], [R, 71], [L, 106], [R, 106]],
  8: [[L, 36], [R, 36], [M, 53], [L, 71], [R, 71], [M, 89], [L, 106], [R, 106]],
  9: [[L, 32], [R, 32], [L, 58], [R, 58], [M, 71], [L, 84], [R, 84], [L, 110], [R, 110]],
  T: [[L, 32], [R, 32], [M, 45], [L, 58], [R, 58], [L, 84], [R, 84], [M, 97], [L, 110], [R, 110]],
};
/** What a court card wears. @type {Record<string, string>} */
const CROWNS = {
  K: "M35 43L33 27L43 35L50 22L57 35L67 27L65 43Z",
  Q: "M36 43C34 36 33 32 33 29L41 35L45 26L50 34L55 26L59 35L67 29C67 32 66 36 64 43Z",
  J: "M35 43C35 31 45 28 53 29C61 30 65 36 65 43ZM55 30C59 20 68 18 73 22C67 23 63 28 61 34Z",
};
const STAR = "M0-9L2.6-2.6L9 0L2.6 2.6L0 9L-2.6 2.6L-9 0L-2.6-2.6Z";

/** A suit by itself, as big as the text around it. @param {{suit: string}} props */
export const SuitMark = ({ suit }) =>
  html`<svg class="suit-mark" data-suit=${suit} viewBox="-11 -11 22 22" aria-hidden="true">
    <path d=${SHAPES[suit]} />
  </svg>`;

/** @param {string} suit @param {number} x @param {number} y @param {number} scale */
const pip = (suit, x, y, scale) =>
  html`<path class="ink" d=${SHAPES[suit]} transform=${`translate(${x} ${y}) scale(${scale})`} />`;

/** @param {string} card */
const corner = (card) =>
  html`<text class="ink index" x="15" y="28">${indexOf(card)}</text>
    ${pip(suitOf(card), 15, 43, 0.95)}`;

/** @param {string} card */
const half = (card) => html`<path class="robe" d="M27 71C27 62 33 58 42 57H58C67 58 73 62 73 71Z" />
  <path class="brass" d="M42 57L50 66L58 57L54 54H46Z" />
  <circle class="face" cx="50" cy="48" r="10" />
  <path class="brass edge" d=${CROWNS[rankOf(card)]} />`;

/** @param {string} card */
const court = (card) =>
  html`<rect class="frame" x="26" y="18" width="48" height="106" rx="4" />
    ${half(card)}
    <g transform="rotate(180 50 71)">${half(card)}</g>
    <path class="brass" d="M27 70H73V72H27Z" />
    <path class="brass edge" d=${STAR} transform="translate(50 71) scale(.62)" />`;

/** @param {string} card */
const ace = (card) =>
  html`<path class="ring" d=${STAR} transform="translate(50 71) scale(4.4)" />
    ${pip(suitOf(card), 50, 71, 2)}`;

/** @param {string} card */
function inside(card) {
  const places = PIPS[rankOf(card)];
  if (places) return places.map(([x, y]) => pip(suitOf(card), x, y, y > 71 ? -0.78 : 0.78));
  return rankOf(card) === "A" ? ace(card) : court(card);
}

/** @param {string} card */
const pips = (card) => html`${inside(card)}${corner(card)}<g transform="rotate(180 50 71)">${corner(card)}</g>`;

/** Where a card is small, or lies under the next one: its index alone, as big as there is room.
 * @param {string} card */
const bold = (card) =>
  html`<text class=${`ink index bold${indexOf(card).length > 1 ? " wide" : ""}`} x="28" y="46">${indexOf(card)}</text>
    ${pip(suitOf(card), 28, 74, 1.6)}<g class="second">${pip(suitOf(card), 68, 108, 2.3)}</g>`;

/** The front of a card, of the set that was chosen; what it is called is said by what it lies in.
 * @param {{card: string, small?: boolean}} props */
export const Face = ({ card, small = false }) =>
  isClassic() ? html`<${Picture} card=${card} small=${small} instead=${Drawn} />` : html`<${Drawn} card=${card} small=${small} />`;

/** @param {{card: string, small: boolean}} props */
const Drawn = ({ card, small }) =>
  html`<svg class="front" data-suit=${inkOf(card)} viewBox="0 0 100 142" aria-hidden="true">
    ${isJoker(card) ? html`${joker()}${jokerIndex(small)}` : (small ? bold : pips)(card)}
  </svg>`;
