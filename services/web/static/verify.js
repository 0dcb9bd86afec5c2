/**
 * Checks a match of Waraq from what one seat was sent or from a match file: that no line was
 * changed, that every pack is the sealed one, that the cards were dealt from it.
 *
 * Written from docs/fair-deal.md alone, as a second implementation that shares nothing with the
 * service. One file without dependencies, for a page and for node 20.19 or newer:
 *
 *     import { verify } from "./verify.js";
 *     const { ok, firstBad, steps } = await verify(messages, { seat: 0, head });
 *
 *     node verify.js FILE [--seat N] [--head HASH]...
 *
 * SHA-256 and HMAC are the platform's WebCrypto, which a browser gives to a secure context only:
 * https, or localhost.
 *
 * @typedef {{match: string, version: number, time: number, origin: string, seat: number | null,
 *   body: Record<string, any>}} Event
 * @typedef {{event: Event, head: string, cards?: string[], pack?: string[] | null}} Message
 *   What a feed or a match file says of one event.
 * @typedef {{match: string, viewer: string, events: number, head: string, over: boolean,
 *   signed: {key: string, signature: string} | null}} Header
 * @typedef {{step: string, version: number, ok: boolean | null, detail: string}} Step
 *   One check. `ok` is null where it cannot be made, or not yet; `detail` says why. `version` is
 *   the event that it is about or, where it failed, the one that is wrong.
 * @typedef {{ok: boolean, whole: boolean, match: string, events: number, over: boolean,
 *   firstBad: Step | null, steps: Step[]}} Report
 *   `ok`: no check failed. `whole`: none was left open either.
 */

// Limits -----------------------------------------------------------------------------------------

/** Bytes of a file that the command line reads. */
export const LARGEST_FILE = 64 * 1024 * 1024;
/** Messages of one match, repeated ones included. */
export const MOST_MESSAGES = 100_000;

/** Unix milliseconds: the end of the year 9999. */
const LATEST = 253_402_300_799_999;

/** What was handed in cannot be read as a match. The message is for people. */
export class InputError extends Error {
  name = "InputError";
}

// Bytes ------------------------------------------------------------------------------------------

const ascii = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} bytes */
export const toHex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex an even number of digits */
export const fromHex = (hex) =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

function subtle() {
  const found = globalThis.crypto?.subtle;
  if (!found) {
    throw new InputError("no WebCrypto here: open the page by https or on localhost");
  }
  return found;
}

/** @param {Uint8Array} bytes */
export const sha256 = async (bytes) => new Uint8Array(await subtle().digest("SHA-256", bytes));

/**
 * @param {Uint8Array} key
 * @returns {Promise<(message: string) => Promise<Uint8Array>>} HMAC-SHA-256 under that key
 */
async function hmacOf(key) {
  const form = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle().importKey("raw", key, form, false, ["sign"]);
  return async (message) =>
    new Uint8Array(await subtle().sign("HMAC", imported, ascii(message)));
}

// The sealed shuffle; secrets and seeds are 64 hex digits ----------------------------------------

/** Step 1: the secret of a match under the operator's master key. */
export const matchSecret = async (masterKey, match) =>
  toHex(await (await hmacOf(fromHex(masterKey)))(match));

/** Steps 2 and 5: the seal of a secret or of a seed. */
export const sealOf = async (hex) => toHex(await sha256(fromHex(hex)));

/** Step 4: the seed of a round. `nonces` are in the order of their events. */
export const roundSeed = async (secret, match, round, nonces) =>
  toHex(await (await hmacOf(fromHex(secret)))(`${match}|${round}|${nonces.join("")}`));

/** Step 6: 32-bit words without end. */
export async function* words(seed, label) {
  const hmac = await hmacOf(fromHex(seed));
  for (let block = 0; ; block++) {
    const bits = new DataView((await hmac(`${label}:${block}`)).buffer);
    for (let at = 0; at < bits.byteLength; at += 4) yield bits.getUint32(at);
  }
}

/** Step 6: the next uniform number below `limit`; words that would favour some are skipped. */
export async function below(source, limit) {
  const fair = Math.floor(2 ** 32 / limit) * limit;
  for (;;) {
    const { value } = await source.next();
    if (value < fair) return value % limit;
  }
}

