/** By which rules a table plays, as lines to be read before somebody sits down. */
import { say, sayKind } from "../../play/words.js";

/** @param {any} words @param {any} options those of a table
 * @param {readonly any[] | null} seats who is to have which seat, where that is known
 * @returns {string[]} none of a game that is newer than this page */
export function rulesOf(words, options, seats = null) {
  if (options.game === "hokm") return hokmRules(words, options, seats);
  return options.game === "hand" ? [handRules(words, options)] : [];
}

/** @param {any} words @param {any} options @param {readonly any[] | null} seats */
function hokmRules(words, options, seats) {
  const { target, win, kot, hakem_kot, show_five_before_trump } = options;
  const length = say(words, target === 1 ? "one_round" : "to_points", { points: target });
  const rules = [say(words, "rules_hokm", { length, win, kot, hakem_kot })];
  if (show_five_before_trump) rules.push(say(words, "rules_five"));
  if (seats) rules.push(say(words, isMasked(seats) ? "rules_masked" : "rules_open"));
  return rules;
}

/** Do two masks of one level sit at the opponents' places? Such a table alone gives XO points (H20, H22).
 * @param {readonly any[]} seats */
const isMasked = ([, right, , left]) => right.level !== null && right.level === left.level;

/** @param {any} words @param {any} options */
function handRules(words, { variant, seats, rounds }) {
  return say(words, "rules_hand", { variant: sayKind(words, `variant_${variant}`, variant), seats, rounds });
}
