/** Us at a match: a move shown at once and confirmed or taken back, what is asked and what is not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGAIN, SILENCE } from "../../services/web/static/play/asker.js";
import { whyNot } from "../../services/web/static/play/hokm.js";
import { mayAct, seen } from "../../services/web/static/play/sitting.js";
import { titleOf } from "../../services/web/static/play/title.js";
import { MATCH, ME, atTable, event, refused, settle } from "./at_table.mjs";

const VIEW = {
  game: "hokm",
  phase: "playing",
  hakem: 3,
  trump: "D",
  turn: 0,
  trick: [{ seat: 3, card: "AH" }],
  earlier: [],
  left: [2, 2, 2, 1],
  seat: 0,
  hand: ["2H", "3D"],
  playable: ["2H"],
};
const chair = (control) => [{ seat: 0, player: ME, control, level: null }];
const snapshot = (version, move, more = {}) => ({
  type: "snapshot",
  match: MATCH,
  version,
  head: "",
  now: 0,
  move,
  due: 25_000,
  sitting: chair("owner"),
  view: VIEW,
  ...more,
});
/** A card of Hokm is touched. */
const touch = (it, card) =>
  it.sitting.attempt({ type: "play_card", card }, whyNot(it.state.scene.view, card));

test("a card that is touched lies on the table at once, and its event confirms it", atTable(async (it) => {
  it.sitting.take(snapshot(12, 4));
  touch(it, "2H");
  assert.deepEqual(seen(it.state).hand, ["3D"]);
  assert.deepEqual(it.state.scene.view.hand, ["2H", "3D"], "it is foreseen, not known");
  assert.deepEqual([it.said[0].move, it.said[0].action], [4, { type: "play_card", card: "2H" }]);
  it.sitting.take(event(13, { type: "card_played", card: "2H" }, it.said[0].id));
  assert.equal(it.state.pending, null);
  assert.deepEqual(it.state.scene.view.hand, ["3D"]);
}));

test("a refusal takes it back and says why; the stand is asked", atTable(async (it) => {
  it.sitting.take(snapshot(12, 4));
  touch(it, "2H");
  const command = it.said[0].id;
  it.sitting.take(refused("stale_move", command));
  await settle();
  assert.deepEqual(seen(it.state).hand, ["2H", "3D"]);
  assert.deepEqual([it.state.no, it.state.pending, it.asked], ["stale_move", null, ["snapshot"]]);
}));

test("a snapshot that was on its way when the card was played does not take it back", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  touch(it, "2H");
  it.sitting.take(snapshot(12, 4));
  assert.deepEqual(seen(it.state).hand, ["3D"]);
  it.sitting.take(snapshot(14, 6, { view: { ...VIEW, hand: ["3D"], turn: 1 } }));
  assert.equal(it.state.pending, null);
}));

test("what has no answer is said again, the same; and after it nothing more", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  touch(it, "2H");
  it.pass(AGAIN + 500);
  assert.equal(it.said.length, 2);
  assert.deepEqual(it.said[0], it.said[1]);
  it.sitting.take(event(13, { type: "card_played", card: "2H" }, it.said[0].id));
  it.pass(AGAIN + 500);
  assert.equal(it.said.length, 2);
}));

test("H13 a card that may not be played is not said to the table", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  touch(it, "3D");
  assert.deepEqual([it.state.no, it.said], ["must_follow_suit", []]);
}));

test("nothing can be done while there is news to be seen, or the decision has no number", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  it.sitting.take(event(13, { type: "card_played", card: "2H" }));
  it.sitting.take(snapshot(13, 5, { view: { ...VIEW, hand: ["3D"], playable: ["3D"] } }));
  assert.equal(mayAct(it.state.scene.view, it.state), false);
  touch(it, "3D");
  assert.deepEqual([it.state.no, it.said], ["not_your_turn", []]);
  it.pass(1_000);
  assert.equal(mayAct(it.state.scene.view, it.state), true);
}));

test("after an event the stand is asked once, for its move and what may be played", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  it.sitting.take(event(13, { type: "card_played", card: "2H" }));
  it.sitting.take(event(14, { type: "trick_taken", by: 0, tricks: [1, 0] }));
  assert.deepEqual(it.asked, ["snapshot"]);
}));

test("a seat that the house holds is not taken back unasked", atTable((it) => {
  it.sitting.take(snapshot(12, 4, { sitting: chair("house") }));
  it.sitting.take(event(13, { type: "card_played", card: "2H" }));
  it.sitting.again();
  it.pass(2 * SILENCE);
  assert.deepEqual(it.asked, []);
  it.sitting.ask();
  assert.deepEqual(it.asked, ["snapshot"]);
}));

const lateAt = (version) => event(version, { type: "turn_timed_out", seat: 0, move: 4 });
const played = (version) => event(version, { type: "card_played", card: "2H" });
const changed = (version, control) => event(version, { type: "control_changed", seat: 0, control });

test("H24 from our own time-out on nothing is asked, so that the house can hold the seat of who is gone", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  it.sitting.take(lateAt(13));
  it.sitting.take(played(14));
  it.sitting.take(changed(15, "house"));
  it.sitting.again();
  it.pass(2 * SILENCE);
  assert.deepEqual(it.asked, []);
  assert.equal(it.state.asleep, true);
}));

