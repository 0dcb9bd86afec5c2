/** News shown at a person's pace. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { MOST_WAITING, holdOf, quickHoldOf, stage } from "../../services/web/static/play/stage.js";

const news = (type, trick = 1) => ({
  known: { view: { game: "hokm", trick: Array(trick).fill(0) } },
  body: type && { type },
  seat: 0,
});

function showing() {
  const it = { shown: [], still: 0, timers: [] };
  const show = ({ body }) => it.shown.push(body ? body.type : "snapshot");
  it.stage = stage(show, () => (it.still += 1), () => false, (run) => it.timers.push(run));
  return it;
}

test("what has its time is looked at before the next comes; a snapshot has none", () => {
  const it = showing();
  it.stage.put(news("card_played"));
  it.stage.put(news(null));
  it.stage.put(news("card_played"));
  assert.deepEqual([it.shown, it.still], [["card_played"], 0]);
  it.timers.shift()();
  assert.deepEqual(it.shown, ["card_played", "snapshot", "card_played"]);
  it.timers.shift()();
  assert.equal(it.still, 1);
});

test("news that cannot be shown holds up nothing", () => {
  const told = mock.method(console, "error", () => {});
  const [shown, timers] = [[], []];
  const failing = ({ body }) => {
    shown.push(body.type);
    if (body.type === "trick_taken") throw new Error("not drawn");
  };
  const it = stage(failing, () => {}, () => false, (run) => timers.push(run));
  it.put(news("trick_taken"));
  it.put(news("card_played"));
  timers.shift()();
  assert.deepEqual([shown, told.mock.callCount()], [["trick_taken", "card_played"], 1]);
  told.mock.restore();
});

test("it can be skipped, and the time that was skipped does nothing later", () => {
  const it = showing();
  it.stage.put(news("round_scored"));
  it.stage.put(news("card_played"));
  it.stage.put(news("trick_taken"));
  it.stage.skip();
  assert.deepEqual(it.shown, ["round_scored", "card_played"]);
  it.timers.shift()();
  assert.deepEqual(it.shown, ["round_scored", "card_played"]);
});

test("the last card of a trick is looked at longer", () => {
  assert.ok(holdOf(news("card_played", 4)) > holdOf(news("card_played", 3)));
});

test("who comes back to a page that slept does not wait for all that happened", () => {
  const it = showing();
  for (let at = 0; at < 100; at++) it.stage.put(news("card_played"));
  it.timers.shift()();
  assert.ok(it.shown.length >= 100 - MOST_WAITING);
});

test("who likes it quick sees cards for a quarter of the time, and reads as long as others", () => {
  assert.equal(quickHoldOf(news("trick_taken")) * 4, holdOf(news("trick_taken")));
  for (const read of ["round_scored", "hakem_drawn"]) assert.equal(quickHoldOf(news(read)), holdOf(news(read)));
});

test("what is liked counts from the next news on", () => {
  const held = [];
  let quick = false;
  const it = stage(() => {}, () => {}, () => quick, (run, ms) => held.push([run, ms]));
  it.put(news("trick_taken"));
  quick = true;
  it.put(news("trick_taken"));
  held[0][0]();
  assert.deepEqual(held.map(([, ms]) => ms), [holdOf(news("trick_taken")), quickHoldOf(news("trick_taken"))]);
});
