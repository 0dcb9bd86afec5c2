/**
 * How a table is opened: who is to have which seat, by which rules.
 *
 * @typedef {import("./wishes.js").Wish} Wish
 * @typedef {import("../../../../docs/schema/waraq.js").Level} Level
 * @typedef {import("../../../../docs/schema/waraq.js").SeatPlan} SeatPlan
 */
import { inSides } from "./seats.js";
import { newId } from "./speaker.js";
import { optionsOf, seatsOf } from "./wishes.js";

/** The strength of the house's partner in Hokm, and where he sits (H20). @type {Level} */
export const PARTNER = "chrome";
const OPPOSITE = 2;

/** A match's id, a UUIDv7. */
export const newMatch = (now = Date.now(), random = newId()) =>
  `m_${now.toString(16).padStart(12, "0")}7${random.slice(13)}`;

/** The command that opens it: we at seat 0, guests, the house at the others. `invitation`: the
 * hash of the code by which friends sit down.
 * @param {Wish} wish @param {string | null} ticket @param {string | null} invitation
 * @returns {import("../../../../docs/schema/waraq.js").OpenMatch} */
export function opening(wish, ticket, invitation = null) {
  const guests = guestsSeats(wish);
  const seats = Array.from({ length: seatsOf(wish) }, (_, seat) => planned(seat, wish, guests));
  return { type: "open_match", options: optionsOf(wish), seats, invitation, ticket };
}

/** The partner's first, where there is one. @param {Wish} wish */
function guestsSeats(wish) {
  if (wish.company === "masks") return [];
  return (inSides(wish) ? [OPPOSITE, 1, 3] : [1, 2, 3]).slice(0, wish.guests);
}

/** @param {number} seat @param {Wish} wish @param {readonly number[]} guests @returns {SeatPlan} */
function planned(seat, { game, level, company }, guests) {
  if (seat === 0) return { seat, filled_by: "owner", level: null };
  if (guests.includes(seat))
    return { seat, filled_by: company === "friend" ? "invited" : "anyone", level: null };
  const partner = game === "hokm" && seat === OPPOSITE;
  return { seat, filled_by: "house", level: partner ? PARTNER : level };
}

/** Does such a table wait for people? @param {readonly SeatPlan[]} seats */
export const waits = (seats) => seats.some((one) => ["invited", "anyone"].includes(one.filled_by));

/** Randomness of our own for every shuffle (docs/fair-deal.md). */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
