/** Lists: page after page, looked at again, left; and what is told of matches. */
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { leftToday } from "../../services/web/static/play/door.js";
import { Listing } from "../../services/web/static/play/lists/listing.js";
import { resultOf, scoreOf } from "../../services/web/static/play/results.js";
import { myMatches, openTables, player, standings } from "../../services/web/static/play/lists/sources.js";
import { whenWas } from "../../services/web/static/play/lists/times.js";

const ME = "u_anne0000";
const SESSION = { player: ME, token: "a.b", ends: 0, nats: "" };
const HOKM = { game: "hokm", target: 2, win: 1, kot: 2, hakem_kot: 3, show_five_before_trump: false };
const real = globalThis.fetch;
const settle = async () => {
  for (let at = 0; at < 20; at++) await new Promise((done) => setImmediate(done));
};
afterEach(() => (globalThis.fetch = real));

/** A server that answers by path; what it was asked. */
function server(answers) {
  const asked = [];
  globalThis.fetch = async (path, { headers }) => {
    asked.push(path);
    const [name, query = ""] = path.split("?");
    const body = answers[name]?.(new URLSearchParams(query), headers);
    return body === undefined ? Response.json({ error: "not_found" }, { status: 404 }) : Response.json(body);
  };
  return asked;
}

/** Tables 0, 1, 2 … `count`, in pages. */
const tablesOf = (count) => (query) => {
  const from = query.has("after") ? Number(query.get("after").slice(2)) + 1 : 0;
  const to = Math.min(from + Number(query.get("most")), count);
  return {
    tables: Array.from({ length: to - from }, (_, at) => ({ match: `m_${from + at}`, owner: `u_owner${(from + at) % 3}` })),
    more: to < count,
  };
};

/** A list that is looked at; its states. */
function looking(source) {
  const it = { states: [], met: [] };
  it.listing = new Listing(source, (players) => it.met.push(players), (state) => it.states.push(state));
  it.last = () => it.states.at(-1);
  return it;
}

test("a list is read page after page, and all of it when it is looked at again", async () => {
  const asked = server({ "/tables": tablesOf(45) });
  const it = looking({ ...openTables(), every: 0 });
  it.listing.again();
  await settle();
  assert.deepEqual([it.last().rows.length, it.last().more, it.last().busy], [20, true, false]);
  assert.deepEqual(it.met[0].slice(0, 3), ["u_owner0", "u_owner1", "u_owner2"]);
  it.listing.more();
  await settle();
  it.listing.more();
  await settle();
  assert.deepEqual([it.last().rows.length, it.last().more], [45, false]);
  const before = asked.length;
  it.listing.again();
  await settle();
  assert.equal(it.last().rows.length, 45);
  assert.equal(asked.slice(before).length, 3);
});

test("more is read after what is being read, and is not forgotten", async () => {
  server({ "/tables": tablesOf(30) });
  const it = looking({ ...openTables(), every: 0 });
  it.listing.again();
  await settle();
  it.listing.again();
  it.listing.more();
  await settle();
  assert.equal(it.last().rows.length, 30);
});

test("what has moved to the next page meanwhile is there once", async () => {
  const rows = [[{ player: "u_1" }, { player: "u_2" }], [{ player: "u_2" }, { player: "u_3" }]];
  server({});
  const it = looking({ page: async (after) => ({ rows: rows[after ? 1 : 0], more: !after }), key: (row) => row.player, players: () => [] });
  it.listing.again();
  await settle();
  it.listing.more();
  await settle();
  assert.deepEqual(it.last().rows.map((row) => row.player), ["u_1", "u_2", "u_3"]);
});

test("a list that cannot be read is told why and from when it is tried again; what was read stays", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const tables = tablesOf(3);
  let busy = false;
  server({ "/tables": (query) => (busy ? undefined : tables(query)) });
  const it = looking({ ...openTables(), every: 0 });
  it.listing.again();
  await settle();
  busy = true;
  it.listing.again();
  await settle();
  assert.deepEqual([it.last().failed.code, it.last().rows.length], ["not_found", 3]);
  busy = false;
  it.last().failed.again();
  await settle();
  assert.deepEqual([it.last().failed, it.last().rows.length], [null, 3]);
  mock.timers.reset();
});

test("open tables are looked at again while somebody looks, and not when they were left", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const asked = server({ "/tables": tablesOf(1) });
  const looks = () => asked.filter((path) => path.startsWith("/tables")).length;
  globalThis.document = { hidden: false };
  const it = looking(openTables());
  for (const [hidden, seen] of [[false, 1], [true, 1], [false, 2]]) {
    globalThis.document.hidden = hidden;
    mock.timers.tick(4_000);
    await settle();
    assert.equal(looks(), seen);
  }
  it.listing.leave();
  mock.timers.tick(40_000);
  await settle();
  assert.equal(looks(), 2);
  mock.timers.reset();
});

