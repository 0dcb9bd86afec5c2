/**
 * What somebody wants to play, as home asks it and this browser remembers it.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Options} Options
 * @typedef {import("../../../../docs/schema/waraq.js").Level} Level
 * @typedef {import("../../../../docs/schema/waraq.js").HandVariant} Variant
 * @typedef {{game: "hokm" | "hand", level: Level, target: number, win: number, kot: number,
 *   hakem_kot: number, five: string, variant: Variant, seats: number, rounds: number,
 *   company: "masks" | "friend" | "open", guests: number}} Wish
 *   `company`, `guests`: who sits there besides masks: nobody, so many who are invited, so many of
 *   anybody. `level`: of the masks. `five`: "yes" where all see their five cards before trump is named (H10).
 */
import { like, liked } from "./preferences.js";
import { inSides } from "./seats.js";

export const GAMES = /** @type {const} */ (["hokm", "hand"]);
export const LEVELS = /** @type {const} */ (["white", "black", "chrome"]);
/** Points that a match of Hokm may go to here: one round, the preset `hakem`, the preset `home` (H19). */
export const TARGETS = [1, 2, 7];
/** What rounds of Hokm are worth, the least first; and what they are in both presets (H16, H19). */
export const WORTHS = /** @type {const} */ (["win", "kot", "hakem_kot"]);
export const PRESET = { win: 1, kot: 2, hakem_kot: 3 };
/** The highest that a round may be worth (H17). */
export const MOST = 100;
export const VARIANTS = /** @type {const} */ (["classic", "partnership", "saudi", "saudi_partnership"]);
export const SEATS = [2, 3, 4];
export const ROUNDS = [3, 5, 7, 9];
export const COMPANIES = /** @type {const} */ (["masks", "friend", "open"]);
/** The most that there may be besides me. */
const GUESTS = [1, 2, 3];

/** How many may sit at such a table (N1). @param {Wish} wish */
export const seatsOffered = (wish) => (inSides(wish) ? [4] : SEATS);

/** @param {Pick<Wish, "game" | "seats">} wish */
export const seatsOf = ({ game, seats }) => (game === "hokm" ? 4 : seats);

/** How many others may sit with me: in Hokm masks come in pairs (H20). @param {Wish} wish */
export const guestsOffered = (wish) =>
  GUESTS.filter((count) => count < seatsOf(wish) && (wish.game === "hand" || count !== 2));

/** Do masks sit there too? @param {Wish} wish */
export const masked = (wish) => wish.company === "masks" || wish.guests < seatsOf(wish) - 1;

/** The wish with that change, as far as a table can be like it: two or three seats are for who
 * plays alone, and no more guests come than there are seats.
 * @param {Wish} wish @param {Partial<Wish>} change @returns {Wish} */
export function changed(wish, change) {
  const next = worthy({ ...wish, ...change }, change);
  if (inSides({ game: "hand", variant: next.variant })) next.seats = 4;
  const guests = guestsOffered(next).filter((count) => count <= next.guests);
  return { ...next, guests: guests.at(-1) ?? 1 };
}

/** 1 ≤ win ≤ kot ≤ hakem_kot ≤ 100: the one that was changed stays (H17).
 * @param {Wish} wish @param {Partial<Wish>} change @returns {Wish} */
function worthy(wish, change) {
  const next = { ...wish };
  const fixed = WORTHS.findIndex((one) => one in change);
  WORTHS.forEach((one, at) => {
    if (fixed < 0) return;
    const bound = next[WORTHS[fixed]];
    next[one] = at < fixed ? Math.min(next[one], bound) : Math.max(next[one], bound);
  });
  return next;
}

/** @template T @param {string} name @param {readonly T[]} allowed @param {T} otherwise @returns {T} */
const remembered = (name, allowed, otherwise) =>
  allowed.find((one) => String(one) === liked(name, "")) ?? otherwise;

const WORTHY = Array.from({ length: MOST }, (_, at) => at + 1);

/** What was wanted last in this browser. @returns {Wish} */
export function lastWish() {
  const found = {
    game: remembered("game", GAMES, "hokm"),
    level: remembered("level", LEVELS, "white"),
    target: remembered("target", TARGETS, 2),
    win: remembered("win", WORTHY, PRESET.win),
    kot: remembered("kot", WORTHY, PRESET.kot),
    hakem_kot: remembered("hakem_kot", WORTHY, PRESET.hakem_kot),
    five: remembered("five", ["no", "yes"], "no"),
    variant: remembered("variant", VARIANTS, "classic"),
    seats: remembered("seats", SEATS, 4),
    rounds: remembered("rounds", ROUNDS, 3),
    company: remembered("company", COMPANIES, "masks"),
    guests: remembered("guests", GUESTS, 1),
  };
  return changed(found, { kot: found.kot });
}

/** @param {Wish} wish */
export function remember(wish) {
  for (const [name, value] of Object.entries(wish)) like(name, String(value));
}

/** @param {Wish} wish @returns {Options} */
export function optionsOf({ game, target, win, kot, hakem_kot, five, variant, seats, rounds }) {
  if (game === "hand") return { game, variant, seats, rounds: /** @type {3} */ (rounds) };
  return { game, target, win, kot, hakem_kot, show_five_before_trump: five === "yes" };
}