/** Step 7: `cards` in the order of the shuffle, place 0 first. */
export async function shuffled(seed, label, cards) {
  const source = words(seed, label);
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const other = await below(source, last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** Step 8: the seat drawn under the label of `seat_drawn`. */
export const seatDrawn = (seed, label, seats) => below(words(seed, `seat:${label}`), seats);

// Packs and deals --------------------------------------------------------------------------------

export const HOKM_PACK = [..."SHDC"].flatMap((suit) =>
  [..."23456789TJQKA"].map((rank) => rank + suit),
);
export const HAND_PACK = [
  ...["1", "2"].flatMap((copy) => HOKM_PACK.map((card) => card + copy)),
  "JK1",
  "JK2",
];

/** H8: the thirteen cards of each seat, in the order it gets them. */
export function hokmDeal(pack, hakem) {
  return [0, 1, 2, 3].map((seat) => {
    const i = (seat - hakem + 4) % 4;
    const packet = (start, size) => pack.slice(start + size * i, start + size * (i + 1));
    return [...packet(0, 5), ...packet(20, 4), ...packet(36, 4)];
  });
}

/** N4: the cards of each seat, and the stock from its front. */
export function handDeal(pack, dealer, seats) {
  const hands = Array.from({ length: seats }, (_, seat) => {
    const i = (seat - dealer - 1 + 2 * seats) % seats;
    return i === 0 ? pack.slice(0, 15) : pack.slice(1 + 14 * i, 15 + 14 * i);
  });
  return { hands, stock: pack.slice(1 + 14 * seats) };
}

// The chain of heads -----------------------------------------------------------------------------

export const NO_HEAD = "0".repeat(64);

/** The line of an event: the law of lines makes it the bytes that were stored and published. */
export const lineOf = (event) => JSON.stringify(event);

/** The head after `line`; `previous` is `NO_HEAD` before the first. */
export const nextHead = async (previous, line) => toHex(await sha256(ascii(previous + line)));

// Reading ----------------------------------------------------------------------------------------

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isHex = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isMatch = (value) => isText(value) && /^m_[0-9a-f]{32}$/.test(value);
const isSeat = (value) => [0, 1, 2, 3].includes(value);
const isLabel = (value) => isText(value) && /^[a-z_]{1,20}[0-9]?$/.test(value);
const isCard = (value) => isText(value) && /^([2-9TJQKA][SHDC][12]?|JK[12])$/.test(value);
const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
const isCards = listOf(isCard);
const isResult = (value) =>
  isObject(value) &&
  (value.game === "hokm"
    ? isSeat(value.hakem) && listOf(isCount)(value.tricks) && value.tricks.length === 2
    : value.game === "hand" && listOf(isCards)(value.left));

/** What the checks read of each body. */
const FORMS = new Map(
  Object.entries({
    match_opened: { ruleset: isText, options: isObject, seal: isHex, shuffle: isText },
    seat_taken: { seat: isSeat },
    nonce_added: { nonce: isHex },
    cards_shuffled: { round: isCount, label: isLabel, cards: isCount, seal: isHex },
    seat_drawn: { label: isLabel, seat: isSeat },
    hakem_drawn: { shown: isCards, hakem: isSeat },
    five_dealt: { round: isCount, hakem: isSeat },
    hand_dealt: { round: isCount, dealer: isSeat },
    card_played: { card: isCard },
    card_drawn: { stock: isCount },
    fire_taken: { card: isCard },
    melds_laid: { melds: listOf(isCards) },
    card_laid_off: { card: isCard },
    joker_swapped: { card: isCard, joker: isCard },
    card_discarded: { card: isCard },
    round_ended: { round: isCount, result: isResult },
    round_revealed: { round: isCount, seed: isHex, packs: listOf(isCards) },
    match_ended: { secret: isHex },
    match_abandoned: { secret: isHex },
    seat_left: {},
    match_started: {},
    trump_chosen: {},
    rest_dealt: {},
    trick_taken: { by: isSeat },
    round_scored: { round: isCount },
    turn_timed_out: {},
    control_changed: {},
  }),
);

const HEADER_FORM = {
  match: isMatch,
  viewer: (value) => isText(value) && /^(judge|public|seat:[0-3])$/.test(value),
  events: isCount,
  head: isHex,
  over: (value) => typeof value === "boolean",
  signed: (value) =>
    value === null || (isObject(value) && isText(value.key) && isText(value.signature)),
};
const MESSAGE_FORM = {
  head: isText,
  cards: (value) => value === undefined || listOf(isText)(value),
  pack: (value) => value === undefined || value === null || listOf(isText)(value),
};
const EVENT_FORM = {
  match: isMatch,
  version: (value) => isCount(value) && value > 0,
  seat: (value) => value === null || isSeat(value),
  body: (value) => isObject(value) && isText(value.type),
};
/** What a feed says besides events, and says nothing about the deal. */
const OTHER_TALK = new Set(["refused", "advice"]);

const own = (value, field) => (Object.hasOwn(value, field) ? value[field] : undefined);

/** The first field that is missing or not of its form, or undefined. */
const oddField = (form, value) =>
  Object.keys(form).find((field) => !form[field](own(value, field)));

/** Text of somebody else, short and harmless to print. */
const quoted = (text) => JSON.stringify(String(text).slice(0, 40)).replace(/[^ -~]/g, "?");

function need(form, value, where) {
  const odd = isObject(value) ? oddField(form, value) : "object";
  if (odd) throw new InputError(`${where}: no proper "${odd}"`);
  return value;
}

function parsed(text, where) {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${where} is not JSON`);
  }
}

/** @returns {{value: any, where: string}[]} */
function values(input) {
  if (isText(input)) {
    return input
      .split("\n")
      .map((text, at) => ({ text, where: `line ${at + 1}` }))
      .filter(({ text }) => text.trim() !== "")
      .map(({ text, where }) => ({ value: parsed(text, where), where }));
  }
  if (!Array.isArray(input)) throw new InputError("messages are a list, or lines of JSON");
  return input.map((value, at) => ({ value, where: `message ${at + 1}` }));
}

/**
 * The matches in the text of one or several match files, each as what `verify` takes. What one
 * feed said has no header and is one match.
 * @param {string} text
 * @returns {object[][]}
 */
export function split(text) {
  const parts = [];
  for (const { value } of values(text)) {
    if (parts.length === 0 || (isObject(value) && Object.hasOwn(value, "format"))) parts.push([]);
    parts.at(-1).push(value);
  }
  return parts;
}

/**
 * @returns {{header: Header | null, messages: Message[],
 *   seen: {version: number, head: string}[]}} `seen`: heads that snapshots named
 */
function read(input) {
  const found = { header: null, messages: [], seen: [] };
  for (const { value, where } of values(input)) {
    if (!isObject(value)) throw new InputError(`${where} is not a JSON object`);
    if (Object.hasOwn(value, "format")) readHeader(found, value, where);
    else readTalk(found, value, where);
  }
  if (found.messages.length === 0) throw new InputError("there is no event here");
  if (found.messages.length > MOST_MESSAGES) {
    throw new InputError(`more than ${MOST_MESSAGES} messages: not one match`);
  }
  return found;
}

function readHeader(found, value, where) {
  if (value.format !== "waraq-match@1") {
    throw new InputError(`${where}: the format is ${quoted(value.format)}, not "waraq-match@1"`);
  }
  if (found.header || found.messages.length) {
    throw new InputError(`${where}: a second match begins; check each by itself`);
  }
  found.header = need(HEADER_FORM, value, where);
}

function readTalk(found, value, where) {
  if (value.type === "history" && Array.isArray(value.events)) {
    for (const one of value.events) found.messages.push(readMessage(one, `${where}, its history`));
  } else if (value.type === "snapshot") {
    const { version, head } = need({ version: isCount, head: isHex }, value, where);
    found.seen.push({ version, head });
  } else if (!OTHER_TALK.has(value.type)) {
    found.messages.push(readMessage(value, where));
  }
}

function readMessage(value, where) {
  if (!isObject(value) || !isObject(value.event)) {
    throw new InputError(`${where} is no message of a feed and no line of a match file`);
  }
  need(MESSAGE_FORM, value, where);
  need(EVENT_FORM, value.event, `${where}, its event`);
  try {
    return { ...value, line: lineOf(value.event) };
  } catch {
    throw new InputError(`${where} is nested too deeply`);
  }
}

// The record: one message a version, each of the promised form -----------------------------------

/** Steps as they are made. */
function recorder() {
  const steps = [];
  const say = (step, version, ok, detail) => void steps.push({ step, version, ok, detail });
  return { steps, say };
}

/** One message a version, in order; says what is doubled with a difference, missing or foreign. */
function inOrder({ header, messages }, say) {
  const match = header?.match ?? messages[0].event.match;
  const byVersion = new Map();
  for (const message of messages) keep(byVersion, message, say);
  const record = [...byVersion.values()].sort((a, b) => a.event.version - b.event.version);
  const foreign = record.find(({ event }) => event.match !== match);
  const version = foreign?.event.version ?? record.at(-1).event.version;
  const detail = foreign ? `it is of ${foreign.event.match}, not of ${match}` : match;
  say("match", version, !foreign, detail);
  sayVersions(record, header, say);
  if (header) sayHeader(record, messages, header, say);
  return record;
}

function keep(byVersion, message, say) {
  const { version } = message.event;
  const had = byVersion.get(version);
  if (!had) {
    byVersion.set(version, message);
  } else if (had.line !== message.line || had.head !== message.head) {
    say("versions", version, false, "two different events have this version");
  } else if (!had.cards?.length) {
    byVersion.set(version, message);
  } else if (message.cards?.length && !same(had.cards, message.cards)) {
    say("versions", version, false, "this event came twice, with different cards");
  }
}

function sayVersions(record, header, say) {
  const last = Math.max(record.at(-1).event.version, header?.events ?? 0);
  const held = new Set(record.map(({ event }) => event.version));
  const missing = lowestMissing(held);
  if (missing > last) say("versions", last, true, `all of 1 to ${last} are here`);
  else say("versions", missing, false, "this event is missing; ask the table for its history");
}

function lowestMissing(held) {
  let version = 1;
  while (held.has(version)) version++;
  return version;
}

function sayHeader(record, messages, header, say) {
  const last = record.at(-1);
  const over = isEnd(last.event.body);
  const { length } = messages;
  const odd = [
    length !== header.events && `it says ${header.events} events, there are ${length}`,
    header.head !== last.head && "its head is not that of the last line",
    header.over !== over && `it says that the match is ${header.over ? "" : "not "}over`,
  ].find(Boolean);
  const version = Math.max(last.event.version, header.events);
  say("header", version, !odd, odd || "the file is as its first line says");
}

async function sayChain(record, say) {
  const heads = new Map();
  let [previous, before, bad] = [NO_HEAD, 0, null];
  for (const { event, line, head } of record) {
    const follows = event.version === before + 1;
    const computed = follows ? await nextHead(previous, line) : head;
    if (computed !== head) bad ??= event.version;
    heads.set(event.version, computed);
    [previous, before] = [computed, event.version];
  }
  const follow = "from the one before and its line";
  if (bad === null) say("chain", before, true, `every head follows ${follow}`);
  else say("chain", bad, false, `its head does not follow ${follow}`);
  return heads;
}

function saySeen(heads, seen, say) {
  const last = [...heads.keys()].at(-1);
  for (const { version, head } of seen) {
    const at = version ?? [...heads].find(([, one]) => one === head)?.[0] ?? last + 1;
    const ok = heads.get(at) === head;
    const past = ok || at <= last ? "" : ": events are missing at the end, or it is another log";
    const what = `the head ${head.slice(0, 8)}… that was seen`;
    say("head", at, ok, `${what} is ${ok ? "" : "not "}here${past}`);
  }
}

/** Ed25519, where the platform has it. Whose key it is, the reader must know. */
async function saySigned(header, say) {
  const { match, events, head, signed } = header;
  const text = `waraq-head@1|${match}|${events}|${head}`;
  const whose = `key ${quoted(signed.key.slice(0, 16))}…, to be compared with the operator's`;
  try {
    const key = await subtle().importKey("raw", fromHex(signed.key), "Ed25519", false, ["verify"]);
    const ok = await subtle().verify("Ed25519", key, fromHex(signed.signature), ascii(text));
    say("signed", events, ok, `the head is ${ok ? "" : "not "}signed with ${whose}`);
  } catch {
    say("signed", events, null, "the signature cannot be checked here");
  }
}

const KEYS = ["match", "version", "time", "origin", "seat", "body"];
const ORIGINS = ["player", "chance", "rule", "ops"];

/** The first line that breaks the law of lines. */
function sayLines(record, say) {
  for (const { event, line } of record) {
    const odd = oddLine(event, line);
    if (odd) return say("line", event.version, false, `its line breaks the law of lines: ${odd}`);
  }
  return say("line", record.at(-1).event.version, true, "every line is of the promised form");
}

function oddLine(event, line) {
  if (!same(Object.keys(event), KEYS)) return `its keys are not ${KEYS.join(", ")}`;
  if (!ORIGINS.includes(event.origin)) return `the origin ${quoted(event.origin)} is unknown`;
  if (!isCount(event.time) || event.time > LATEST) return "its time is none";
  return /^[ -\x7f]*$/.test(line) ? oddInside(event) : "it is not ASCII";
}

/** What breaks the law anywhere in an event. Without recursion: it may be deep. */
function oddInside(event) {
  const open = [event];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      return "a number is no integer below 2^53";
    }
    if (typeof value !== "object" || value === null) continue;
    if (isObject(value) && Object.keys(value).some((key) => /^[0-9]+$/.test(key))) {
      return "a key is made of digits";
    }
    for (const inner of Object.values(value)) open.push(inner);
  }
  return undefined;
}

