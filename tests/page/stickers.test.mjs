/** Stickers: shown for a while, one in 3 s, hidden where somebody wants that. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { REST, SEEN, STICKERS } from "../../services/web/static/play/stickers.js";
import { TEXTS } from "./around.mjs";
import { MATCH, atTable } from "./at_table.mjs";

const shows = (seat, sticker) => ({ type: "sticker", match: MATCH, seat, sticker });

test("the list is the service's own, each with a text", () => {
  const texts = JSON.parse(readFileSync(`${TEXTS}/stickers/fa.json`, "utf8"));
  assert.deepEqual(STICKERS, Object.keys(texts));
});

test("one is seen for 4 s; the next of the same seat takes its place and has its own time", atTable((it) => {
  it.sitting.take(shows(2, "salam"));
  it.pass(SEEN - 500);
  it.sitting.take(shows(2, "wow"));
  it.sitting.take(shows(1, "oops"));
  it.pass(500);
  assert.deepEqual(it.state.said, { 2: "wow", 1: "oops" });
  it.pass(SEEN);
  assert.deepEqual(it.state.said, {});
}));

test("H23 one of ours in 3 s: the button rests meanwhile", atTable((it) => {
  it.sitting.show("salam");
  it.sitting.show("wow");
  assert.deepEqual([it.stickers, it.state.resting], [["salam"], true]);
  it.pass(REST + 500);
  it.sitting.show("wow");
  assert.deepEqual(it.stickers, ["salam", "wow"]);
}));

test("those of a table are hidden until they are wanted again", atTable((it) => {
  it.sitting.hush();
  assert.equal(it.state.hushed, true);
  assert.equal(localStorage.getItem("waraq.hushed"), MATCH);
  it.sitting.hush();
  assert.equal(it.state.hushed, false);
}));