test("who was only slow touches the page, and it asks at once", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  it.sitting.take(lateAt(13));
  it.sitting.take(played(14));
  it.sitting.touched();
  assert.deepEqual([it.asked, it.state.asleep], [["snapshot"], false]);
  it.sitting.touched();
  assert.deepEqual(it.asked, ["snapshot"], "once");
}));

test("who comes back to the page, or plays elsewhere, is here; another's time-out is not ours", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  it.sitting.take(lateAt(13));
  it.sitting.again(true);
  assert.deepEqual(it.asked, ["snapshot"]);
  it.sitting.take(snapshot(13, 4));
  it.sitting.take(lateAt(14));
  it.sitting.take(event(15, { type: "card_played", card: "2H" }, "command-of-another-page"));
  assert.deepEqual([it.asked.length, it.state.asleep], [2, false]);
  it.sitting.take(event(16, { type: "turn_timed_out", seat: 1, move: 5 }));
  assert.equal(it.state.asleep, false);
}));

test("an ask that waits is not said again once the house holds the seat; one that a person made is", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  it.sitting.take(played(13));
  it.sitting.take(changed(14, "house"));
  it.pass(2 * AGAIN);
  assert.deepEqual(it.asked, ["snapshot"]);
  it.sitting.ask();
  it.pass(AGAIN);
  assert.equal(it.asked.length, 3);
}));

test("a page that nobody looks at asks nothing whatever happens, but when it is looked at again", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  globalThis.document.hidden = true;
  it.sitting.take(played(13));
  it.sitting.again();
  it.pass(2 * AGAIN);
  assert.deepEqual(it.asked, []);
  globalThis.document.hidden = false;
  it.sitting.again(true);
  assert.deepEqual(it.asked, ["snapshot"]);
}));

test("a page that nobody looks at asks nothing in a silence", atTable((it) => {
  it.sitting.take(snapshot(12, 4));
  globalThis.document.hidden = true;
  it.pass(2 * SILENCE);
  assert.deepEqual(it.asked, []);
  globalThis.document.hidden = false;
  it.pass(500);
  assert.deepEqual(it.asked, ["snapshot"]);
}));

test("H21 advice is for its move alone, and gone with the next event", atTable((it) => {
  const advice = (move) => ({ type: "advice", match: MATCH, move, suggestion: { actions: [], reason: {} } });
  it.sitting.take(snapshot(12, 4));
  it.sitting.hint();
  assert.deepEqual(it.asked, ["advice"]);
  it.sitting.take(advice(3));
  assert.equal(it.state.advice, null);
  it.sitting.take(advice(4));
  assert.deepEqual(it.state.advice, advice(4).suggestion);
  it.sitting.take(event(13, { type: "card_played", card: "2H" }));
  assert.equal(it.state.advice, null);
}));

test("who looks at another page is told by the title that it is his turn, and not any longer", atTable((it) => {
  const words = { language: "en", own: { title: "Waraq", your_turn: "Your turn" } };
  const titleIf = (hidden, room = "table") => titleOf({ words, place: { room }, state: it.state }, hidden);
  assert.equal(titleIf(true), "Waraq", "nothing was heard yet");
  it.sitting.take(snapshot(12, 4));
  assert.deepEqual([titleIf(true), titleIf(false), titleIf(true, "replay")], ["● Your turn", "Waraq", "Waraq"]);
  it.sitting.take(snapshot(13, null));
  assert.equal(titleIf(true), "● Your turn", "the number of the decision is asked only when it is looked at");
  it.sitting.take(snapshot(14, 4));
  touch(it, "2H");
  assert.equal(titleIf(true), "Waraq");
}));

test("a card that is touched on our turn, while its number is asked, is not said to be out of turn", atTable((it) => {
  it.sitting.take(snapshot(12, null));
  touch(it, "2H");
  assert.deepEqual([it.state.no, it.said], [null, []]);
  it.sitting.take(snapshot(13, 4, { view: { ...VIEW, turn: 1 } }));
  touch(it, "2H");
  assert.equal(it.state.no, "not_your_turn");
}));

test("a refusal of an earlier move leaves a later one that waits", atTable(async (it) => {
  it.sitting.take(snapshot(12, 4));
  touch(it, "2H");
  it.sitting.take(snapshot(13, 5));
  touch(it, "2H");
  it.sitting.take(refused("stale_move", it.said[0].id));
  await settle();
  assert.deepEqual([it.state.pending?.move, it.state.no], [5, null]);
}));

test("a match that never was is said so", atTable((it) => {
  it.sitting.ask();
  it.sitting.take(refused("unknown_match"));
  assert.equal(it.state.scene.over, "unknown");
}));

test("opening is three commands, each after the answer of the one before", atTable(async (it) => {
  const opened = it.sitting.open({ type: "open_match", seats: [{ seat: 0, filled_by: "owner" }] });
  for (const kind of ["open_match", "add_nonce", "start_match"]) {
    const last = it.said.at(-1);
    assert.equal(last.action.type, kind);
    it.sitting.take(event(it.said.length, { type: "something" }, last.id));
    await settle();
  }
  assert.equal(await opened, null);
}));

test("a match that was opened and not started, by a page that was left, is started", atTable((it) => {
  it.sitting.take(snapshot(2, 0, { view: null, due: null }));
  assert.deepEqual(it.said.map((one) => one.action.type), ["start_match"]);
}));
