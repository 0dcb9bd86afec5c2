/**
 * When something was, as it is said in the language.
 *
 * @typedef {import("../words.js").Words} Words
 */
import { localeOf } from "../words.js";

const MINUTE = 60_000;
/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const UNITS = [["day", 1_440 * MINUTE], ["hour", 60 * MINUTE], ["minute", MINUTE]];
/** Milliseconds: what is longer ago is told by its date. */
const LONG_AGO = 7 * 1_440 * MINUTE;

/** @param {Words} words @param {number} then Unix ms @param {number} now Unix ms */
export function whenWas(words, then, now = Date.now()) {
  const past = Math.max(0, now - then);
  if (past >= LONG_AGO) return dateOf(words, then);
  const [unit, length] = UNITS.find((one) => past >= one[1]) ?? ["second", Infinity];
  return new Intl.RelativeTimeFormat(localeOf(words), { numeric: "auto" }).format(0 - Math.floor(past / length), unit);
}

/** The day and the time of the day. @param {Words} words @param {number} then Unix ms */
export const dateOf = (words, then) =>
  new Intl.DateTimeFormat(localeOf(words), { dateStyle: "medium", timeStyle: "short" }).format(then);
