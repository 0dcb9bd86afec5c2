/** What each seat is called: by a person's own name, else by where it is for who looks from the bottom. */
import { inSides, place, seatsOf } from "../play/seats.js";
import { say, sideText } from "../play/words.js";
import { calledThere, quoted } from "./called.js";

/** Going round from whoever looks, by how many sit there. @type {Record<number, string[]>} */
const PLACES = {
  2: ["you", "opponent"],
  3: ["you", "right", "left"],
  4: ["you", "right", "partner", "left"],
};
/** The same where everybody plays alone. */
const ALONE = ["you", "right", "opposite", "left"];

/** @typedef {((seat: number) => string) & {beside?: (seat: number) => string}} Who what a seat is
 *   called; `beside`: what is said of it in small, besides that: where it is, one's own name */
/** @typedef {{game: string, options: any, seat?: number | null}} Played a view, or what is known
 *   of a table before it has one */

/** @param {Played | null} view */
const isAlone = (view) => view?.game === "hand" && !inSides(view.options);

/** @param {import("../play/words.js").Words} words @param {any} view @param {number | null} mine whose
 * seat is at the bottom; null for who has none
 * @param {(seat: number) => string | null} called the name of who sits there, if he has one
 * @returns {Who} */
export function whoIsWho(words, view, mine = view?.seat ?? null, called = () => null) {
  const seats = seatsOf(view);
  const places = isAlone(view) && seats === 4 ? ALONE : PLACES[seats];
  /** @param {number} seat */
  const where = (seat) =>
    mine === null ? say(words, "seat", { number: seat + 1 }) : say(words, places[place(seat, mine, seats)]);
  /** @param {number} seat */
  const who = (seat) => {
    const name = seat === mine ? null : called(seat);
    return name === null ? where(seat) : calledThere(name, where(seat));
  };
  /** @param {number} seat */
  const beside = (seat) => {
    const name = called(seat);
    if (name === null) return "";
    return seat === mine ? quoted(name) : where(seat);
  };
  return Object.assign(who, { beside });
}

/** Who sits there by name: of people at a table. @param {import("../play/main.js").Page} page
 * @param {readonly import("../../../../docs/schema/waraq.js").Sitting[]} sitting */
export const calledAt = (page, sitting) => (/** @type {number} */ seat) =>
  page.names[sitting.find((one) => one.seat === seat)?.player ?? ""] ?? null;

/** The seats that have won, where `winner` is a seat or a side. @param {Played} view @param {number} winner */
const winners = (view, winner) => (isAlone(view) ? [winner] : [winner, winner + 2]);

/** Who has won, for who looks on. @param {any} words @param {any} view @param {Who} who */
export const wonBy = (words, view, who) =>
  say(words, "match_won_by", { who: winners(view, view.winner).map(who).join(" – ") });

/** What a side of two is called by who plays, and by who looks on.
 * @param {any} words @param {any} view @param {number} side */
export const sideName = (words, view, side) => sideText(words, side, view?.seat ?? null);