/** The first field in the record that is not of its form; a type unknown here is only said. */
function sayForms(record, say) {
  for (const { event } of record) {
    const form = FORMS.get(event.body.type);
    const odd = form && oddField(form, event.body);
    if (odd) {
      say("form", event.version, false, `its ${event.body.type} has no proper "${odd}"`);
      return false;
    }
    if (!form) say("form", event.version, null, `${quoted(event.body.type)} is unknown here`);
  }
  return true;
}

// The course of a match: who shuffled, dealt, ended and revealed, and when -----------------------

const PLANS = { hokm: ["deal"], hand: ["deal", "stock1", "stock2", "stock3"] };
const planOf = (game, round) =>
  game === "hokm" && round === 1 ? ["ace_draw", "deal"] : PLANS[game];
const isEnd = (body) => body.type === "match_ended" || body.type === "match_abandoned";
const same = (some, others) =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** The game of an opening, or what is unknown about it. */
function gameOf({ ruleset, options, shuffle }) {
  const game = { "hokm@1": "hokm", "hand@1": "hand" }[ruleset];
  const seats = game === "hokm" ? 4 : options.seats;
  if (shuffle !== "waraq-shuffle@1") return { unknown: `the shuffle ${quoted(shuffle)}` };
  if (!game || options.game !== game) return { unknown: `the rules ${quoted(ruleset)}` };
  if (![2, 3, 4].includes(seats)) return { unknown: "a table of so many seats" };
  return { game, seats, showFive: options.show_five_before_trump === true };
}

