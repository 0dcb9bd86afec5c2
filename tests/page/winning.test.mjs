/** Which card takes a trick of Hokm as it lies, and whose the cards of the draw were. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawnBy, winning } from "../../services/web/static/play/hokm.js";

const trick = (text) => text.split(" ").filter(Boolean).map((card, seat) => ({ seat, card }));
const wins = (text, trump) => winning(trick(text), trump);

test("H14 the highest trump takes it, however high the others are", () => {
  assert.equal(wins("AS 2H", "H"), "2H");
  assert.equal(wins("KD 9D 2S AD", "S"), "2S", "the guide's example");
  assert.equal(wins("KD 9D 2S 5S", "S"), "5S");
});

test("H14 without trump the highest card of the led suit takes it", () => {
  assert.equal(wins("9C TC AD KH", "S"), "TC");
  assert.equal(wins("TD QD JD", "S"), "QD");
  assert.equal(wins("2C", null), "2C");
});

test("an empty trick has no winner yet", () => assert.equal(wins("", "S"), null));

test("H5 the last card of the draw, the ace, was the hakem's, those before went round", () => {
  assert.deepEqual(drawnBy(["2S", "9D", "KC", "4H", "AD"], 1).map(({ seat }) => seat), [1, 2, 3, 0, 1]);
  assert.deepEqual(drawnBy(["AS"], 3), [{ card: "AS", seat: 3 }]);
});
