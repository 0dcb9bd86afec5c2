/** A table before its first deal: who waits, who comes, who goes, who looks on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGAIN } from "../../services/web/static/play/asker.js";
import { hear, nothing } from "../../services/web/static/play/match.js";
import { waits } from "../../services/web/static/play/opening.js";
import { inLobby } from "../../services/web/static/view/lobby/room.js";
import { MATCH, ME, atTable, event, refused, settle } from "./at_table.mjs";

const FRIEND = "u_behrouz0";
const seat = (number, player, control = "owner", level = null) => ({ seat: number, player, control, level });
const HOUSE = [seat(1, null, "house", "white"), seat(3, null, "house", "white")];
const around = (me, friend) => [seat(0, me), HOUSE[0], seat(2, friend), HOUSE[1]];
const snapshot = (version, sitting, more = {}) =>
  ({ type: "snapshot", match: MATCH, version, head: "", now: 0, move: 3, due: null, sitting, view: null, ...more });
const PLAN = ["owner", "house", "invited", "house"].map((filled_by, at) => ({ seat: at, filled_by }));
const OPENED = { type: "match_opened", owner: FRIEND, options: { game: "hokm", target: 1 }, seats: PLAN };
const history = { type: "history", match: MATCH, events: [event(1, OPENED)], more: false };
const kinds = (said) => said.map(({ action }) => action.type);
const VIEW = { game: "hokm", seat: null, turn: 1, hand: [], playable: [] };

test("who opens a table for friends does not start it: he waits", atTable(async (it) => {
  const opened = it.sitting.open({ type: "open_match", seats: PLAN });
  it.sitting.take(event(1, OPENED, it.said[0].id));
  await settle();
  it.sitting.take(event(2, { type: "nonce_added" }, it.said[1].id));
  assert.equal(await opened, null);
  assert.deepEqual(kinds(it.said), ["open_match", "add_nonce"]);
  assert.equal(it.state.opened.owner, FRIEND, "his own event tells him what the table is");
}));

test("a page that is loaded again starts no match that waits for a friend, nor one where he has come", atTable((it) => {
  it.sitting.take(snapshot(2, around(ME, null)));
  it.sitting.take(snapshot(3, around(ME, FRIEND)));
  assert.deepEqual(it.said, []);
}));

test("what a table is asks who comes to it, until it is told", atTable((it) => {
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  assert.deepEqual(it.asked, ["history", "history"]);
  it.sitting.take(history);
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  assert.deepEqual(it.asked, ["history", "history"]);
  assert.deepEqual(it.state.opened, OPENED);
}));

test("who sits nowhere asks every 2 s how it stands, while he looks", atTable((it) => {
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  it.sitting.take(history);
  it.asked.length = 0;
  it.pass(AGAIN);
  assert.deepEqual(it.asked, ["snapshot"]);
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  globalThis.document.hidden = true;
  it.pass(10 * AGAIN);
  assert.deepEqual(it.asked, ["snapshot"]);
}));

test("who sits is told, and asks no more often than at a match", atTable((it) => {
  it.sitting.take(snapshot(2, around(ME, null)));
  it.asked.length = 0;
  it.pass(2 * AGAIN);
  assert.deepEqual(it.asked, []);
}));

test("sitting down says the invitation's code, and then mixes in randomness of one's own", atTable(async (it) => {
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  it.sitting.sit(2);
  assert.deepEqual(it.said[0].action, { type: "take_seat", seat: 2, code: "k7wq2mzp9txa" });
  it.sitting.take(event(3, { type: "seat_taken", seat: 2, player: ME }, it.said[0].id));
  await settle();
  assert.deepEqual(kinds(it.said), ["take_seat", "add_nonce"]);
  assert.equal(it.state.scene.sitting[2].player, ME);
}, "k7wq2mzp9txa"));

test("a wrong code is told by its refusal, and nothing is mixed in", atTable(async (it) => {
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  it.sitting.sit(2);
  it.sitting.sit(2);
  it.sitting.take(refused("wrong_code", it.said[0].id));
  await settle();
  assert.deepEqual([it.state.no, it.state.doing, kinds(it.said)], ["wrong_code", false, ["take_seat"]]);
  assert.equal(it.sitting.code, null, "its seats are no longer offered");
}, "k7wq2mzp9txa"));

test("what was refused in the lobby is not said at the match", atTable(async (it) => {
  it.sitting.take(snapshot(2, around(FRIEND, null)));
  it.sitting.sit(2);
  it.sitting.take(refused("seat_taken", it.said[0].id));
  await settle();
  it.sitting.take(snapshot(9, around(FRIEND, "u_another0"), { view: VIEW }));
  assert.equal(it.state.no, null);
}));

test("the start names the move at which all were there", atTable((it) => {
  it.sitting.take(snapshot(4, around(ME, FRIEND)));
  it.sitting.start();
  assert.deepEqual([it.said[0].move, it.said[0].action], [3, { type: "start_match" }]);
}));

test("getting up says whether it came about", atTable(async (it) => {
  it.sitting.take(snapshot(4, around(FRIEND, ME)));
  const up = it.sitting.getUp();
  it.sitting.take(event(5, { type: "seat_left", seat: 2 }, it.said[0].id));
  assert.equal(await up, true);
  const again = it.sitting.getUp();
  it.sitting.take(refused("not_seated", it.said[1].id));
  assert.equal(await again, false);
}));

/** Who sits at seat 2 after those events. */
function after(...bodies) {
  let known = { ...nothing(MATCH), version: 2, sitting: around(FRIEND, null) };
  bodies.forEach((body, at) => (known = hear(known, event(3 + at, body), 0).known));
  return [known.begun, known.sitting[2]];
}
const TAKEN = { type: "seat_taken", seat: 2, player: ME };
const LEFT = { type: "seat_left", seat: 2 };