const LOBBY = { nonce_added: "lobby", match_started: "started" };
const ENDING = {
  ended: { round_revealed: "revealed" },
  revealed: { round_scored: "scored" },
  scored: { cards_shuffled: "shuffled", match_ended: "over" },
  over: {},
};
/** What may come in each phase of a match, and the phase after it. */
const PHASES = {
  hokm: {
    lobby: LOBBY,
    started: { cards_shuffled: "ace_draw" },
    ace_draw: { seat_drawn: "drawn" },
    drawn: { hakem_drawn: "shown" },
    shown: { cards_shuffled: "shuffled" },
    shuffled: { five_dealt: "five" },
    five: { trump_chosen: "named" },
    named: { rest_dealt: "lead" },
    lead: { card_played: "second", round_ended: "ended" },
    second: { card_played: "third" },
    third: { card_played: "fourth" },
    fourth: { card_played: "trick" },
    trick: { trick_taken: "lead" },
    ...ENDING,
  },
  hand: {
    lobby: LOBBY,
    started: { cards_shuffled: "first" },
    first: { seat_drawn: "shuffled" },
    shuffled: { hand_dealt: "discard" },
    discard: { card_discarded: "draw" },
    draw: { card_drawn: "act", fire_taken: "act", cards_shuffled: "draw", round_ended: "ended" },
    act: {
      melds_laid: "act",
      card_laid_off: "act",
      joker_swapped: "act",
      card_discarded: "draw",
      round_ended: "ended",
    },
    ...ENDING,
  },
};
/** What may come between any two others, but where the phase is one of `CLOSED`. */
const AROUND = new Set(["seat_taken", "seat_left", "turn_timed_out", "control_changed"]);
const CLOSED = new Set(["ended", "over"]);

/** The phase after an event, or undefined if it may not come now. */
function phaseAfter({ game, phase }, { type }) {
  const next = PHASES[game][phase];
  if (Object.hasOwn(next, type)) return next[type];
  if (CLOSED.has(phase)) return undefined;
  if (type === "match_abandoned") return "over";
  return AROUND.has(type) || !FORMS.has(type) ? phase : undefined;
}

/**
 * What happened after the opening, sorted by round. `faults` are what may not happen where it
 * stands: nothing else is read of that, so that a round is made of what belongs into one.
 * `from` of a shuffle are the cards that it started from, `fire` is the fire pile; `strays` are
 * events with cards that they cannot have brought.
 */
function survey(record, match) {
  const nothing = { phase: "lobby", end: null, nonces: [], rounds: [], fire: [] };
  const course = { ...match, ...nothing, faults: [], strays: [] };
  for (const message of record.slice(1)) {
    const { version, body } = message.event;
    const fault = happen(course, message);
    if (fault) course.faults.push({ version, detail: fault });
    if (isEnd(body)) course.end ??= message.event;
  }
  return course;
}

