/**
 * A whole match as we were told it, from its history, page after page (docs/clients.md, "Catching
 * up"). Nothing is owed to who asks, so each page is asked for until it comes, a few times.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {import("../../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {import("../../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("../connection.js").Link} Link
 * @typedef {{messages: readonly Happened[], whole: boolean, fault: string | null}} Past
 *   `whole`: all that happened until it was asked is there. `fault`: why it is not, a refusal's code
 *   or `silent`.
 */
import { AGAIN, TRIES, refusesAsk } from "../asker.js";

/** Events of one match that are taken; no table writes more. */
const MOST_EVENTS = 50_000;
/** Milliseconds between two looks at what has no answer yet. */
const TICK = 500;

/** @param {Body} body */
export const isEnd = ({ type }) => type === "match_ended" || type === "match_abandoned";

/** @param {(since: number) => void} ask for a page @param {() => number} clock in ms */
export function gatherer(ask, clock) {
  /** @type {Past} */
  let past = { messages: [], whole: false, fault: null };
  let [tries, asked, waiting] = [0, 0, false];
  const last = () => past.messages.at(-1)?.event.version ?? 0;
  function again() {
    tries -= 1;
    asked = clock();
    waiting = true;
    ask(last());
  }
  function begin() {
    tries = TRIES;
    past = { ...past, whole: false, fault: null };
    again();
  }
  /** @param {string} fault */
  function end(fault) {
    waiting = false;
    past = { ...past, fault };
  }
  /** @param {readonly Happened[]} events @param {boolean} more */
  function add(events, more) {
    const fresh = events.filter(({ event }) => event.version > last());
    const fault = more && !fresh.length ? past.fault : null;
    past = { messages: [...past.messages, ...fresh], whole: past.whole || !more, fault };
    if (past.whole) waiting = false;
    else if (past.messages.length > MOST_EVENTS) end("fault");
    else if (fresh.length) begin();
  }
  return {
    past: () => past,
    /** Ask from the last one on, unless the match is over and all of it is here. */
    begin: () => (past.whole && over(past) ? undefined : begin()),
    /** @param {Feed} message @returns {boolean} is there something new? */
    hear(message) {
      const before = past;
      if (message.type === "history") add(message.events, message.more);
      else if (message.type === "event" && past.whole && message.event.version === last() + 1) add([message], false);
      else if (message.type === "refused" && refusesAsk(message) && waiting) end(message.code);
      return past !== before;
    },
    /** @returns {boolean} is there something new? */
    tick() {
      if (!waiting || clock() - asked < AGAIN) return false;
      if (tries > 0) again();
      else end("silent");
      return !waiting;
    },
  };
}

/** @param {Past} past */
export function over({ messages }) {
  const last = messages.at(-1);
  return last !== undefined && isEnd(last.event.body);
}

/** One who gathers as long as somebody is in a room of the past.
 * @param {string} match @param {Link} link @param {(past: Past) => void} told what is there now */
export function gathering(match, link, told) {
  const it = gatherer((since) => link.ask(match, "history", since), () => performance.now());
  const ticking = setInterval(() => it.tick() && told(it.past()), TICK);
  return {
    past: it.past,
    /** @param {Feed} message */
    take: (message) => void (it.hear(message) && told(it.past())),
    again() {
      it.begin();
      told(it.past());
    },
    leave: () => clearInterval(ticking),
  };
}

/** Where a player sat: `whole` if from the deal to the end, so that he was told each of its cards.
 * Who leaves a match that goes on has no other seat in it.
 * @typedef {{seat: number | null, whole: boolean}} Sat
 * @param {readonly Happened[]} messages @param {string} player @returns {Sat} */
export function satAt(messages, player) {
  /** @type {Sat} */
  let sat = { seat: null, whole: true };
  let started = false;
  for (const { event } of messages) {
    const { body } = event;
    if (body.type === "match_opened") sat = { ...sat, seat: ownSeat(body, player) };
    if (body.type === "match_started") started = true;
    if (body.type === "seat_taken" && body.player === player) sat = { seat: body.seat, whole: !started };
    if (body.type === "seat_left" && body.seat === sat.seat) sat = started ? { ...sat, whole: false } : { ...sat, seat: null };
  }
  return sat;
}

/** Who sat where last. @param {readonly Happened[]} messages
 * @returns {{seat: number, player: string}[]} */
export function playersIn(messages) {
  /** @type {Map<number, string>} */
  const players = new Map();
  for (const { event: { body } } of messages) {
    const own = body.type === "match_opened" ? ownSeat(body, body.owner) : null;
    if (body.type === "match_opened" && own !== null) players.set(own, body.owner);
    if (body.type === "seat_taken") players.set(body.seat, body.player);
  }
  return [...players].map(([seat, player]) => ({ seat, player }));
}

/** @param {import("../../../../../docs/schema/waraq.js").MatchOpened} body @param {string} player */
function ownSeat({ seats, owner }, player) {
  if (owner !== player) return null;
  return seats.find((one) => one.filled_by === "owner")?.seat ?? null;
}