test("H20 who leaves before the start frees the seat; after it the house plays it at chrome strength", () => {
  assert.deepEqual(after(TAKEN), [false, seat(2, ME)]);
  assert.deepEqual(after(TAKEN, LEFT), [false, seat(2, null)]);
  assert.deepEqual(after(TAKEN, { type: "match_started" }, LEFT), [true, seat(2, null, "house", "chrome")]);
  assert.deepEqual(after({ type: "match_started" }, LEFT, TAKEN), [true, seat(2, ME)]);
});

test("H24 a seat that the house holds wears its mask until the owner is back", () => {
  const held = { type: "control_changed", seat: 2, control: "house" };
  assert.deepEqual(after(TAKEN, held)[1], seat(2, ME, "house", "chrome"));
  assert.deepEqual(after(TAKEN, held, { ...held, control: "owner" })[1], seat(2, ME));
});

test("a table waits for people where a seat is for the invited or for anyone", () => {
  assert.deepEqual([waits(PLAN), waits([{ filled_by: "anyone" }]), waits(PLAN.slice(0, 2))], [true, true, false]);
});

test("a host who sits nowhere starts a table of the house alone from its lobby; from his seat the page does it by itself", atTable((it) => {
  const plan = [0, 1, 2, 3].map((at) => ({ seat: at, filled_by: "house", level: "white" }));
  const house = [0, 1, 2, 3].map((at) => seat(at, null, "house", "white"));
  it.sitting.take(snapshot(1, house));
  it.sitting.take({ ...history, events: [event(1, { ...OPENED, owner: ME, seats: plan })] });
  assert.equal(inLobby(it.state), true);
  it.sitting.start();
  assert.deepEqual(kinds(it.said), ["start_match"]);
  const seated = { ...it.state, scene: { ...it.state.scene, sitting: [seat(0, ME), ...house.slice(1)] } };
  assert.equal(inLobby(seated), false);
}));