/** @returns {string | undefined} why it may not happen now: then it did not */
function happen(course, message) {
  const { type } = message.event.body;
  const phase = phaseAfter(course, message.event.body);
  if (!phase) return `${type} may not come here`;
  const fault = COURSE[type]?.(course, message);
  if (fault) return fault;
  course.phase = phase;
  course.rounds.at(-1)?.messages.push(message);
  if (message.cards?.length && !mayBring(course, message.event)) course.strays.push(message);
  return undefined;
}

/** What each event does in its phase, or why it may not be as it is: a text. */
const COURSE = {
  __proto__: null,
  nonce_added(course, { event }) {
    course.nonces.push(event.body.nonce);
  },
  cards_shuffled(course, { event, pack = null }) {
    const { version, body } = event;
    const round = roundOf(course);
    if (body.round !== round.number) return `this is round ${round.number}, not ${body.round}`;
    const due = planOf(course.game, round.number)[round.shuffles.length];
    if (body.label !== due) return `the shuffle ${body.label} is not the one that is due`;
    const from = shuffledFrom(course, body.label);
    const { length } = from;
    if (length !== body.cards) return `${length} cards are shuffled here, not ${body.cards}`;
    if (body.label.startsWith("stock")) course.fire = course.fire.slice(-1);
    if (round.shuffles.length === 0) course.rounds.push(round);
    round.shuffles.push({ ...body, version, from, pack });
    return undefined;
  },
  seat_drawn(course, { event }) {
    const label = course.game === "hokm" ? "ace_draw" : "first_dealer";
    if (event.body.label !== label) return "no seat is drawn for that here";
    course.rounds.at(-1).drawn = event;
    return undefined;
  },
  hakem_drawn(course, { event }) {
    course.rounds.at(-1).shown = event;
  },
  five_dealt: dealt,
  hand_dealt: dealt,
  card_discarded(course, { event }) {
    course.fire.push(event.body.card);
  },
  fire_taken(course) {
    course.fire.pop();
  },
  trick_taken(course, { event }) {
    course.rounds.at(-1).tricks[event.body.by % 2]++;
  },
  round_ended(course, { event }) {
    const { game, tricks } = event.body.result;
    if (game !== course.game) return "it is the end of a round of another game";
    const taken = course.rounds.at(-1).tricks;
    const told = game === "hand" || same(tricks, taken);
    if (!told) return `the tricks that were taken are ${taken.join(":")}`;
    return inRound(course, event, "ended");
  },
  round_revealed: (course, { event }) => inRound(course, event, "revealed"),
  round_scored: (course, { event }) => inRound(course, event, "scored"),
};

/** Notes the event in its round, under that name. */
function inRound(course, event, name) {
  const round = course.rounds.at(-1);
  if (event.body.round !== round.number) return `this is round ${round.number}`;
  round[name] = event;
  return undefined;
}

function dealt(course, { event }) {
  course.fire = [];
  return inRound(course, event, "deal");
}

/** The round that a shuffle belongs to: the one that goes on, or the next, which is new. */
function roundOf({ phase, rounds }) {
  const before = rounds.at(-1) ?? null;
  if (phase !== "started" && phase !== "scored") return before;
  const nothing = { drawn: null, shown: null, deal: null, ended: null, revealed: null };
  const number = (before?.number ?? 0) + 1;
  return { number, before, shuffles: [], messages: [], tricks: [0, 0], ...nothing };
}

/** The cards that a shuffle starts from; a reshuffle leaves the top of the fire. */
function shuffledFrom({ game, fire }, label) {
  if (label.startsWith("stock")) return fire.slice(0, -1);
  return game === "hokm" ? HOKM_PACK : HAND_PACK;
}

const HIS = (match, event) => event.seat === match.seat;
/** Which events bring a seat cards of its own, and whom. */
const BRINGS = {
  __proto__: null,
  five_dealt: ({ showFive, seat }, { body }) => showFive || body.hakem === seat,
  trump_chosen: ({ showFive, seat, rounds }) =>
    !showFive && rounds.at(-1).deal.body.hakem !== seat,
  rest_dealt: () => true,
  hand_dealt: () => true,
  card_drawn: HIS,
  fire_taken: HIS,
  joker_swapped: HIS,
  seat_taken: ({ seat, rounds }, { body }) => body.seat === seat && Boolean(rounds.at(-1)?.deal),
};

/** Whether it may have brought cards to the seat whose cards are told, if that was said. */
const mayBring = (course, event) =>
  course.seat === null || Boolean(BRINGS[event.body.type]?.(course, event));

// Seals, packs and draws of a round --------------------------------------------------------------

/**
 * The seed of a round: the revealed one or, where a match was abandoned, the one that follows from
 * the secret. `secret` is null where it is not known or not the sealed one.
 */
async function seedOf(course, round, secret) {
  if (round.revealed) return round.revealed.body.seed;
  return secret === null ? null : roundSeed(secret, course.match, round.number, course.nonces);
}

async function judgeRound(course, round, secret, seat, say) {
  const seed = await seedOf(course, round, secret);
  const name = `round ${round.number}`;
  if (seed === null) {
    const { version } = round.messages[0].event;
    const unknown = "its seed, its packs and the cards from them cannot be checked";
    say("reveal", version, null, `${name} is not revealed yet: ${unknown}`);
    return;
  }
  const sealed = await saySeals(round, seed, say);
  if (round.revealed && secret !== null) await saySeed(course, round, secret, say);
  if (sealed) await judgeSealed(course, round, seed, seat, say);
  else say("pack", round.revealed?.version ?? 1, null, `${name}: no sealed seed to compare with`);
}

