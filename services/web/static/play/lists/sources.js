/**
 * What is read by HTTP of tables, matches and players: what scoring has counted, about a second behind
 * the tables (docs/standings.md).
 *
 * @typedef {import("../door.js").Session} Session
 * @typedef {{seat: number, filled_by: string, level: string | null, player: string | null}} Chair
 * @typedef {{match: string, game: string, status: "lobby" | "playing" | "ended" | "abandoned",
 *   owner: string, masked: boolean, options: any, seats: readonly Chair[], free: number, opened: number,
 *   started: number | null, ended: number | null, rounds: number, score: readonly number[],
 *   winner: number | null}} Line a table
 * @typedef {{player: string, xo: number, rounds: number}} Standing
 * @typedef {{rows: readonly any[], more: boolean}} Found
 * @typedef {{page: (after: string | null) => Promise<Found>, key: (row: any) => string,
 *   players: (found: any) => readonly string[], beside?: () => Promise<any>, every?: number}} Source
 *   `page`: the rows after that one. `players`: whose names are shown. `beside`: what is shown
 *   beside the rows. `every`: ms after which it is looked at again.
 */
import { ask } from "../door.js";

/** Rows of one page. */
const MOST = 20;
/** Milliseconds between two looks at the open tables. */
const OFTEN = 4_000;

/** @param {string} path @param {string | null} after */
const paged = (path, after) => `${path}${path.includes("?") ? "&" : "?"}most=${MOST}${after ? `&after=${after}` : ""}`;

/** @param {string} path @param {string} name @param {string | null} token
 * @returns {(after: string | null) => Promise<Found>} */
const pageOf = (path, name, token = null) => async (after) => {
  const { [name]: rows, more } = await ask("GET", paged(path, after), token);
  return { rows, more };
};

/** Tables that wait for somebody, the newest first. @returns {Source} */
export const openTables = () => ({
  page: pageOf("/tables", "tables"),
  key: (/** @type {Line} */ line) => line.match,
  players: ({ rows }) => rows.map((/** @type {Line} */ line) => line.owner),
  every: OFTEN,
});

/** The best, and beside them how I stand and by what it is counted.
 * @param {Session} session @returns {Source} */
export const standings = ({ player }) => ({
  page: pageOf("/standings", "standings"),
  key: (/** @type {Standing} */ row) => row.player,
  players: ({ rows }) => [player, ...rows.map((/** @type {Standing} */ row) => row.player)],
  beside: async () => {
    const [mine, terms] = await Promise.all([ask("GET", `/players/${player}`), ask("GET", "/terms")]);
    return { mine, terms };
  },
});

/** My own matches that are over, the newest first, and beside them those that go on.
 * @param {Session} session @returns {Source} */
export const myMatches = (session) => ({
  page: (after) => pageOf("/matches?status=over", "matches", session.token)(after),
  key: (/** @type {Line} */ line) => line.match,
  players: () => [],
  beside: async () => (await ask("GET", "/matches?status=running&most=50", session.token)).matches,
});

/** One player: his rows are his records, by game. @param {string} player @returns {Source} */
export const player = (player) => ({
  page: async () => ({ rows: [await ask("GET", `/players/${player}`)], more: false }),
  key: (row) => row.player,
  players: () => [player],
});

/** What is listed in each place. @type {Record<string, (session: Session, place: any) => Source>} */
export const SOURCES = {
  tables: openTables,
  standings,
  matches: myMatches,
  player: (_, place) => player(place.player),
};
