/**
 * How a table against masks is opened and started.
 *
 * @typedef {import("./wishes.js").Wish} Wish
 * @typedef {import("../../../../docs/schema/waraq.js").Level} Level
 */
import { newId } from "./speaker.js";
import { optionsOf } from "./wishes.js";

/** The strength of the house's partner in Hokm, and where he sits (H20). @type {Level} */
const PARTNER = "chrome";
const OPPOSITE = 2;

/** A match's id, a UUIDv7. */
export const newMatch = (now = Date.now(), random = newId()) =>
  `m_${now.toString(16).padStart(12, "0")}7${random.slice(13)}`;

/** The command that opens it: we at seat 0, the house at the others.
 * @param {Wish} wish @param {string | null} ticket
 * @returns {import("../../../../docs/schema/waraq.js").OpenMatch} */
export function opening(wish, ticket) {
  const count = wish.game === "hokm" ? 4 : wish.seats;
  const seats = Array.from({ length: count }, (_, seat) => planned(seat, wish));
  return { type: "open_match", options: optionsOf(wish), seats, invitation: null, ticket };
}

/** @param {number} seat @param {Wish} wish
 * @returns {import("../../../../docs/schema/waraq.js").SeatPlan} */
function planned(seat, { game, level }) {
  if (seat === 0) return { seat, filled_by: "owner", level: null };
  const partner = game === "hokm" && seat === OPPOSITE;
  return { seat, filled_by: "house", level: partner ? PARTNER : level };
}

/** Randomness of our own for every shuffle (docs/fair-deal.md). */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