async function judgeSealed(course, round, seed, seat, say) {
  const packs = await sayPacks(round, seed, say);
  await sayDrawn(course, round, seed, packs, say);
  sayDealer(course, round, say);
  if (round.deal) sayTable(course, round, packs, seat, say);
}

async function saySeed(course, round, secret, say) {
  const { version, body } = round.revealed;
  const ok = (await roundSeed(secret, course.match, round.number, course.nonces)) === body.seed;
  const what = `the seed of round ${round.number} ${ok ? "comes" : "does not come"}`;
  say("seed", version, ok, `${what} from secret and nonces`);
}

async function saySeals(round, seed, say) {
  const seal = await sealOf(seed);
  for (const shuffle of round.shuffles) {
    const ok = shuffle.seal === seal;
    const what = `the seed of round ${round.number} is ${ok ? "" : "not "}the one that was sealed`;
    const version = ok || !round.revealed ? shuffle.version : round.revealed.version;
    say("seal", version, ok, `${what} with ${shuffle.label}`);
  }
  return round.shuffles.every((shuffle) => shuffle.seal === seal);
}

/** @returns {Promise<Map<string, string[]>>} the packs that the seed gives, by label */
async function sayPacks(round, seed, say) {
  const packs = new Map();
  for (const { label, from } of round.shuffles) packs.set(label, await shuffled(seed, label, from));
  const revealed = round.revealed?.body.packs;
  round.shuffles.forEach(({ label, version, pack }, at) => {
    const order = packs.get(label);
    if (revealed) sayPack(order, revealed[at] ?? [], round.revealed.version, label, say);
    if (pack) sayPack(order, pack, version, label, say);
  });
  if (revealed && revealed.length > round.shuffles.length) {
    say("pack", round.revealed.version, false, "more packs are revealed than were shuffled");
  }
  return packs;
}

function sayPack(order, claimed, version, label, say) {
  const ok = same(order, claimed);
  say("pack", version, ok, `the pack ${label} is ${ok ? "" : "not "}the shuffle of its seed`);
}

async function sayDrawn(course, round, seed, packs, say) {
  if (!round.drawn) return;
  const { version, body } = round.drawn;
  const drawn = await seatDrawn(seed, body.label, course.seats);
  sayOne("seat", version, `seat that the seed draws for ${body.label}`, drawn, body.seat, say);
  const pack = packs.get("ace_draw");
  if (round.shown && pack) sayShown(round.shown, pack, drawn, say);
}

/** H5, H6: the cards up to the first ace, and who got it. */
function sayShown({ version, body }, pack, drawn, say) {
  const shown = pack.slice(0, pack.findIndex((card) => card.startsWith("A")) + 1);
  const hakem = (drawn + shown.length - 1) % 4;
  if (same(shown, body.shown)) {
    sayOne("shown", version, "seat that gets the first ace", hakem, body.hakem, say);
  } else say("shown", version, false, "the cards shown are not those of the pack ace_draw");
}

/** Who deals is no free choice: H5, H18, N4. */
function sayDealer(course, round, say) {
  if (!round.deal) return;
  const { version, body } = round.deal;
  const due = course.game === "hokm" ? hakemDue(round) : dealerDue(round, course.seats);
  const said = course.game === "hokm" ? body.hakem : body.dealer;
  const who = course.game === "hokm" ? "hakem" : "dealer";
  sayOne("dealer", version, `${who} of round ${round.number}`, due, said, say);
}

/** Of a seat that follows from what is known. */
function sayOne(step, version, what, due, said, say) {
  const right = due === undefined ? "nobody" : `seat ${due}`;
  const instead = due === said ? "" : `, not seat ${said}`;
  say(step, version, due === said, `the ${what} is ${right}${instead}`);
}

function hakemDue({ shown, before }) {
  if (!before) return shown?.body.hakem;
  const { hakem } = before.deal.body;
  const { tricks } = before.ended.body.result;
  return tricks?.[hakem % 2] === 7 ? hakem : (hakem + 1) % 4;
}

const dealerDue = ({ drawn, before }, seats) =>
  before ? (before.deal.body.dealer + 1) % seats : drawn?.body.seat;

// The table: whose each card is, by the packs alone ----------------------------------------------

/** Follows the cards of a round: no card is played that was not dealt, and none is told wrongly. */
function sayTable(course, round, packs, seat, say) {
  const table = { ...course, packs, hands: [], stock: [], fire: [], laid: new Set(), open: false };
  const told = { due: new Set(), got: new Set(), fault: null };
  const played = round.messages.find((message) => {
    const before = inSight(table, seat);
    table.fault = null;
    TABLE[message.event.body.type]?.(table, message.event);
    if (!table.fault) compare(told, message, before, inSight(table, seat), seat);
    return table.fault;
  });
  const { number, deal } = round;
  const last = round.messages.at(-1).event.version;
  const fine = `round ${number}: every card that was played was its seat's by the packs`;
  say("play", played?.event.version ?? last, !played, played ? table.fault : fine);
  if (seat !== null) sayTold(course, told, number, deal.version, say);
}

function sayTold({ wholeRecord }, { due, got, fault }, number, version, say) {
  const all = `round ${number}: all ${got.size} cards of this seat are those of the packs`;
  const some = `round ${number}: ${got.size} of ${due.size} cards of this seat were told here`;
  if (fault) say("cards", fault.version, false, fault.detail);
  else if (due.size === got.size) say("cards", version, true, all);
  else say("cards", version, wholeRecord ? false : null, `${some}, all of them right`);
}

