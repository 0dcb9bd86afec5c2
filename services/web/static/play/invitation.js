/**
 * A friend's way to a seat: a code made at random. The table knows its hash alone, so the code is
 * kept in this browser, for a page that is loaded again.
 */
import { keep, keptList } from "./kept.js";

/** Letters and digits of a code: 71 bits, for everybody may see its hash. */
export const LENGTH = 12;
/** Codes that are kept, those of the latest tables. */
export const MOST_KEPT = 20;
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Bytes from here on would make some signs likelier than others. */
const EVEN = 256 - (256 % SIGNS.length);

/** @param {() => number} byte at random */
export function newCode(byte = () => crypto.getRandomValues(new Uint8Array(1))[0]) {
  let code = "";
  while (code.length < LENGTH) {
    const drawn = byte();
    if (drawn < EVEN) code += SIGNS[drawn % SIGNS.length];
  }
  return code;
}

/** SHA-256 in hex, as `open_match` has it. @param {string} code */
export async function hashOf(code) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const KEPT = "codes";

/** @param {any} entry @returns {entry is [match: string, code: string]} */
const isCode = (entry) => Array.isArray(entry) && entry.length === 2 && entry.every((one) => typeof one === "string");

/** The latest first. */
const kept = () => keptList(KEPT, isCode);

/** @param {string} match @param {string} code */
export const keepCode = (match, code) =>
  keep(KEPT, JSON.stringify([[match, code], ...kept()].slice(0, MOST_KEPT)));

/** The code of a table that was opened in this browser. @param {string} match */
export const codeOf = (match) => kept().find(([one]) => one === match)?.[1] ?? null;
