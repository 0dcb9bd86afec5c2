/**
 * Heads that this browser heard while a match was played, kept to compare with what is told of it
 * later: each seals all that came before it (docs/fair-deal.md).
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {[version: number, head: string]} Note
 * @typedef {readonly (readonly [match: string, notes: readonly Note[]])[]} Notes the match that was heard of last at the end
 */
import { keep, keptList } from "./kept.js";

const KEPT = "heads";
/** Matches of which heads are kept. */
export const MOST_MATCHES = 50;
/** Heads of one match; when there are more, every second one is forgotten. */
export const MOST_HEADS = 8;

/** The head that was heard live: of what happens, or of how a match stands that goes on. What was
 * told of the past says nothing about what was told then.
 * @param {Feed} message @returns {{match: string, note: Note} | null} */
export function liveHead(message) {
  if (message.type === "event")
    return { match: message.event.match, note: [message.event.version, message.head] };
  if (message.type !== "snapshot" || message.over) return null;
  return { match: message.match, note: [message.version, message.head] };
}

/** The notes with one more; what was noted of a version stays.
 * @param {Notes} notes @param {string} match @param {Note} note @returns {Notes} */
export function noting(notes, match, note) {
  const had = notes.find(([one]) => one === match)?.[1] ?? [];
  if (had.length && had[had.length - 1][0] >= note[0]) return notes;
  const others = notes.filter(([one]) => one !== match);
  return [...others, /** @type {Notes[number]} */ ([match, thinned([...had, note])])].slice(-MOST_MATCHES);
}

/** The first and the last stay. @param {readonly Note[]} notes @returns {readonly Note[]} */
const thinned = (notes) =>
  notes.length <= MOST_HEADS ? notes : notes.filter((_, at) => at % 2 === 0 || at === notes.length - 1);

/** @param {any} note @returns {note is Note} */
const isNote = (note) => Array.isArray(note) && typeof note[0] === "number" && typeof note[1] === "string";

/** @param {any} entry @returns {entry is Notes[number]} */
const isNoted = (entry) =>
  Array.isArray(entry) && typeof entry[0] === "string" && Array.isArray(entry[1]) && entry[1].every(isNote);

/** @returns {Notes} those that can be read */
const all = () => keptList(KEPT, isNoted);

/** @param {Feed} message whatever was heard of a match of ours */
export function note(message) {
  const heard = liveHead(message);
  if (!heard) return;
  const before = all();
  const now = noting(before, heard.match, heard.note);
  if (now !== before) keep(KEPT, JSON.stringify(now));
}

/** @param {string} match @returns {string[]} */
export const noted = (match) => (all().find(([one]) => one === match)?.[1] ?? []).map(([, head]) => head);
