/** Who sits where, and what each is called by who looks from the bottom. */
import { place } from "../play/hokm.js";
import { say } from "../play/words.js";
import { html } from "./h.js";
import { Crown, Mask, Person } from "./masks.js";

const PLACES = ["you", "right", "partner", "left"];

/** @param {any} words @param {number} seat @param {number | null} mine */
export const seatName = (words, seat, mine) => say(words, PLACES[place(seat, mine)]);

/** @param {{words: any, view: any, sitting: any, seat: number, turn: boolean}} props */
export function Plate({ words, view, sitting, seat, turn }) {
  const chair = sitting.find((/** @type {any} */ one) => one.seat === seat);
  const where = place(seat, view.seat);
  return html`<div class=${`plate at-${where}`} data-turn=${String(turn)}>
    <span class="head">${chair?.level ? html`<${Mask} level=${chair.level} />` : html`<${Person} />`}
      ${seat === view.hakem && html`<${Crown} />`}</span>
    <span class="names" dir="auto">
      <b>${seatName(words, seat, view.seat)}</b>
      <small>${seat === view.hakem ? say(words, "hakem") : chair?.level ? say(words, `level_${chair.level}`) : ""}</small>
    </span>
    ${where !== 0 && html`<${Backs} words=${words} count=${view.left[seat]} />`}
  </div>`;
}

/** @param {{words: any, count: number}} props */
const Backs = ({ words, count }) =>
  html`<span class="backs" role="img" aria-label=${say(words, "cards_left", { count })}>
    ${Array.from({ length: count }, (_, at) => html`<i key=${at}></i>`)}
  </span>`;
