/** What each seat is called by who looks from the bottom. */
import { place, seatsOf } from "../play/seats.js";
import { say } from "../play/words.js";

/** Going round from whoever looks, by how many sit there. @type {Record<number, string[]>} */
const PLACES = {
  2: ["you", "opponent"],
  3: ["you", "right", "left"],
  4: ["you", "right", "partner", "left"],
};
/** The same where everybody plays alone. */
const ALONE = ["you", "right", "opposite", "left"];

/** @typedef {(seat: number) => string} Who what a seat is called */

/** @param {import("../play/words.js").Words} words @param {any} view @param {number | null} mine whose
 * seat is at the bottom @returns {Who} */
export function whoIsWho(words, view, mine = view?.seat ?? null) {
  const seats = seatsOf(view);
  const alone = view?.game === "hand" && !view.options.variant.endsWith("partnership");
  const places = alone && seats === 4 ? ALONE : PLACES[seats];
  return (seat) => say(words, places[place(seat, mine, seats)]);
}
