/**
 * One meld of Hand, read exactly: runs, sets, the joker, the ace (N8 to N12, N20, N21). This says what
 * the table would say (services/rules/melds.py).
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandOptions} HandOptions
 * @typedef {import("../../../../../docs/schema/waraq.js").Meld} Meld
 * @typedef {"low" | "high"} End
 * @typedef {{kind: "run", suit: string, low: number, high: number, joker: number | null}} Run
 *   `low`, `high`, `joker`: places in RUN_RANKS.
 * @typedef {{kind: "set", rank: string, suits: readonly string[], joker: boolean}} Same
 *   Cards of one rank; `suits`: those of the naturals.
 * @typedef {{kind: "run" | "set", cards: readonly string[], value: number}} Reading
 *   A meld as it is laid: a run low to high, the joker in the place of the card that it stands for.
 */
import { SUITS, faceOf, isJoker, rankOf, suitOf } from "../cards.js";

/** The rank at each place of a run; an ace stands at the first or at the last, never at both. */
export const RUN_RANKS = "A23456789TJQKA";
export const LAST_PLACE = RUN_RANKS.length - 1;
/** Cards in the smallest meld. */
export const MELD_SIZE = 3;
/** Cards in the longest run (N8). */
export const RUN_SIZE = 13;
/** Cards in the largest set (N9). */
export const SET_SIZE = 4;
const ACE = 11;
const LOW_ACE = 1;
const PICTURE = 10;
const JOKER_HELD = 15;

/** N12. @param {string} rank */
export const valueOfRank = (rank) => (rank === "A" ? ACE : Number(rank) || PICTURE);

/** What a card costs that is still held when the round ends (N41). @param {string} card */
export const heldValue = (card) => (isJoker(card) ? JOKER_HELD : valueOfRank(rankOf(card)));

/** Is that a variant with the rising bar and the low ace of 1? @param {HandOptions} options */
export const isSaudi = ({ variant }) => variant === "saudi" || variant === "saudi_partnership";

/** @param {number} low @param {number} high places @param {HandOptions} options */
export function runValue(low, high, options) {
  const worth = sum([...RUN_RANKS.slice(low, high + 1)].map(valueOfRank));
  return low === 0 && isSaudi(options) ? worth - ACE + LOW_ACE : worth;
}

/** @param {readonly number[]} numbers */
export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** The meld that these cards are as they are listed (N11), null if they are none.
 * @param {readonly string[]} cards @returns {Run | Same | null} */
export function read(cards) {
  const naturals = cards.filter((card) => !isJoker(card));
  if (cards.length < MELD_SIZE || naturals.length < cards.length - 1) return null;
  const same = naturals.every((card) => rankOf(card) === rankOf(naturals[0]));
  return same ? readSet(cards, naturals) : readRun(cards);
}

/** @param {readonly string[]} cards @param {readonly string[]} naturals @returns {Same | null} */
function readSet(cards, naturals) {
  const suits = naturals.map(suitOf);
  if (cards.length > SET_SIZE || new Set(suits).size < suits.length) return null;
  return { kind: "set", rank: rankOf(naturals[0]), suits, joker: naturals.length < cards.length };
}

/** @param {readonly string[]} cards of two ranks at least @returns {Run | null} */
function readRun(cards) {
  const anchor = cards.findIndex((card) => !isJoker(card) && rankOf(card) !== "A");
  const suit = suitOf(cards[anchor]);
  const low = RUN_RANKS.indexOf(rankOf(cards[anchor])) - anchor;
  const high = low + cards.length - 1;
  if (low < 0 || high > LAST_PLACE || cards.length > RUN_SIZE) return null;
  if (!cards.every((card, at) => isJoker(card) || faceOf(card) === RUN_RANKS[low + at] + suit)) return null;
  const at = cards.findIndex(isJoker);
  return { kind: "run", suit, low, high, joker: at < 0 ? null : low + at };
}

/** @param {Run | Same} shape @param {HandOptions} options */
const worthOf = (shape, options) =>
  shape.kind === "run"
    ? runValue(shape.low, shape.high, options)
    : valueOfRank(shape.rank) * (shape.suits.length + Number(shape.joker));

/** What a meld is worth on the table (N12), null if the cards, as they are listed, are none.
 * @param {readonly string[]} cards @param {HandOptions} options */
export function valueOf(cards, options) {
  const shape = read(cards);
  return shape && worthOf(shape, options);
}

// Cards in any order ---------------------------------------------------------------------------

/** Every meld that these cards make, all of them together, the most valuable first; of two as valuable
 * the higher run. @param {readonly string[]} cards in any order @param {HandOptions} options
 * @returns {Reading[]} */
export const readings = (cards, options) =>
  listings(cards)
    .map((listed) => readingOf(listed, options))
    .sort((one, other) => other.value - one.value);

/** @param {readonly string[]} cards a meld as it is listed @param {HandOptions} options @returns {Reading} */
export function readingOf(cards, options) {
  const shape = /** @type {Run | Same} */ (read(cards));
  return { kind: shape.kind, cards, value: worthOf(shape, options) };
}

