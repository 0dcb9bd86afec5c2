/**
 * Stickers: all that players may say to each other (docs/stickers.md). Shown for some seconds.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").StickerId} StickerId
 * @typedef {Readonly<Record<number, string>>} Said the sticker that each seat shows
 */
import { like, liked } from "./preferences.js";

/** In the order of the list. @type {readonly StickerId[]} */
export const STICKERS = [
  "salam", "good_luck", "well_played", "thanks", "sorry", "oops",
  "wow", "hurry", "thinking", "back_soon", "laugh", "goodbye",
];
/** Milliseconds that one is seen. */
export const SEEN = 4_000;
/** Milliseconds between two of ours: the table's own 3 s, and what the way there takes. */
export const REST = 3_200;

/** @param {(said: Said) => void} changed @param {(run: () => void, ms: number) => unknown} timer */
export function bubbles(changed, timer = setTimeout) {
  /** @type {Record<number, {sticker: string, number: number}>} */
  let shown = {};
  let number = 0;
  const tell = () =>
    changed(Object.fromEntries(Object.entries(shown).map(([seat, { sticker }]) => [seat, sticker])));
  /** @param {number} seat @param {number} which a newer one stays */
  function take(seat, which) {
    if (shown[seat]?.number !== which) return;
    const { [seat]: _, ...others } = shown;
    shown = others;
    tell();
  }
  return {
    /** @param {number} seat @param {string} sticker */
    put(seat, sticker) {
      const which = ++number;
      shown = { ...shown, [seat]: { sticker, number: which } };
      tell();
      timer(() => take(seat, which), SEEN);
    },
  };
}

/** Are those of that table hidden in this browser? The latest such table is remembered.
 * @param {string} match */
export const hushed = (match) => liked("hushed", "") === match;

/** @param {string} match @param {boolean} wanted */
export const hush = (match, wanted) => like("hushed", wanted ? match : "");
