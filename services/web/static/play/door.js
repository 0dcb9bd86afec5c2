/**
 * What is asked by HTTP: who we are, a ticket where one is needed, matches to come back to.
 *
 * @typedef {{player: string, token: string, ends: number, nats: string}} Session
 * @typedef {import("../../../../docs/schema/waraq.js").MatchId} MatchId
 * @typedef {{day: string, left: number, again: number}} Left `again`: ms from which on there are new ones
 */
import { keep, kept } from "./kept.js";
import { GAMES } from "./wishes.js";

const KEPT = "session";
/** Milliseconds that an answer may take: the web worker itself waits 5 s at most for a database. */
const LONGEST = 12_000;

/** What a token looks like; what the browser keeps may be anything. */
const TOKEN = /^[\w.~+/=-]{1,4096}$/;
const SESSION = "/session";
/** The status of a token that is not good. */
const UNAUTHORIZED = 401;
let refused = () => {};

/** @param {() => void} hear is told when a token was refused that somebody had */
export const onRefused = (hear) => void (refused = hear);

/** What the web worker answered that was no success. */
export class Declined extends Error {
  /** @param {number} status @param {{error?: string}} body
   * @param {number} wait seconds after which it may be asked again; 0 if that was not said */
  constructor(status, { error = "fault" } = {}, wait = 0) {
    super(error);
    this.status = status;
    this.code = error;
    this.wait = wait;
  }
}

/** @param {string} method @param {string} path @param {string | null} token @param {unknown} body */
export async function ask(method, path, token = null, body = undefined) {
  const answer = await fetch(path, {
    method,
    signal: AbortSignal.timeout(LONGEST),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = await answer.json().catch(() => ({}));
  if (answer.status === UNAUTHORIZED && path !== SESSION) refused();
  if (!answer.ok) throw new Declined(answer.status, said, Number(answer.headers.get("retry-after")) || 0);
  return said;
}

/** One of the page's files of texts. @param {string} path @returns {Promise<Record<string, string>>} */
export async function read(path) {
  const texts = await ask("GET", `/static/${path}`);
  if (Object.keys(texts).length === 0) throw new Error(`${path} did not come whole`);
  return texts;
}

/** The session of this browser, renewed; a new guest if it has none that is good.
 * @returns {Promise<Session>} */
export async function enter() {
  const token = kept(KEPT) ?? "";
  const session = (TOKEN.test(token) && (await proved(token))) || (await ask("POST", SESSION));
  keep(KEPT, session.token);
  return session;
}

/** The same player's with a later end; a new guest's if it is not good any more. Another page of this
 * browser may have kept another's. @param {Session} session @returns {Promise<Session>} */
export async function renewed({ token }) {
  const fresh = await proved(token);
  if (!fresh) return enter();
  if (kept(KEPT) === token) keep(KEPT, fresh.token);
  return fresh;
}

/** @param {string} token @returns {Promise<Session | null>} */
async function proved(token) {
  try {
    return await ask("POST", SESSION, token);
  } catch (error) {
    if (error instanceof Declined && error.code === "refused") return null;
    throw error;
  }
}

/** By how many minutes our clock is ahead of UTC: the day is the player's own. */
const offsetNow = () => 0 - new Date().getTimezoneOffset();

/** The free matches that are left today; null where they are not counted, or not known now.
 * @param {Session} session @returns {Promise<Left | null>} */
export const leftToday = ({ token }) => ask("GET", `/ticket?offset=${offsetNow()}`, token).catch(() => null);

/** A ticket for that match; null where none is asked for.
 * @param {Session} session @param {MatchId} match @returns {Promise<string | null>} */
export async function ticketFor({ token }, match) {
  const offset = offsetNow();
  try {
    return (await ask("POST", "/ticket", token, { match, offset })).ticket;
  } catch (error) {
    if (error instanceof Declined && error.code === "no_tickets") return null;
    throw error;
  }
}

/** Matches of ours that go on, the newest first; none if they cannot be told now.
 * @param {Session} session
 * @returns {Promise<import("./lists/sources.js").Line[]>} */
export async function running({ token }) {
  const found = await ask("GET", "/matches?status=running&most=5", token).catch(() => null);
  const lines = /** @type {any[]} */ (found?.matches ?? []);
  return lines.filter((line) => GAMES.includes(line.game) && line.status === "playing");
}
