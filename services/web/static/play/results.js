/**
 * How a match of mine stands or ended, as far as its line tells.
 *
 * @typedef {import("./lists/sources.js").Line} Line
 */
import { inSides } from "./seats.js";
import { say } from "./words.js";

/** Do two sides play it? @param {Line} line */
const bySides = ({ game, options }) => inSides({ ...options, game });

/** Games of which is known whose score is whose; a newer one's is not. */
const KNOWN = ["hokm", "hand"];

/** Whose score is that player's: his side's, or his seat's where each plays alone; null if he has no
 * seat there (any more), or that is not known. @param {Line} line @param {string} player */
export function unitOf(line, player) {
  const seat = line.seats.find((one) => one.player === player)?.seat;
  if (seat === undefined || !KNOWN.includes(line.game)) return null;
  return bySides(line) ? seat % 2 : seat;
}

/** What can be told of its end, for that player.
 * @param {Line} line @param {string} player @returns {"won" | "lost" | "abandoned" | "ended"} */
export function resultOf(line, player) {
  if (line.status === "abandoned") return "abandoned";
  const unit = unitOf(line, player);
  if (unit === null || line.winner === null) return "ended";
  return unit === line.winner ? "won" : "lost";
}

/** The score, that player's first. @param {Line} line @param {string} player */
export function scoreOf({ score, ...line }, player) {
  const unit = unitOf(/** @type {Line} */ (line), player) ?? 0;
  return [...score.slice(unit), ...score.slice(0, unit)];
}

/** The same as a text; zeros before a round is counted.
 * @param {import("./words.js").Words} words @param {Line} line @param {string} player */
export function scoreText(words, line, player) {
  const sides = bySides(line);
  const units = sides ? 2 : line.seats.length;
  const score = line.score.length ? scoreOf(line, player) : Array(units).fill(0);
  return score.map((one) => say(words, "number", { number: one })).join(sides ? " – " : " | ");
}
