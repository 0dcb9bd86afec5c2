/**
 * What happened, in a person's words: from an event's public line, for every eye the same.
 *
 * @typedef {import("../words.js").Words} Words
 * @typedef {import("../../../../../docs/schema/waraq.js").Event} Event
 * @typedef {import("../../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("../../../../../docs/schema/waraq.js").RoundScored} RoundScored
 * @typedef {{words: Words, who: (seat: number) => string, mine: number | null, sides: boolean}} Eyes
 *   `mine`: the seat that one had. `sides`: is it played in two sides?
 */
import { cardName, inLine, say, sideText } from "../words.js";

/** A sentence; empty of what is newer than this page, and of what another event says better: there are no words
 * for it. @param {Eyes} eyes @param {Event} event */
export function said(eyes, { seat, body }) {
  if (body.type === "round_scored") return scored(eyes, body);
  const [key, who] = [keyOf(body), seat === null ? "" : eyes.who(seat)];
  if (!Object.hasOwn(eyes.words.own, key)) return "";
  return say(eyes.words, key, { who, ...valuesOf(eyes, body) });
}

/** @param {Body} body */
function keyOf(body) {
  if (body.type === "control_changed") return `was_control_${body.control}`;
  return body.type === "melds_laid" && body.opening ? "was_open" : `was_${body.type}`;
}

/** @param {Eyes} eyes @param {Body} body @returns {Record<string, string | number>} */
function valuesOf({ words, who, mine, sides }, body) {
  switch (body.type) {
    case "seat_taken":
    case "seat_left":
    case "turn_timed_out":
    case "control_changed":
      return { who: who(body.seat) };
    case "hakem_drawn":
    case "five_dealt":
      return { who: who(body.hakem) };
    case "hand_dealt":
      return { who: who(body.dealer) };
    case "cards_shuffled":
    case "round_revealed":
      return { round: body.round };
    case "trump_chosen":
      return { suit: say(words, `suit_${body.suit}`) };
    case "trick_taken":
      return { who: who(body.by) };
    case "melds_laid":
      return { cards: body.melds.map(inLine).join(" + ") };
    case "joker_swapped":
    case "fire_taken":
    case "card_played":
    case "card_laid_off":
    case "card_discarded":
      return { card: cardName(words, body.card) };
    case "match_ended":
      return { who: sides ? sideText(words, body.winner, mine) : who(body.winner) };
    default:
      return {};
  }
}

/** @param {Eyes} eyes @param {RoundScored} body */
function scored({ words, who, mine, sides }, { score, totals }) {
  if (score.game === "hokm")
    return say(words, "was_round_scored", { side: sideText(words, score.side, mine), way: say(words, `way_${score.kind}`), points: score.points });
  const units = totals.map((total, unit) =>
    say(words, "now_has", { who: sides ? sideText(words, unit, mine) : who(unit), points: score.penalties[unit] ?? 0, total }));
  return say(words, "was_penalties", { list: units.join(" · ") });
}

/** Milliseconds that it took whoever did it, null of what nobody did.
 * @param {Event} event @param {Event | undefined} before */
export const thought = ({ origin, time }, before) => (origin === "player" && before ? Math.max(0, time - before.time) : null);
