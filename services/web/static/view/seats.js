/** Who sits where: a plate at each place, with a mask or a person. */
import { place } from "../play/seats.js";
import { directionOf, say, sayKind, stickerText } from "../play/words.js";
import { html } from "./h.js";
import { Crown, Mask, Person } from "./masks.js";

/**
 * @param {{words: any, scene: any, who: import("./names.js").Who, seat: number, turn: boolean,
 *   at: number, crowned?: boolean, note?: string, children?: any}} props
 *   `at`: its place round the felt, 0 at the bottom. `note`: what it is, instead of its level; before it, where it is `crowned`.
 */
export function Plate({ words, scene, who, seat, turn, at, crowned = false, note = "", children = null }) {
  const level = scene.sitting.find((/** @type {any} */ one) => one.seat === seat)?.level;
  const kind = level ? sayKind(words, `level_${level}`, level) : (who.beside?.(seat) ?? "");
  const parts = (crowned ? [note, kind] : [note || kind]).filter(Boolean);
  return html`<div class=${`plate at-${at}`} data-turn=${String(turn)}>
    <span class="head">
      ${level ? html`<${Mask} level=${level} />` : html`<${Person} />`} ${crowned && html`<${Crown} />`}
    </span>
    <span class="names" dir=${directionOf(words)}>
      <b dir="auto">${who(seat)}</b>
      <small dir="auto">${parts.map((part, at) => html`${at > 0 && html`<span class="dot"> · </span>`}<span class="part">${part}</span>`)}</small>
    </span>
    ${children}
    <${Bubble} words=${words} sticker=${scene.said?.[seat]} />
  </div>`;
}

/** The sticker that somebody shows; it is read out by the table. @param {{words: any, sticker: any}} props */
export const Bubble = ({ words, sticker }) =>
  stickerText(words, sticker)
    ? html`<span class="says" aria-hidden="true"><span class="bubble" dir="auto">${stickerText(words, sticker)}</span></span>`
    : null;

/** The backs of what a seat holds. @param {{words: any, count: number}} props */
export const Backs = ({ words, count }) =>
  html`<span class="backs" role="img" aria-label=${say(words, "cards_left", { count })}>
    ${Array.from({ length: count }, (_, at) => html`<i key=${at}></i>`)}
  </span>`;

/** The places round the felt without my own. @param {number} seats @param {number | null} mine */
export const others = (seats, mine) =>
  Array.from({ length: seats }, (_, seat) => seat).filter((seat) => mine === null || seat !== mine);
