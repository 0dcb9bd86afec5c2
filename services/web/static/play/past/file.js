/**
 * What was checked, as a file to check elsewhere: a match file (docs/match-file.md) for who sat from
 * the deal to the end or never, else what the feed said; `node verify.js` reads both.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {import("./gathering.js").Sat} Sat
 */
import { isEnd } from "./gathering.js";

/** @param {readonly Happened[]} messages one or more @param {Sat} sat @returns {string} JSON lines */
export function fileOf(messages, { seat, whole }) {
  const lines = whole ? [headerOf(messages, seat), ...messages.map((one) => lineOf(one, seat))] : messages;
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** @param {readonly Happened[]} messages @param {number | null} seat */
function headerOf(messages, seat) {
  const { event, head } = messages[messages.length - 1];
  return {
    format: "waraq-match@1",
    match: event.match,
    viewer: seat === null ? "public" : `seat:${seat}`,
    events: messages.length,
    head,
    over: isEnd(event.body),
    signed: null,
  };
}

/** @param {Happened} message @param {number | null} seat */
const lineOf = ({ event, head, cards }, seat) => (seat === null ? { event, head } : { event, head, cards });
