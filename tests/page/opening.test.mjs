/** What somebody wants to play, remembered, and the table that is opened for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { opening } from "../../services/web/static/play/opening.js";
import { changed, lastWish, remember, seatsOffered } from "../../services/web/static/play/wishes.js";

/** A browser that keeps what it is told. */
function browser(kept = {}) {
  globalThis.localStorage = { getItem: (name) => kept[name] ?? null, setItem: (name, value) => (kept[name] = value) };
}
browser();
const WISH = lastWish();
const HAND = { ...WISH, game: "hand" };

test("H20 all others are masks: the opponents wear the chosen one, the partner plays at chrome strength", () => {
  const { seats, options, ticket } = opening({ ...WISH, target: 7, level: "black" }, "t1.x");
  assert.deepEqual(seats.map((one) => one.filled_by), ["owner", "house", "house", "house"]);
  assert.deepEqual(seats.map((one) => one.level), [null, "black", "chrome", "black"]);
  assert.deepEqual([options.target, ticket], [7, "t1.x"]);
});

test("in Hand every other seat wears the chosen mask", () => {
  const { seats, options } = opening({ ...HAND, seats: 3, rounds: 5, level: "black" }, null);
  assert.deepEqual(seats.map((one) => one.level), [null, "black", "black"]);
  assert.deepEqual(options, { game: "hand", variant: "classic", seats: 3, rounds: 5 });
});

test("H17 H19 the rules are those of the presets unless others are wanted", () => {
  const { options } = opening(WISH, null);
  const preset = { target: 2, win: 1, kot: 2, hakem_kot: 3, show_five_before_trump: false };
  assert.deepEqual(options, { game: "hokm", ...preset });
});

test("H17 a kot is never worth less than a win, nor a hakem-kot less than a kot", () => {
  const worths = ({ win, kot, hakem_kot }) => [win, kot, hakem_kot];
  assert.deepEqual(worths(changed(WISH, { win: 4 })), [4, 4, 4]);
  assert.deepEqual(worths(changed(WISH, { hakem_kot: 1 })), [1, 1, 1]);
  assert.deepEqual(worths(changed(WISH, { kot: 5 })), [1, 5, 5]);
  assert.deepEqual(worths(changed(WISH, { level: "black" })), [1, 2, 3]);
});

test("N1 in the partnership variants there are four seats", () => {
  const two = changed(HAND, { seats: 2 });
  assert.deepEqual(seatsOffered(two), [2, 3, 4]);
  const sides = changed(two, { variant: "saudi_partnership" });
  assert.deepEqual([sides.seats, seatsOffered(sides)], [4, [4]]);
});

test("a wish is remembered by the browser, and what no table has is not", () => {
  browser();
  const wish = { ...HAND, level: "chrome", seats: 2, rounds: 9, variant: "saudi" };
  remember(wish);
  assert.deepEqual(lastWish(), wish);
  browser({ "waraq.game": "bridge", "waraq.win": "0", "waraq.kot": "7", "waraq.hakem_kot": "5", "waraq.seats": "5" });
  assert.deepEqual(lastWish(), { ...WISH, kot: 7, hakem_kot: 7 });
});
