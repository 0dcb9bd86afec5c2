/** A fold of events against snapshots: docs/clients.md, "The whole client". */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hear, nothing } from "../../services/web/static/play/match.js";

const MATCH = "m_00000000000000000000000000000001";
const VIEW = {
  game: "hokm",
  phase: "playing",
  round: 1,
  hakem: 3,
  trump: "D",
  turn: 0,
  trick: [{ seat: 3, card: "AH" }],
  earlier: [],
  tricks: [0, 0],
  score: [0, 0],
  left: [2, 2, 2, 1],
  seat: 0,
  hand: ["2H", "3D"],
  playable: ["2H"],
  winner: null,
};
const SITTING = [{ seat: 0, player: "u_anne0000", control: "owner", level: null }];
const snapshot = (version, more = {}) => ({
  type: "snapshot",
  match: MATCH,
  version,
  head: "",
  now: 1_000,
  move: 4,
  due: 26_000,
  sitting: SITTING,
  view: VIEW,
  ...more,
});
const event = (version, body, seat = null) => ({
  type: "event",
  event: { match: MATCH, version, time: 1, origin: "player", seat, body },
  head: "",
  cards: [],
  command: null,
});
const played = (version) => event(version, { type: "card_played", card: "2H" }, 0);
const known = (version) => hear(nothing(MATCH), snapshot(version), 50).known;

test("a snapshot replaces all, and its time is counted by our own clock", () => {
  const { known: now, news, ask } = hear(nothing(MATCH), snapshot(12), 50);
  assert.deepEqual([now.version, now.move, now.left, now.at], [12, 4, 25_000, 50]);
  assert.equal(news.body, null);
  assert.equal(ask, false);
});

test("the next event is applied, and the decision has no number until a snapshot has it", () => {
  const { known: now, news, ask } = hear(known(12), played(13), 60);
  assert.deepEqual([now.version, now.move, now.left], [13, null, null]);
  assert.deepEqual(now.view.hand, ["3D"]);
  assert.deepEqual(now.view.playable, []);
  assert.equal(news.body.card, "2H");
  assert.equal(ask, true);
});

test("an older event is dropped, and a gap asks", () => {
  const before = known(12);
  assert.deepEqual(hear(before, played(12), 60), { known: before, news: null, ask: false });
  assert.deepEqual(hear(before, played(14), 60), { known: before, news: null, ask: true });
});

test("an event that comes before any snapshot asks", () => {
  const before = nothing(MATCH);
  assert.deepEqual(hear(before, played(1), 60), { known: before, news: null, ask: true });
});

test("a snapshot of the past is dropped, and a later one wanted", () => {
  const before = known(12);
  const dropped = { ...before, older: 1 };
  assert.deepEqual(hear(before, snapshot(11), 60), { known: dropped, news: null, ask: true });
});

test("three snapshots of the past in a row are believed: the log was put back from a copy", () => {
  let { known: now } = hear(known(12), snapshot(7), 60);
  now = hear(now, snapshot(8), 61).known;
  assert.equal(now.version, 12);
  const { known: then, news, ask } = hear(now, snapshot(8), 62);
  assert.deepEqual([then.version, then.older, news.body, ask], [8, 0, null, false]);
  // What is not in a row is not believed: the table has what we have.
  now = hear(hear(hear(known(12), snapshot(7), 60).known, snapshot(7), 61).known, snapshot(12), 62).known;
  assert.equal(hear(now, snapshot(7), 63).known.version, 12);
});

test("who plays a seat is known from events too", () => {
  const late = event(13, { type: "control_changed", seat: 0, control: "house" }, 0);
  assert.equal(hear(known(12), late, 60).known.sitting[0].control, "house");
});

test("the end is known from its event, and nothing is asked after it", () => {
  const last = event(13, { type: "match_ended", winner: 1, totals: [0, 2], secret: "" });
  const { known: now, ask } = hear(known(12), last, 60);
  assert.deepEqual([now.over, now.view.winner, now.view.turn, ask], ["ended", 1, null, false]);
});

test("how a match ended is in its snapshot", () => {
  const closed = snapshot(2, { view: null, over: "expired", due: null });
  assert.equal(hear(nothing(MATCH), closed, 0).known.over, "expired");
});

test("a match of a game that this page does not know is not shown as another", () => {
  const baloot = snapshot(2, { view: { game: "baloot", hand: ["9H"] } });
  const { known: now } = hear(nothing(MATCH), baloot, 0);
  assert.deepEqual([now.view, now.over], [null, "other_game"]);
});

test("what is not known yet is let pass", () => {
  const before = known(12);
  const { known: now } = hear(before, event(13, { type: "something_new" }), 60);
  assert.deepEqual([now.version, now.view.hand], [13, VIEW.hand]);
  assert.equal(hear(before, { type: "something_new", match: MATCH }, 60).known, before);
});