test("a list that could not be drawn once is read again all the same", async () => {
  const told = mock.method(console, "error", () => {});
  server({ "/tables": tablesOf(1) });
  let drawn = null;
  const draw = (state) => {
    if (drawn === null) throw new Error((drawn = "not drawn"));
    drawn = state;
  };
  const listing = new Listing({ ...openTables(), every: 0 }, () => {}, draw);
  listing.again();
  await settle();
  assert.deepEqual([drawn.rows.length, drawn.busy, told.mock.callCount()], [1, false, 1]);
  told.mock.restore();
});

test("a list that was left says nothing any more", async () => {
  server({ "/tables": tablesOf(1) });
  const it = looking({ ...openTables(), every: 0 });
  it.listing.again();
  it.listing.leave();
  const told = it.states.length;
  await settle();
  assert.equal(it.states.length, told);
});

test("standings have beside them how I stand and by what it is counted", async () => {
  const mine = { player: ME, xo: 10, rounds: 1, records: [] };
  server({
    "/standings": () => ({ standings: [{ player: "u_best0000", xo: 90, rounds: 9 }], more: false }),
    [`/players/${ME}`]: () => mine,
    "/terms": () => ({ xo_points: 10, rules: {} }),
  });
  const it = looking(standings(SESSION));
  it.listing.again();
  await settle();
  assert.deepEqual(it.last().beside, { mine, terms: { xo_points: 10, rules: {} } });
  assert.deepEqual(it.met, [[ME, "u_best0000"]]);
});

test("my matches are asked for with the session, a player and his name without", async () => {
  const tokens = [];
  server({
    "/matches": (query, { authorization }) => (tokens.push(authorization), { matches: [{ match: query.get("status") }], more: false }),
    "/players/u_some0000": () => ({ player: "u_some0000", xo: 0, rounds: 0, records: [] }),
  });
  const mine = looking(myMatches(SESSION));
  mine.listing.again();
  await settle();
  assert.deepEqual([mine.last().rows, mine.last().beside], [[{ match: "over" }], [{ match: "running" }]]);
  assert.deepEqual(tokens, ["Bearer a.b", "Bearer a.b"]);
  const other = looking(player("u_some0000"));
  other.listing.again();
  await settle();
  assert.deepEqual([other.last().rows.length, other.met], [1, [["u_some0000"]]]);
});

test("where no tickets are asked for nothing is said of free matches", async () => {
  server({ "/ticket": () => undefined });
  assert.equal(await leftToday(SESSION), null);
  server({ "/ticket": (query) => ({ day: "2026-11-30", left: query.has("offset") ? 3 : 0, again: 1 }) });
  assert.equal((await leftToday(SESSION)).left, 3);
});

const chairs = (...players) => players.map((one, seat) => ({ seat, player: one }));
const line = (more) => ({ game: "hokm", options: HOKM, status: "ended", score: [2, 1], winner: 0, seats: chairs("u_1", "u_2", ME, "u_3"), ...more });
const HAND = { game: "hand", options: { variant: "saudi" }, score: [30, 12, 51], winner: 1 };

test("H22 a match is mine by my side, or where each plays alone by my seat", () => {
  assert.equal(resultOf(line({}), ME), "won");
  assert.equal(resultOf(line({ winner: 1 }), ME), "lost");
  assert.equal(resultOf(line(HAND), ME), "lost");
  assert.equal(resultOf(line({ ...HAND, seats: chairs("u_1", ME, "u_2") }), ME), "won");
  assert.equal(resultOf(line({ ...HAND, options: { variant: "saudi_partnership" }, winner: 0 }), ME), "won");
});

test("what cannot be told of a match's end is not said", () => {
  assert.equal(resultOf(line({ seats: chairs("u_1", "u_2", null, "u_3") }), ME), "ended", "I left it");
  assert.equal(resultOf(line({ status: "abandoned", winner: null }), ME), "abandoned");
});

test("a score begins with mine", () => {
  assert.deepEqual(scoreOf(line({}), "u_2"), [1, 2]);
  assert.deepEqual(scoreOf(line(HAND), ME), [51, 30, 12]);
  assert.deepEqual(scoreOf(line({}), "u_nobody00"), [2, 1]);
  assert.deepEqual(scoreOf(line({ score: [] }), ME), []);
});

test("when it was is said in the language and its digits, long ago by its date", () => {
  const now = Date.UTC(2026, 10, 30, 12);
  const of = (language, past) => whenWas({ language }, now - past, now);
  assert.equal(of("en", 5_000), "now");
  assert.equal(of("en", -9_000), "now", "another's clock may be ahead");
  assert.equal(of("en", 61_000), "1 minute ago");
  assert.equal(of("fa", 3 * 3_600_000), "۳ ساعت پیش");
  assert.equal(of("ar", 26 * 3_600_000), "أمس");
  assert.match(of("fa", 30 * 86_400_000), /۱۴۰۵/);
  assert.match(of("en", 30 * 86_400_000), /2026/);
});
