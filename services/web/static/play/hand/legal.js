/**
 * What may be done in Hand, as far as the view tells without searching: `cannot_open`,
 * `no_legal_finish` and `no_use_for_joker` the table alone says.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandView} HandView
 * @typedef {import("../../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {import("../../../../../docs/schema/waraq.js").LayMelds} LayMelds
 * @typedef {import("../../../../../docs/schema/waraq.js").LayOff} LayOff
 * @typedef {import("../../../../../docs/schema/waraq.js").SwapJoker} SwapJoker
 * @typedef {import("./melds.js").End} End
 */
import { isJoker } from "../cards.js";
import { fits, sum, swapOf, valueOf } from "./melds.js";

/** Melds in one submission (schemas/commands.py). */
const MOST_MELDS = 5;

/** When each may be said at all (N5, N6). @type {Record<string, readonly string[]>} */
const PHASES = {
  draw: ["draw"],
  lay_melds: ["act"],
  lay_off: ["act"],
  swap_joker: ["act"],
  discard: ["discard_first", "act"],
};

/** Why the table would refuse that action of the viewer's: the first that applies in the order of the
 * rules, null if nothing is known against it. @param {HandView} view @param {GameAction} action
 * @returns {string | null} */
export function whyNot(view, action) {
  if (!(action.type in PHASES) || countless(action)) return "malformed";
  if (view.phase === "match_over") return "match_over";
  if (view.turn !== null && view.turn !== view.seat) return "not_your_turn";
  if (!PHASES[action.type].includes(view.phase)) return "wrong_phase";
  if (action.type === "discard") return whyNoDiscard(view, action.card);
  if (action.type === "lay_melds") return whyNoMelds(view, action);
  return action.type === "lay_off" || action.type === "swap_joker" ? whyNoGrowth(view, action) : null;
}

/** @param {GameAction} action */
const countless = (action) =>
  action.type === "lay_melds" && (action.melds.length === 0 || action.melds.length > MOST_MELDS);

/** @param {HandView} view */
const opened = ({ opened: all, seat }) => seat !== null && all[seat];

/** @param {HandView} view @param {string} card @returns {string | null} */
function whyNoDiscard(view, card) {
  if (!view.hand.includes(card)) return "card_not_held";
  if (view.must_open) return "must_open_first";
  if (view.must_place.length) return "must_place_joker";
  return card === view.taken ? "cannot_discard_taken_card" : null;
}

/** @param {HandView} view @param {LayMelds} action @returns {string | null} */
function whyNoMelds(view, { melds }) {
  const cards = melds.flat();
  if (cards.some((card) => !view.hand.includes(card))) return "card_not_held";
  if (new Set(cards).size < cards.length) return "duplicate_card";
  if (melds.some((meld) => meld.filter(isJoker).length > 1)) return "too_many_jokers";
  const values = melds.map((meld) => valueOf(meld, view.options));
  if (values.includes(null)) return "not_a_meld";
  return !opened(view) && sum(/** @type {number[]} */ (values)) < view.bar ? "opening_too_low" : null;
}

/** @param {HandView} view @param {LayOff | SwapJoker} action @returns {string | null} */
function whyNoGrowth(view, action) {
  if (!view.hand.includes(action.card)) return "card_not_held";
  if (!opened(view)) return "not_opened";
  const meld = view.melds.find(({ id }) => id === action.meld);
  if (!meld) return "unknown_meld";
  if (action.type === "swap_joker") return swapOf(meld, action.card) ? null : "wrong_swap_card";
  return whyNoLayOff(meld, action.card, action.end ?? null);
}

/** @param {import("./melds.js").Meld} meld @param {string} card @param {End | null} end
 * @returns {string | null} */
function whyNoLayOff(meld, card, end) {
  if (isJoker(card) && meld.cards.some(isJoker)) return "too_many_jokers";
  const ends = fits(meld, card);
  const there = ends.includes(null) || (end === null ? ends.length > 0 : ends.includes(end));
  return there ? null : "does_not_fit";
}
