/** The same table once more, and one against masks instead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { againstMasks, sameAgain } from "../../services/web/static/play/again.js";
import { opening } from "../../services/web/static/play/opening.js";

const LAST = {
  game: "hand", level: "white", target: 2, win: 1, kot: 2, hakem_kot: 3, five: "no",
  variant: "classic", seats: 4, rounds: 3, company: "open", guests: 3,
};
const HOKM = { game: "hokm", target: 7, win: 1, kot: 3, hakem_kot: 5, show_five_before_trump: true };
const HAND = { game: "hand", variant: "saudi", seats: 3, rounds: 5 };
const at = (seat, player, level = null) => ({ seat, player, control: player ? "owner" : "house", level });
const masked = [at(0, "me"), at(1, null, "black"), at(2, null, "chrome"), at(3, null, "black")];

test("again is by the same rules, against the same masks", () => {
  const { options, seats } = opening(sameAgain(HOKM, masked, "me", LAST), null);
  assert.deepEqual(options, HOKM);
  assert.deepEqual(seats.map(({ level }) => level), [null, "black", "chrome", "black"]);
});

test("with a friend it is opened for a friend, and strangers stay strangers", () => {
  const sat = [at(0, "me"), at(1, null, "white"), at(2, "friend"), at(3, null, "white")];
  const kinds = (last) => opening(sameAgain(HOKM, sat, "me", last), null, "h").seats.map((one) => one.filled_by);
  assert.deepEqual(kinds({ ...LAST, company: "masks" }), ["owner", "house", "invited", "house"]);
  assert.deepEqual(kinds(LAST), ["owner", "house", "anyone", "house"]);
});

test("of Hand the variant, seats and rounds are the same", () => {
  const sat = [at(0, "me"), at(1, null, "black"), at(2, null, "black")];
  assert.deepEqual(opening(sameAgain(HAND, sat, "me", LAST), null).options, HAND);
});

test("a table that nobody comes to is opened against masks, by its own rules", () => {
  const wish = againstMasks(HAND, LAST);
  const { options, seats } = opening(wish, null);
  assert.deepEqual(options, HAND);
  assert.deepEqual(seats.map((one) => one.filled_by), ["owner", "house", "house"]);
});
