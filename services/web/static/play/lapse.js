/**
 * That my time ran out, and what the house played for me: told until I have done something myself.
 *
 * @typedef {import("./match.js").Known} Known
 * @typedef {import("./match.js").News} News
 * @typedef {{card: string | null, suit: string | null, done: boolean}} Lapse
 *   `card`: the last one that was played for me; `suit`: the trump that was named. `done`: my turn is over.
 */

/** What a seat does in its turn, and what of it ends the turn. */
const LAST = ["card_played", "card_discarded", "trump_chosen"];
const DONE = [...LAST, "card_drawn", "fire_taken", "melds_laid", "card_laid_off", "joker_swapped"];
/** What makes it old news. */
const ANEW = ["five_dealt", "hand_dealt", "match_ended", "match_abandoned"];

/** After that news. @param {Lapse | null} lapse @param {News} news @param {Known} scene as it stood before
 * @returns {Lapse | null} */
export function lapsed(lapse, { known, body, seat }, scene) {
  if (body === null) return known.version > scene.version ? null : lapse;
  const mine = known.view?.seat ?? null;
  if (body.type === "turn_timed_out") return body.seat === mine ? { card: null, suit: null, done: false } : lapse;
  if (!lapse || ANEW.includes(body.type)) return null;
  if (seat === null || seat !== mine || !DONE.includes(body.type)) return lapse;
  if (lapse.done) return null;
  const card = "card" in body ? body.card : null;
  const suit = body.type === "trump_chosen" ? body.suit : null;
  return { card, suit, done: LAST.includes(body.type) };
}

/** What is said of it, as a text's key. @param {Lapse} lapse */
export function keyOf({ card, suit, done }) {
  if (suit) return "time_up_trump";
  return card && done ? "time_up_card" : "time_up_mine";
}