/** The cards that an event brought, against those that it must have brought. */
function compare(told, { event, cards = [] }, before, after, seat) {
  const { type } = event.body;
  const fresh = type === "five_dealt" || type === "hand_dealt";
  const came = fresh ? after : after.filter((card) => !before.includes(card));
  for (const card of came) told.due.add(card);
  for (const card of cards) told.got.add(card);
  const sat = type === "seat_taken" && event.body.seat === seat;
  if (cards.length && !same(cards, sat ? after : came)) {
    const right = list(sat ? after : came);
    const detail = `it brought seat ${seat} ${list(cards)}; by the packs ${right}`;
    told.fault ??= { version: event.version, detail };
  }
}

const list = (cards) => (cards.every(isCard) ? cards.join(" ") : "what is no card") || "nothing";

/** The cards of its own that a seat sees: before trump is named, often none (H10). */
function inSight({ hands, open, hakem }, seat) {
  return seat !== null && (open || seat === hakem) ? [...(hands[seat] ?? [])] : [];
}

const TABLE = {
  __proto__: null,
  five_dealt(table, { body }) {
    table.dealt = hokmDeal(table.packs.get("deal"), body.hakem);
    table.hands = table.dealt.map((cards) => cards.slice(0, 5));
    table.hakem = body.hakem;
    table.open = table.showFive;
  },
  trump_chosen(table) {
    table.open = true;
  },
  rest_dealt(table) {
    table.hands = table.dealt.map((cards) => [...cards]);
  },
  card_played(table, { seat, body }) {
    give(table, seat, [body.card]);
  },
  hand_dealt(table, { body }) {
    Object.assign(table, handDeal(table.packs.get("deal"), body.dealer, table.seats));
    table.open = true;
  },
  cards_shuffled(table, { body }) {
    if (!body.label.startsWith("stock")) return;
    table.stock = [...table.packs.get(body.label)];
    table.fire = table.fire.slice(-1);
  },
  card_drawn(table, { seat, body }) {
    get(table, seat, table.stock.shift());
    const { length } = table.stock;
    if (length !== body.stock) table.fault ??= `${length} cards were left in the stock`;
  },
  fire_taken(table, { seat, body }) {
    if (table.fire.pop() !== body.card) table.fault = `${body.card} was not the top of the fire`;
    else get(table, seat, body.card);
  },
  melds_laid(table, { seat, body }) {
    lay(table, seat, body.melds.flat());
  },
  card_laid_off(table, { seat, body }) {
    lay(table, seat, [body.card]);
  },
  joker_swapped(table, { seat, body }) {
    lay(table, seat, [body.card]);
    if (table.laid.delete(body.joker)) get(table, seat, body.joker);
    else table.fault ??= `${body.joker} was not on the table`;
  },
  card_discarded(table, { seat, body }) {
    give(table, seat, [body.card]);
    table.fire.push(body.card);
  },
  round_ended(table, { body }) {
    if (table.game === "hokm") return;
    const { left } = body.result;
    const { hands } = table;
    const ok = left.length === hands.length && left.every((cards, at) => same(cards, hands[at]));
    if (!ok) table.fault = "the cards that were left are not those by the packs";
  },
};

function give(table, seat, cards) {
  const hand = table.hands[seat] ?? [];
  for (const card of cards) {
    const at = hand.indexOf(card);
    if (at < 0) table.fault ??= `seat ${seat} did not hold ${card} by the packs`;
    else hand.splice(at, 1);
  }
}

function get(table, seat, card) {
  if (card === undefined) table.fault = "there was nothing to draw";
  else if (!table.hands[seat]) table.fault = `there is no seat ${seat}`;
  else table.hands[seat].push(card);
}

function lay(table, seat, cards) {
  give(table, seat, cards);
  for (const card of cards) table.laid.add(card);
}

// The whole --------------------------------------------------------------------------------------

/**
 * Checks one match.
 * @param {string | object[]} input messages of one feed in any order, repeated or not, or the lines
 *   of one match file; as objects or as text
 * @param {{seat?: number | null, head?: string | string[] | null}} [options] `seat`: whose `cards`
 *   are told (a file says it itself); `head`: heads that were seen elsewhere and must be here
 * @returns {Promise<Report>}
 * @throws {InputError} what was handed in cannot be read
 */
export async function verify(input, options = {}) {
  const asked = readOptions(options);
  const { steps, say } = recorder();
  const found = read(input);
  const record = inOrder(found, say);
  const heads = await sayChain(record, say);
  saySeen(heads, [...found.seen, ...asked.heads], say);
  if (found.header?.signed) await saySigned(found.header, say);
  sayLines(record, say);
  if (sayForms(record, say)) await sayMatch(record, found, asked, say);
  return report(record, steps);
}

function readOptions({ seat = null, head = null }) {
  if (seat !== null && !isSeat(seat)) throw new InputError("a seat is 0, 1, 2 or 3");
  const heads = [head ?? []].flat();
  if (!heads.every(isHex)) throw new InputError("a head is 64 hex digits");
  return { seat, heads: heads.map((one) => ({ version: null, head: one })) };
}

async function sayMatch(record, { header }, asked, say) {
  const { version, body, match } = record[0].event;
  if (version !== 1 || body.type !== "match_opened") {
    const ok = version === 1 ? false : null;
    say("opened", version, ok, "without its opening the match cannot be checked");
    return;
  }
  const opened = gameOf(body);
  if (opened.unknown) {
    say("opened", version, null, `${opened.unknown} is unknown here: a newer program is needed`);
    return;
  }
  const seat = seatOf(header, asked.seat);
  const wholeRecord = seat !== null && header !== null;
  const course = survey(record, { ...opened, match, seat, wholeRecord });
  sayCourse(course, record, say);
  const secret = await saySecret(course, body.seal, record, say);
  for (const round of course.rounds) await judgeRound(course, round, secret, seat, say);
  sayWhose(record, seat, say);
}

