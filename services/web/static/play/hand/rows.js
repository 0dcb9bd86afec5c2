/**
 * My cards in rows: as few as hold them, a group broken only where that saves a row, all rows about
 * as long.
 *
 * @typedef {{group: number, cards: readonly string[], last: boolean}} Part
 *   Cards of one group beside each other in one row; `last`: the group ends with them.
 */

/** What the gap before a group takes, in cards. */
const GAP = 0.25;

/** @param {readonly (readonly string[])[]} groups @param {number} room cards that a row takes at most
 * @returns {Part[][]} */
export function rowsOf(groups, room) {
  const parts = groups.map((cards, group) => ({ group, cards, last: true })).filter(({ cards }) => cards.length);
  const longest = Math.max(1, ...parts.map(({ cards }) => cards.length));
  const whole = even(parts, room, wholeGroups, longest > room ? 1 : longest);
  const broken = even(parts, room, brokenGroups, 1);
  return whole.length > broken.length ? broken : whole;
}

/** In rows that are no longer than they must be for as few of them.
 * @param {readonly Part[]} parts @param {number} room
 * @param {(parts: readonly Part[], room: number) => Part[][]} fill @param {number} least room */
function even(parts, room, fill, least) {
  let rows = fill(parts, room);
  const most = Math.min(room, parts.reduce((sum, { cards }) => sum + cards.length + GAP, 0));
  for (let less = most - 1; less >= least; less--) {
    const found = fill(parts, less);
    if (found.length > rows.length) return rows;
    rows = found;
  }
  return rows;
}

/** A group that does not fit behind the last begins a row, and is broken only if it is longer than one.
 * @param {readonly Part[]} parts @param {number} room */
const wholeGroups = (parts, room) =>
  parts.reduce((rows, part) => put(rows, part, room, leftIn(rows, room) >= part.cards.length), /** @type {Part[][]} */ ([]));

/** Every row is filled up. @param {readonly Part[]} parts @param {number} room */
const brokenGroups = (parts, room) =>
  parts.reduce((rows, part) => put(rows, part, room, leftIn(rows, room) >= 1), /** @type {Part[][]} */ ([]));

/** Cards that go behind the last group. @param {Part[][]} rows @param {number} room */
function leftIn(rows, room) {
  const row = rows[rows.length - 1];
  return row ? Math.floor(room - row.reduce((sum, { cards }) => sum + cards.length + GAP, 0)) : 0;
}

/** @param {Part[][]} rows @param {Part} part @param {number} room @param {boolean} behind does it go
 * behind the last group, or begin a row? @returns {Part[][]} */
function put(rows, part, room, behind) {
  const begun = behind ? rows : [...rows, []];
  const count = behind ? leftIn(rows, room) : Math.floor(room);
  const here = { ...part, cards: part.cards.slice(0, count), last: part.cards.length <= count };
  const now = [...begun.slice(0, -1), [...begun[begun.length - 1], here]];
  return here.last ? now : put(now, { ...part, cards: part.cards.slice(count) }, room, false);
}
