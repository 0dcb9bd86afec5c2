/**
 * Exact search for disjoint melds among the cards of one hand, as services/rules/hand/search.py does it.
 *
 * Two copies of a card are one *face*; what is left of a hand is two masks of faces, those there is one
 * of at least and those there are two of, and a number of jokers. The lowest face left is melded or it
 * stays; what is the best for each rest is remembered.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandOptions} HandOptions
 * @typedef {{faces: readonly string[], once: number, twice: number, jokers: number}} Pool
 *   `once`, `twice`: masks over `faces`.
 * @typedef {{faces: readonly string[], need: number, jokers: number, value: number, gain: number}} Candidate
 *   A meld that a pool can make: its faces as they are listed, the mask of its naturals, its jokers (0
 *   or 1), its worth on the table, and how good it is.
 * @typedef {{value: number, gain: number, meld: Candidate | null, rest: Way | null}} Way
 *   Disjoint melds, one after the other; their worth, no more than the bar, and how good they are.
 */
import { JOKER, SUITS, faceOf, isJoker, rankOf, suitOf } from "../cards.js";
import { LAST_PLACE, MELD_SIZE, RUN_RANKS, RUN_SIZE, SET_SIZE } from "./melds.js";
import { heldValue, runValue, sum, valueOfRank } from "./melds.js";

/** Melds that are tried for one hand; then the best that was found so far is taken. The hand that needs
 * the most, of fifteen cards and both jokers, is not known; 10,800 is the most that was found. */
export const MOST_TRIED = 20_000;
/** Different faces of a hand that are looked at: the masks of two copies and the jokers are one number.
 * No hand has as many. */
export const MOST_FACES = 25;

/** More than a hand's cards, and than all its melds can be worth. */
const [CARDS, WORTH] = [32, 512];

const FACES = SUITS.flatMap((suit) => [...RUN_RANKS.slice(0, LAST_PLACE)].map((rank) => rank + suit));

/** The best melds of a hand: those that leave the least value in it, then the fewest cards, and then are
 * worth the most on the table. @param {readonly string[]} cards @param {HandOptions} options
 * @param {number} bar what they must be worth at least @param {number} most melds that are tried
 * @param {string | null} first of two copies that which goes down before its twin
 * @returns {{melds: readonly (readonly string[])[] | null, tried: number}}
 *   null if the bar is not reached */
export function bestMelds(cards, options, bar = 0, most = MOST_TRIED, first = null) {
  const pool = poolOf(cards);
  const { ways, tried } = waysOf(pool, byLowest(candidates(pool, options)), bar, most);
  const best = ways.find((way) => way.value >= bar);
  return { melds: best ? spelled(best, cards, first) : null, tried };
}

/** @param {readonly string[]} cards @returns {Pool} */
function poolOf(cards) {
  const held = cards.map(faceOf);
  const faces = FACES.filter((face) => held.includes(face)).slice(0, MOST_FACES);
  const twins = faces.filter((face) => held.indexOf(face) !== held.lastIndexOf(face));
  return { faces, once: maskOf(faces, faces), twice: maskOf(faces, twins), jokers: cards.filter(isJoker).length };
}

/** @param {readonly string[]} faces @param {readonly string[]} some of them */
const maskOf = (faces, some) => sum(some.map((face) => 2 ** faces.indexOf(face)));

// The melds there are --------------------------------------------------------------------------

/** Every meld that the pool can make. A joker may also stand for a card that is held: that card may be
 * wanted elsewhere. @param {Pool} pool @param {HandOptions} options @returns {Candidate[]} */
function candidates(pool, options) {
  const runs = SUITS.flatMap((suit) => runsOf(pool, suit, options));
  return [...runs, ...[...RUN_RANKS.slice(0, LAST_PLACE)].flatMap((rank) => setsOf(pool, rank))];
}

/** @param {Pool} pool @param {string} suit @param {HandOptions} options @returns {Candidate[]} */
function runsOf(pool, suit, options) {
  const suited = [...RUN_RANKS].map((rank) => rank + suit);
  const found = [];
  for (let low = 0; low + MELD_SIZE - 1 <= LAST_PLACE; low++)
    for (let high = low + MELD_SIZE - 1; high <= Math.min(low + RUN_SIZE - 1, LAST_PLACE); high++)
      for (const listed of listings(pool, suited.slice(low, high + 1)))
        found.push(candidate(pool, listed, runValue(low, high, options)));
  return found;
}

/** A run of which one card may be missing: as it is, and with the joker at each place where all other
 * cards are held. @param {Pool} pool @param {readonly string[]} run @returns {(readonly string[])[]} */
function listings({ faces, jokers }, run) {
  const missing = run.filter((face) => !faces.includes(face));
  if (missing.length > 1) return [];
  const free = missing.length ? missing : run;
  const joked = jokers ? free.map((one) => run.map((face) => (face === one ? JOKER : face))) : [];
  return missing.length ? joked : [run, ...joked];
}

