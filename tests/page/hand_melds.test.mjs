/** One meld of Hand: what cards are, what they are worth, what can be added to them (N8 to N12, N20, N21). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cards } from "./hand_around.mjs";
import { endOf, fits, heldValue, standsFor, swapOf } from "../../services/web/static/play/hand/melds.js";
import { read, readings, valueOf, whyNoMeld } from "../../services/web/static/play/hand/melds.js";

const CLASSIC = { game: "hand", variant: "classic", seats: 4, rounds: 3 };
const SAUDI = { ...CLASSIC, variant: "saudi" };
const meld = (text, kind = "run") => ({ id: 1, owner: 0, kind, cards: cards(text) });
const readAs = (text, options = CLASSIC) =>
  readings(cards(text), options).map((one) => `${one.kind} ${one.cards.join(" ")} ${one.value}`);

test("N8 a run may be picked in any order, and lies low to high", () => {
  assert.deepEqual(readAs("7H1 5H1 6H2"), ["run 5H1 6H2 7H1 18"]);
  assert.deepEqual(readAs("5H1 6D1 7H1"), []);
  assert.deepEqual(readAs("5H1 6H1 8H1"), []);
  assert.deepEqual(readAs("5H1 6H1"), []);
  assert.deepEqual(readAs("5H1 5H2 6H1 7H1"), [], "a card is not there twice");
});

test("N8 the ace is low or high, never between, never twice", () => {
  assert.deepEqual(readAs("QS1 AS1 KS1"), ["run QS1 KS1 AS1 31"]);
  assert.deepEqual(readAs("2S1 AS1 3S1"), ["run AS1 2S1 3S1 16"]);
  assert.deepEqual(readAs("KS1 AS1 2S1"), []);
  const suit = cards("2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1");
  assert.equal(readings(["AS1", ...suit], CLASSIC).length, 2, "thirteen, with the ace at either end");
  assert.deepEqual(readings(["AS1", "AS2", ...suit], CLASSIC), []);
  assert.equal(read([...cards("AS1"), ...suit, "AS2"]), null);
});

test("N9 a set is three or four of a rank, all suits different", () => {
  assert.deepEqual(readAs("9D1 9S2 9H1"), ["set 9S2 9H1 9D1 27"]);
  assert.deepEqual(readAs("9D1 9D2 9H1"), []);
  assert.deepEqual(readAs("AD1 AS2 AH1", SAUDI), ["set AS2 AH1 AD1 33"]);
  assert.deepEqual(readAs("9S1 9H1 9C1 9D1 JK1"), []);
  assert.equal(valueOf(cards("9S1 9H1 9C1 9D1 JK1"), CLASSIC), null, "five are no set as they are listed either");
});

test("N10 two jokers are too many, whatever is with them", () => {
  assert.equal(whyNoMeld(cards("JK1 5H1 JK2")), "too_many_jokers");
  assert.equal(whyNoMeld(cards("JK1 5H1 6H1")), null);
  assert.equal(whyNoMeld(cards("JK1 5H1")), "not_a_meld");
  assert.equal(whyNoMeld([]), "not_a_meld");
});

test("N11 a joker at the end of a run can be either end, the more valuable first", () => {
  assert.deepEqual(readAs("JK1 6H1 5H1"), ["run 5H1 6H1 JK1 18", "run JK1 5H1 6H1 15"]);
  assert.deepEqual(readAs("JK1 7H1 5H1"), ["run 5H1 JK1 7H1 18"]);
  assert.deepEqual(readAs("JK2 JS1 QS1"), ["run JS1 QS1 JK2 30", "run JK2 JS1 QS1 30"], "as valuable: the higher first");
  assert.deepEqual(readAs("JK2 QS1 AS1"), ["run QS1 JK2 AS1 31"]);
  assert.deepEqual(readAs("JK2 KS1 AS1"), ["run JK2 KS1 AS1 31"]);
  assert.deepEqual(readAs("9D1 JK1 9S1"), ["set 9S1 9D1 JK1 27"]);
});

test("N12 the ace of A-2-3 is 11, in both Saudi variants 1", () => {
  for (const variant of ["classic", "partnership"])
    assert.equal(valueOf(cards("AS1 2S1 3S1"), { ...CLASSIC, variant }), 16);
  for (const variant of ["saudi", "saudi_partnership"])
    assert.equal(valueOf(cards("AS1 2S1 3S1"), { ...CLASSIC, variant }), 6);
  assert.equal(valueOf(cards("AS1 2S1 3S1 4S1"), SAUDI), 10);
  assert.equal(valueOf(cards("JK1 2S1 3S1"), SAUDI), 6, "and of the joker that stands for it");
  assert.equal(valueOf(cards("QS1 KS1 AS1"), SAUDI), 31);
  assert.equal(valueOf(cards("3S1 2S1 AS1"), SAUDI), null, "not as it is listed");
});

test("N41 a card that is held costs its face, ten, eleven, a joker fifteen", () => {
  assert.deepEqual(cards("2S1 TS1 QD2 AC1 JK2").map(heldValue), [2, 10, 10, 11, 15]);
});

test("N20 a run takes its next card at either end, and not beyond the ace", () => {
  const run = meld("5H1 6H1 7H1");
  assert.deepEqual([fits(run, "4H2"), fits(run, "8H1"), fits(run, "9H1"), fits(run, "8D1")], [["low"], ["high"], [], []]);
  assert.deepEqual(fits(meld("AS1 2S1 3S1"), "KS1"), []);
  assert.deepEqual(fits(meld("QS1 KS1 AS1"), "2S1"), []);
  assert.deepEqual(fits(meld("2S1 3S1 4S1"), "AS1"), ["low"]);
});

test("N20 an ace on 2 to K fits at both ends, and goes high unless the low end is asked for", () => {
  const long = meld("2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1");
  assert.deepEqual(fits(long, "AS1"), ["low", "high"]);
  assert.equal(endOf(long, "AS1"), "high");
  assert.equal(endOf(long, "AS1", "low"), "low");
  const whole = { ...long, cards: ["AS1", ...long.cards] };
  assert.deepEqual(fits(whole, "AS2"), [], "thirteen are full");
});

test("N20 a set takes the suit that is missing, at no end", () => {
  const nines = meld("9S1 9H1 9D1", "set");
  assert.deepEqual([fits(nines, "9C2"), fits(nines, "9S2"), fits(nines, "8C1")], [[null], [], []]);
  assert.equal(endOf(nines, "9C2", "low"), null, "an end is not heeded");
});

test("N20 a joker fits where there is none yet, and room", () => {
  assert.deepEqual(fits(meld("5H1 6H1 7H1"), "JK1"), ["low", "high"]);
  assert.deepEqual(fits(meld("QS1 KS1 AS1"), "JK1"), ["low"]);
  assert.deepEqual(fits(meld("5H1 JK2 7H1"), "JK1"), []);
  assert.deepEqual(fits(meld("9S1 9H1 9D1", "set"), "JK1"), [null]);
  assert.deepEqual(fits(meld("9S1 9H1 9D1 9C1", "set"), "JK1"), []);
});

test("N21 the card that it stands for frees a run's joker, in a set each suit that is missing", () => {
  const run = meld("5H1 JK2 7H1");
  assert.deepEqual([swapOf(run, "6H2"), swapOf(run, "6D1"), swapOf(run, "JK1")], ["JK2", null, null]);
  assert.deepEqual(standsFor(run), ["6H"]);
  const pair = meld("9S1 9H1 JK1", "set");
  assert.deepEqual([swapOf(pair, "9C1"), swapOf(pair, "9D2"), swapOf(pair, "9S2")], ["JK1", "JK1", null]);
  assert.deepEqual(standsFor(pair), ["9C", "9D"]);
  assert.deepEqual(standsFor(meld("5H1 6H1 7H1")), []);
  assert.equal(swapOf(meld("5H1 6H1 7H1"), "6H2"), null);
});
