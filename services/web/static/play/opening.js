/** How a table of Hokm against masks is opened and started. */
import { newId } from "./speaker.js";

export const LEVELS = /** @type {const} */ (["white", "black", "chrome"]);
/** Points that a match may go to here: one round, the preset `hakem`, the preset `home` (H19). */
export const TARGETS = [1, 2, 7];

/** A match's id, a UUIDv7. */
export const newMatch = (now = Date.now(), random = newId()) =>
  `m_${now.toString(16).padStart(12, "0")}7${random.slice(13)}`;

/** The command that opens it: we at seat 0, the house at that level at the others.
 * @param {string} level @param {number} target @param {string | null} ticket
 * @returns {import("../../../../docs/schema/waraq.js").OpenMatch} */
export function opening(level, target, ticket) {
  const chosen = /** @type {"white"} */ (level);
  const house = [1, 2, 3].map((seat) => ({ seat, filled_by: /** @type {const} */ ("house"), level: chosen }));
  const seats = [{ seat: 0, filled_by: /** @type {const} */ ("owner"), level: null }, ...house];
  return { type: "open_match", options: { game: "hokm", target }, seats, invitation: null, ticket };
}

/** Randomness of our own for every shuffle (docs/fair-deal.md). */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