/** @param {Pool} pool @param {string} rank @returns {Candidate[]} */
function setsOf(pool, rank) {
  const held = SUITS.map((suit) => rank + suit).filter((face) => pool.faces.includes(face));
  const some = subsets(held).filter((faces) => faces.length >= MELD_SIZE - 1);
  const joked = pool.jokers ? some.filter((faces) => faces.length < SET_SIZE).map((faces) => [...faces, JOKER]) : [];
  const listed = [...some.filter((faces) => faces.length >= MELD_SIZE), ...joked];
  return listed.map((faces) => candidate(pool, faces, valueOfRank(rank) * faces.length));
}

/** @param {readonly string[]} all @returns {string[][]} */
const subsets = (all) =>
  all.reduce((some, one) => [...some, ...some.map((each) => [...each, one])], /** @type {string[][]} */ ([[]]));

/** @param {Pool} pool @param {readonly string[]} faces @param {number} value @returns {Candidate} */
function candidate(pool, faces, value) {
  const naturals = faces.filter((face) => face !== JOKER);
  const held = sum(faces.map(heldValue));
  const gain = (held * CARDS + faces.length) * WORTH + value;
  return { faces, need: maskOf(pool.faces, naturals), jokers: faces.length - naturals.length, value, gain };
}

/** By the bit of the lowest face; in each the best first. @param {readonly Candidate[]} found */
function byLowest(found) {
  /** @type {Map<number, Candidate[]>} */
  const groups = new Map();
  for (const one of [...found].sort((a, b) => b.gain - a.gain)) {
    const lowest = one.need & -one.need;
    groups.set(lowest, [...(groups.get(lowest) ?? []), one]);
  }
  return groups;
}

// Ways -----------------------------------------------------------------------------------------

/** Of all ways those of which none is as good and reaches as far, the best first.
 * @param {Pool} pool @param {ReadonlyMap<number, readonly Candidate[]>} groups @param {number} bar
 * @param {number} most @returns {{ways: readonly Way[], tried: number}} */
function waysOf(pool, groups, bar, most) {
  /** @type {Map<number, readonly Way[]>} */
  const known = new Map();
  const shift = 2 ** pool.faces.length;
  let tried = 0;

  /** @param {number} once @param {number} twice @param {number} jokers @returns {readonly Way[]} */
  function best(once, twice, jokers) {
    if (once === 0) return NONE;
    const lowest = once & -once;
    const group = groups.get(lowest);
    if (!group) return best(once & ~lowest, twice & ~lowest, jokers);
    const rest = (jokers * shift + once) * shift + twice;
    const found = known.get(rest) ?? grown(group, once, twice, jokers);
    known.set(rest, found);
    return found;
  }

  /** @param {readonly Candidate[]} group @param {number} once @param {number} twice @param {number} jokers */
  function grown(group, once, twice, jokers) {
    /** @type {readonly Way[]} */
    let ways = NONE;
    for (const meld of group) {
      if (meld.jokers > jokers || meld.need & ~once || tried >= most) continue;
      tried += 1;
      const after = best(once & ~(meld.need & ~twice), twice & ~meld.need, jokers - meld.jokers);
      ways = after.reduce((some, way) => withWay(some, begunBy(meld, way, bar)), ways);
    }
    const lowest = once & -once;
    return best(once & ~lowest, twice & ~lowest, jokers).reduce(withWay, ways);
  }

  return { ways: best(pool.once, pool.twice, pool.jokers), tried };
}

/** @type {readonly Way[]} */
const NONE = [{ value: 0, gain: 0, meld: null, rest: null }];

/** @param {Candidate} meld @param {Way} rest @param {number} bar @returns {Way} */
const begunBy = (meld, rest, bar) => ({
  value: Math.min(bar, meld.value + rest.value),
  gain: meld.gain + rest.gain,
  meld,
  rest,
});

/** @param {readonly Way[]} ways the best first @param {Way} way @returns {readonly Way[]} */
function withWay(ways, way) {
  if (ways.some((one) => one.gain >= way.gain && one.value >= way.value)) return ways;
  const others = ways.filter((one) => one.gain > way.gain || one.value > way.value);
  return [...others, way].sort((one, other) => other.gain - one.gain);
}

// In cards -------------------------------------------------------------------------------------

/** @param {Way} way @param {readonly string[]} cards @param {string | null} first
 * @returns {(readonly string[])[]} */
function spelled(way, cards, first) {
  const [before, others] = [true, false].map((is) => cards.filter((card) => (card === first) === is).sort());
  const waiting = [...before, ...others];
  /** @param {string} face */
  const taken = (face) => waiting.splice(waiting.findIndex((card) => faceOf(card) === face), 1)[0];
  const melds = [];
  for (let at = /** @type {Way | null} */ (way); at?.meld; at = at.rest) melds.push(at.meld.faces.map(taken));
  return melds;
}
