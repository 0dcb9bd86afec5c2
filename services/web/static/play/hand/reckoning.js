/**
 * How the penalties of a round came about (N40 to N45).
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandOptions} HandOptions
 * @typedef {import("../../../../../docs/schema/waraq.js").HandRound} HandRound
 * @typedef {{seat: number, way: "out" | "hand" | "partner" | "unopened" | "cards" | "void", penalty: number,
 *   cards: readonly string[]}} Share
 *   What one seat's cards cost; `cards`: those it still held.
 */
import { heldValue, sum } from "./melds.js";
import { unitOf } from "./view.js";

const WENT_OUT = -30;
const NOT_OPENED = 100;

/** Each seat's share. @param {HandOptions} options @param {HandRound} result @returns {Share[]} */
export const sharesOf = (options, result) =>
  result.left.map((cards, seat) => {
    const way = wayOf(options, result, seat);
    return { seat, way, penalty: COSTS[way](cards) * (result.hand ? 2 : 1), cards };
  });

/** @param {HandOptions} options @param {HandRound} result @param {number} seat @returns {Share["way"]} */
function wayOf(options, { went_out: out, hand, opened }, seat) {
  if (out === null) return "void";
  if (seat === out) return hand ? "hand" : "out";
  if (unitOf(options, seat) === unitOf(options, out)) return "partner";
  return opened[seat] ? "cards" : "unopened";
}

/** @type {Record<Share["way"], (cards: readonly string[]) => number>} */
const COSTS = {
  void: () => 0,
  partner: () => 0,
  out: () => WENT_OUT,
  hand: () => WENT_OUT,
  unopened: () => NOT_OPENED,
  cards: (cards) => sum(cards.map(heldValue)),
};
