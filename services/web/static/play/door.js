/**
 * What is asked by HTTP: who we are, a ticket where one is needed, matches to come back to.
 *
 * @typedef {{player: string, token: string, ends: number, nats: string}} Session
 * @typedef {import("../../../../docs/schema/waraq.js").MatchId} MatchId
 */
import { shown } from "./games.js";

const KEPT = "waraq.session";

/** What the web worker answered that was no success. */
export class Declined extends Error {
  /** @param {number} status @param {{error?: string, again?: number}} body */
  constructor(status, { error = "fault", again } = {}) {
    super(error);
    this.status = status;
    this.code = error;
    this.again = again;
  }
}

/** @param {string} method @param {string} path @param {string | null} token @param {unknown} body */
export async function ask(method, path, token = null, body = undefined) {
  const answer = await fetch(path, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Declined(answer.status, said);
  return said;
}

/** The session of this browser, renewed; a new guest if it has none that is good.
 * @returns {Promise<Session>} */
export async function enter() {
  const kept = localStorage.getItem(KEPT);
  const session = (kept && (await renewed(kept))) || (await ask("POST", "/session"));
  localStorage.setItem(KEPT, session.token);
  return session;
}

/** @param {string} token @returns {Promise<Session | null>} */
async function renewed(token) {
  try {
    return await ask("POST", "/session", token);
  } catch (error) {
    if (error instanceof Declined && error.code === "refused") return null;
    throw error;
  }
}

/** A ticket for that match; null where none is asked for.
 * @param {Session} session @param {MatchId} match @returns {Promise<string | null>} */
export async function ticketFor({ token }, match) {
  const offset = -new Date().getTimezoneOffset();
  try {
    return (await ask("POST", "/ticket", token, { match, offset })).ticket;
  } catch (error) {
    if (error instanceof Declined && error.code === "no_tickets") return null;
    throw error;
  }
}

/** Matches of ours that go on, the newest first; none if they cannot be told now.
 * @param {Session} session
 * @returns {Promise<{match: MatchId, game: string, score: readonly number[]}[]>} */
export async function running({ token }) {
  const found = await ask("GET", "/matches?status=running&most=5", token).catch(() => null);
  const lines = /** @type {any[]} */ (found?.matches ?? []);
  return lines.filter((line) => shown(line) && line.status === "playing");
}