/** Why the table would take these cards for no meld, in whatever order; null if they are one.
 * @param {readonly string[]} cards @returns {"too_many_jokers" | "not_a_meld" | null} */
export function whyNoMeld(cards) {
  if (cards.filter(isJoker).length > 1) return "too_many_jokers";
  return listings(cards).length ? null : "not_a_meld";
}

/** @param {readonly string[]} cards @returns {(readonly string[])[]} the higher runs first */
function listings(cards) {
  const naturals = cards.filter((card) => !isJoker(card));
  if (cards.length < MELD_SIZE || naturals.length < cards.length - 1) return [];
  const same = naturals.every((card) => rankOf(card) === rankOf(naturals[0]));
  const listed = same ? [bySuit(cards)] : runs(naturals, cards.find(isJoker));
  return listed.filter(read);
}

/** A set's naturals in the order of suits, the joker last. @param {readonly string[]} cards */
const bySuit = (cards) =>
  [...cards].sort((one, other) => suitPlace(one) - suitPlace(other));

/** @param {string} card */
const suitPlace = (card) => (isJoker(card) ? SUITS.length : SUITS.indexOf(suitOf(card)));

/** @param {readonly string[]} naturals @param {string | undefined} joker @returns {string[][]} */
function runs(naturals, joker) {
  const size = naturals.length + Number(joker !== undefined);
  const found = [];
  for (let low = LAST_PLACE + 1 - size; low >= 0; low--) {
    const listed = [...RUN_RANKS.slice(low, low + size)].map((rank) => standing(rank, naturals) ?? joker);
    if (new Set(listed).size === size && !listed.includes(undefined)) found.push(listed);
  }
  return /** @type {string[][]} */ (found);
}

/** @param {string} rank @param {readonly string[]} naturals */
const standing = (rank, naturals) =>
  naturals.find((card) => faceOf(card) === rank + suitOf(naturals[0]));

// A meld on the table --------------------------------------------------------------------------

/** @param {Meld} meld */
const shapeOf = (meld) => /** @type {Run | Same} */ (read(meld.cards));

/** @param {Run | Same} shape */
const hasRoom = (shape) =>
  shape.kind === "run"
    ? shape.high - shape.low + 1 < RUN_SIZE
    : shape.suits.length + Number(shape.joker) < SET_SIZE;

/** Where a card can be laid off on a meld: at those ends of a run, on a set `[null]`, nowhere `[]`
 * (N20, N10). @param {Meld} meld @param {string} card @returns {(End | null)[]} */
export function fits(meld, card) {
  const shape = shapeOf(meld);
  if (!hasRoom(shape) || (isJoker(card) && meld.cards.some(isJoker))) return [];
  if (shape.kind === "set") return isJoker(card) || misses(shape, card) ? [null] : [];
  /** @type {[End, number][]} */
  const ends = [["low", shape.low - 1], ["high", shape.high + 1]];
  return ends.filter(([, place]) => standsAt(shape, place, card)).map(([end]) => end);
}

/** @param {Same} shape @param {string} card */
const misses = (shape, card) => rankOf(card) === shape.rank && !shape.suits.includes(suitOf(card));

/** @param {Run} run @param {number} place @param {string} card */
function standsAt(run, place, card) {
  if (place < 0 || place > LAST_PLACE) return false;
  return isJoker(card) || faceOf(card) === RUN_RANKS[place] + run.suit;
}

/** The end to which a lay-off goes that names none, or that one: the high end if the card fits there;
 * null on a set (N20). @param {Meld} meld @param {string} card @param {End | null} [wanted]
 * @returns {End | null} */
export function endOf(meld, card, wanted = null) {
  const preferred = fits(meld, card).at(-1) ?? null;
  return preferred && (wanted ?? preferred);
}

/** A meld's cards with one more, laid off at that end. @param {readonly string[]} cards @param {string} card
 * @param {End | null | undefined} end */
export const extended = (cards, card, end) => (end === "low" ? [card, ...cards] : [...cards, card]);

/** A meld's cards with that one in the joker's place. @param {readonly string[]} cards @param {string} card */
export const freed = (cards, card) => cards.map((old) => (isJoker(old) ? card : old));

/** The joker that the card frees from a meld, null if it frees none (N21).
 * @param {Meld} meld @param {string} card @returns {string | null} */
export function swapOf(meld, card) {
  const joker = meld.cards.find(isJoker);
  return joker && standsFor(meld).includes(faceOf(card)) ? joker : null;
}

/** What the meld's joker may be swapped for, as faces such as `7H`: one card in a run, in a set each
 * suit that is missing; [] without a joker. @param {Meld} meld @returns {string[]} */
export function standsFor(meld) {
  const shape = shapeOf(meld);
  if (shape.kind === "run") return shape.joker === null ? [] : [RUN_RANKS[shape.joker] + shape.suit];
  return shape.joker ? SUITS.filter((suit) => !shape.suits.includes(suit)).map((suit) => shape.rank + suit) : [];
}