/** Whose cards are told: a file says it itself. */
function seatOf(header, asked) {
  if (!header) return asked;
  const said = header.viewer.startsWith("seat:") ? Number(header.viewer.at(-1)) : null;
  if (asked === null || asked === said) return said;
  throw new InputError(`the file is for ${header.viewer}, not for seat ${asked}`);
}

function sayCourse({ faults, strays, nonces, seat }, record, say) {
  sayOrder(faults, record, say);
  const few = "no nonce was added: all seeds come from the operator's secret alone";
  say("nonces", 1, true, nonces.length ? `${nonces.length} nonces are in every seed` : few);
  const [stray] = strays;
  if (!stray) return;
  const { event, cards } = stray;
  const { type } = event.body;
  say("cards", event.version, false, `${type} brings seat ${seat} no card, not ${list(cards)}`);
}

/** The first event that may not be where it is; the others often follow from it. */
function sayOrder([first, ...others], record, say) {
  const fine = "everything comes when it may";
  const more = others.length ? `; nor may ${others.length} of the events after it` : "";
  if (first) say("order", first.version, false, first.detail + more);
  else say("order", record.at(-1).event.version, true, fine);
}

/** @returns {Promise<string | null>} the secret, if it is the sealed one */
async function saySecret({ end }, seal, record, say) {
  if (!end) {
    const { version } = record.at(-1).event;
    say("secret", version, null, "the match is not over: its secret is not known yet");
    return null;
  }
  const { secret } = end.body;
  const ok = (await sealOf(secret)) === seal;
  const what = `the secret is ${ok ? "" : "not "}the one that was sealed at the opening`;
  say("secret", end.version, ok, what);
  return ok ? secret : null;
}

function sayWhose(record, seat, say) {
  const told = record.find(({ cards }) => cards?.length);
  if (seat !== null || !told) return;
  say("cards", told.event.version, null, "say whose cards these are (a seat) to have them checked");
}

function report(record, steps) {
  const bad = steps.filter(({ ok }) => ok === false);
  const earlier = (one, other) => (other.version < one.version ? other : one);
  return {
    ok: bad.length === 0,
    whole: steps.every(({ ok }) => ok === true),
    match: record[0].event.match,
    events: record.length,
    over: isEnd(record.at(-1).event.body),
    firstBad: bad.length ? bad.reduce(earlier) : null,
    steps,
  };
}

// The command line -------------------------------------------------------------------------------

const USAGE = `usage: node verify.js FILE [--seat N] [--head HASH]...

FILE holds what a feed said or match files, one JSON object a line; - is the standard input.
Exit codes: 0 nothing is wrong, 1 the output cannot be written, 2 usage or unreadable input,
4 a check found a difference.
`;

/** Where nobody reads on (`| head`) the exit code still tells what was found. */
function heedOutput(process) {
  const failed = ({ code }) => {
    if (code === "EPIPE") return;
    process.stderr.write(`the output cannot be written: ${code}\n`);
    process.exit(1);
  };
  process.stdout.on("error", failed);
  process.stderr.on("error", failed);
}

/** @param {typeof globalThis.process} process */
async function main(process) {
  heedOutput(process);
  try {
    const { file, options } = await readArguments(process.argv.slice(2));
    const parts = split(await textOf(file, process));
    if (parts.length === 0) throw new InputError("there is nothing to read");
    let wrong = false;
    for (const part of parts) wrong = !print(await verify(part, options), process) || wrong;
    return wrong ? 4 : 0;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

async function readArguments(words) {
  const { parseArgs } = await import("node:util");
  const known = { seat: { type: "string" }, head: { type: "string", multiple: true } };
  const asked = (() => {
    try {
      return parseArgs({ args: words, options: known, allowPositionals: true });
    } catch {
      throw new InputError(USAGE);
    }
  })();
  if (asked.positionals.length !== 1) throw new InputError(USAGE);
  const { seat, head } = asked.values;
  const number = seat === undefined ? null : /^[0-3]$/.test(seat) ? Number(seat) : Number.NaN;
  return { file: asked.positionals[0], options: { seat: number, head } };
}

async function textOf(file, process) {
  const { createReadStream } = await import("node:fs");
  const chunks = [];
  let size = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      size += chunk.length;
      if (size > LARGEST_FILE) throw new InputError(`there are more than ${LARGEST_FILE} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${quoted(file)} cannot be read`);
  }
  return decoded(chunks);
}

async function decoded(chunks) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(chunks).arrayBuffer());
  } catch {
    throw new InputError("the input is not UTF-8 text");
  }
}

/** @returns {boolean} whether nothing is wrong */
function print({ ok, match, events, firstBad, steps }, process) {
  const marks = new Map([[true, "ok"], [false, "wrong"], [null, "open"]]);
  for (const step of steps) {
    process.stdout.write(`${marks.get(step.ok)}\t${step.version}\t${step.step}\t${step.detail}\n`);
  }
  const open = steps.filter((step) => step.ok === null).length;
  const sum = firstBad
    ? `first wrong is version ${firstBad.version}: ${firstBad.detail}`
    : `nothing is wrong${open ? `; open checks: ${open}` : ""}`;
  process.stderr.write(`${match}, ${events} events: ${sum}\n`);
  return ok;
}

/** True if node was started with this very file. */
async function isMain(process) {
  const { existsSync, realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  const [, file] = process.argv;
  if (!file || !existsSync(file)) return false;
  return pathToFileURL(realpathSync(file)).href === import.meta.url;
}

if (globalThis.process?.versions?.node && (await isMain(globalThis.process))) {
  globalThis.process.exitCode = await main(globalThis.process);
}
