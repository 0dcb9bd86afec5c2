/** What somebody wants to play, remembered, and the table that is opened for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { opening } from "../../services/web/static/play/opening.js";
import { changed, guestsOffered, lastWish, masked, remember, seatsOffered } from "../../services/web/static/play/wishes.js";

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

test("H20 a friend is the partner, between masks; three of them have all seats", () => {
  const friend = { ...WISH, company: "friend", level: "black" };
  const { seats, invitation } = opening(friend, null, "5e".repeat(32));
  assert.deepEqual(seats.map((one) => one.filled_by), ["owner", "house", "invited", "house"]);
  assert.deepEqual(seats.map((one) => one.level), [null, "black", null, "black"]);
  assert.equal(invitation, "5e".repeat(32));
  const all = opening({ ...friend, guests: 3 }, null).seats;
  assert.deepEqual(all.map((one) => one.filled_by), ["owner", "invited", "invited", "invited"]);
});

test("an open table has seats for anyone", () => {
  const { seats, invitation } = opening({ ...HAND, company: "open", seats: 3, guests: 1 }, null);
  assert.deepEqual(seats.map((one) => one.filled_by), ["owner", "anyone", "house"]);
  assert.equal(invitation, null);
});

test("as many guests are offered as there are seats; in Hokm one or three, for masks come in pairs", () => {
  assert.deepEqual(guestsOffered(WISH), [1, 3]);
  assert.deepEqual(guestsOffered({ ...HAND, seats: 3 }), [1, 2]);
  assert.equal(changed({ ...HAND, guests: 2 }, { game: "hokm" }).guests, 1);
  assert.equal(changed({ ...HAND, guests: 3 }, { seats: 2 }).guests, 1);
  assert.deepEqual([1, 3].map((guests) => masked({ ...WISH, company: "open", guests })), [true, false]);
});

test("a wish is remembered by the browser, and what no table has is not", () => {
  browser();
  const wish = { ...HAND, level: "chrome", seats: 2, rounds: 9, variant: "saudi" };
  remember(wish);
  assert.deepEqual(lastWish(), wish);
  browser({ "waraq.game": "bridge", "waraq.win": "0", "waraq.kot": "7", "waraq.hakem_kot": "5", "waraq.seats": "5" });
  assert.deepEqual(lastWish(), { ...WISH, kot: 7, hakem_kot: 7 });
});
