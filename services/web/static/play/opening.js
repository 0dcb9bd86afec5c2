/**
 * How a table against masks is opened and started.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Options} Options
 * @typedef {import("../../../../docs/schema/waraq.js").Level} Level
 * @typedef {{options: Options, level: Level}} Wish what somebody wants to play; the others are of `level`
 */
import { newId } from "./speaker.js";

export const LEVELS = /** @type {const} */ (["white", "black", "chrome"]);
/** Points that a match may go to here: one round, the preset `hakem`, the preset `home` (H19). */
export const TARGETS = [1, 2, 7];

/** A match's id, a UUIDv7. */
export const newMatch = (now = Date.now(), random = newId()) =>
  `m_${now.toString(16).padStart(12, "0")}7${random.slice(13)}`;

/** The command that opens it: we at seat 0, the house at the others.
 * @param {Wish} wish @param {string | null} ticket
 * @returns {import("../../../../docs/schema/waraq.js").OpenMatch} */
export function opening({ options, level }, ticket) {
  const count = options.game === "hokm" ? 4 : options.seats;
  const seats = Array.from({ length: count }, (_, seat) => planned(seat, level));
  return { type: "open_match", options, seats, invitation: null, ticket };
}

/** @param {number} seat @param {Level} level
 * @returns {import("../../../../docs/schema/waraq.js").SeatPlan} */
const planned = (seat, level) =>
  seat === 0 ? { seat, filled_by: "owner", level: null } : { seat, filled_by: "house", level };

/** Randomness of our own for every shuffle (docs/fair-deal.md). */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
