/**
 * How a person has put his cards: in groups from left to right, the last of them the loose cards. No
 * other group is ever empty.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandOptions} HandOptions
 * @typedef {{groups: readonly (readonly string[])[]}} Arrangement
 */
import { RANKS, SUITS, isJoker, rankOf, suitOf } from "../cards.js";
import { grouped } from "./grouping.js";

/** @type {Arrangement} */
export const EMPTY = arranged([[]]);

/** @param {readonly (readonly string[])[]} groups @returns {Arrangement} */
function arranged(groups) {
  const kept = groups.filter((group, at) => group.length > 0 || at === groups.length - 1);
  return Object.freeze({ groups: Object.freeze(kept.map((group) => Object.freeze([...group]))) });
}

/** Which group is the loose one. @param {Arrangement} arrangement */
const looseOf = ({ groups }) => groups.length - 1;

/** All cards from left to right. @param {Arrangement} arrangement */
export const cardsOf = ({ groups }) => groups.flat();

/** The same cards as the hand: those that are gone are gone, new ones come last.
 * @param {Arrangement} arrangement @param {readonly string[]} hand @returns {Arrangement} */
export function kept(arrangement, hand) {
  const had = cardsOf(arrangement);
  const groups = arrangement.groups.map((group) => group.filter((card) => hand.includes(card)));
  const come = hand.filter((card) => !had.includes(card));
  return arranged([...groups.slice(0, -1), [...groups[groups.length - 1], ...come]]);
}

/** The card at another place. @param {Arrangement} arrangement @param {string} card
 * @param {number} group @param {number} at which group and before which of its cards, both as they are
 * now; a group that is not there yet, -1, comes before the loose cards @returns {Arrangement} */
export function moved(arrangement, card, group, at) {
  if (group < 0) return gathered(arrangement, [card]);
  const now = arrangement.groups.map((cards, which) =>
    which === group ? putInto(cards, card, at) : cards.filter((one) => one !== card));
  return arranged(now);
}

/** @param {readonly string[]} cards @param {string} card @param {number} at */
const putInto = (cards, card, at) => [
  ...cards.slice(0, at).filter((one) => one !== card),
  card,
  ...cards.slice(at).filter((one) => one !== card),
];

/** Those cards as a group of their own, before the loose ones.
 * @param {Arrangement} arrangement @param {readonly string[]} cards @returns {Arrangement} */
export function gathered(arrangement, cards) {
  const groups = arrangement.groups.map((group) => group.filter((card) => !cards.includes(card)));
  return arranged([...groups.slice(0, -1), cards, groups[groups.length - 1]]);
}

/** That group's cards are loose again, the first of them. @param {Arrangement} arrangement
 * @param {number} group @returns {Arrangement} */
export function loosened(arrangement, group) {
  const loose = looseOf(arrangement);
  if (group === loose) return arrangement;
  const { groups } = arrangement;
  const others = groups.slice(0, -1).filter((_, at) => at !== group);
  return arranged([...others, [...groups[group], ...groups[loose]]]);
}

/** The card that many places to the right, to the left if it is less than 0; over a border between groups is one
 * place too, and at either end it stays. @param {Arrangement} arrangement @param {string} card
 * @param {number} by @returns {Arrangement} */
export function stepped(arrangement, card, by) {
  let now = arrangement;
  for (let left = Math.abs(by); left > 0; left--) now = step(now, card, Math.sign(by));
  return now;
}

/** @param {Arrangement} arrangement @param {string} card @param {number} by 1 or -1 */
function step(arrangement, card, by) {
  const { groups } = arrangement;
  const group = groups.findIndex((cards) => cards.includes(card));
  if (group < 0) return arrangement;
  const at = groups[group].indexOf(card) + by;
  if (at >= 0 && at < groups[group].length) return moved(arrangement, card, group, by > 0 ? at + 1 : at);
  const beside = group + by;
  if (beside < 0 || beside >= groups.length) return arrangement;
  return moved(arrangement, card, beside, by > 0 ? 0 : groups[beside].length);
}

/** The hand by suit or by rank, low to high, jokers last; all of it loose.
 * @param {readonly string[]} hand @param {"suit" | "rank"} by @returns {Arrangement} */
export const sortedBy = (hand, by) => arranged([sorted(hand, by)]);

/** More than the key of any other card. */
const JOKERS_LAST = RANKS.length * SUITS.length;

/** @param {readonly string[]} hand @param {"suit" | "rank"} by */
function sorted(hand, by) {
  /** @param {string} card */
  function key(card) {
    const [suit, rank] = [SUITS.indexOf(suitOf(card)), RANKS.indexOf(rankOf(card))];
    if (isJoker(card)) return JOKERS_LAST;
    return by === "suit" ? suit * RANKS.length + rank : rank * SUITS.length + suit;
  }
  return [...hand].sort((one, other) => key(one) - key(other) || (one < other ? -1 : 1));
}

/** The hand in its best melds, then the loose cards by suit.
 * @param {readonly string[]} hand @param {HandOptions} options @returns {Arrangement} */
export function automatic(hand, options) {
  const { melds, loose } = grouped(hand, options);
  return arranged([...melds.map(({ cards }) => cards), sorted(loose, "suit")]);
}
