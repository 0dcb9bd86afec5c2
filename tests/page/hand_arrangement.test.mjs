/** How a person's cards lie: groups from left to right, the last of them loose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cards, viewOf } from "./hand_around.mjs";
import { EMPTY, automatic, cardsOf, gathered, kept } from "../../services/web/static/play/hand/arrangement.js";
import { loosened, moved, sortedBy, stepped } from "../../services/web/static/play/hand/arrangement.js";

const CLASSIC = viewOf("").options;
const text = ({ groups }) => groups.map((group) => group.join(" ")).join(" | ");
/** "a b | c | d": groups, the last is loose. */
const lie = (written) => {
  const groups = written.split("|").map((group) => cards(group.trim()));
  return groups.slice(0, -1).reduce(gathered, kept(EMPTY, groups.flat()));
};
const ABC = lie("2S1 3S1 4S1 | 9H1 9D1 | KC1 QC1");

test("cards that are gone are gone, new ones come last, the others stay as they were put", () => {
  assert.equal(text(kept(ABC, cards("QC1 AS1 3S1 2S1 KC1 9D1"))), "2S1 3S1 | 9D1 | KC1 QC1 AS1");
  assert.equal(text(kept(EMPTY, cards("QC1 AS1"))), "QC1 AS1");
});

test("a group that is empty is no group, but for the loose one", () => {
  assert.equal(text(kept(ABC, cards("9H1"))), "9H1 | ");
  assert.deepEqual(kept(ABC, []), EMPTY);
});

test("a card moves before another, by places as they were before", () => {
  assert.equal(text(moved(ABC, "2S1", 0, 3)), "3S1 4S1 2S1 | 9H1 9D1 | KC1 QC1");
  assert.equal(text(moved(ABC, "2S1", 0, 2)), "3S1 2S1 4S1 | 9H1 9D1 | KC1 QC1");
  assert.equal(text(moved(ABC, "4S1", 0, 0)), "4S1 2S1 3S1 | 9H1 9D1 | KC1 QC1");
  assert.equal(text(moved(ABC, "2S1", 0, 0)), text(ABC));
  assert.equal(text(moved(ABC, "QC1", 1, 1)), "2S1 3S1 4S1 | 9H1 QC1 9D1 | KC1");
  assert.equal(text(moved(ABC, "2S1", 2, 0)), "3S1 4S1 | 9H1 9D1 | 2S1 KC1 QC1");
});

test("a card moved to no group begins one", () => {
  assert.equal(text(moved(ABC, "QC1", -1, 0)), "2S1 3S1 4S1 | 9H1 9D1 | QC1 | KC1");
});

test("chosen cards are gathered in the order in which they were chosen, and let loose again", () => {
  const together = gathered(ABC, cards("QC1 9H1"));
  assert.equal(text(together), "2S1 3S1 4S1 | 9D1 | QC1 9H1 | KC1");
  assert.equal(text(loosened(together, 2)), "2S1 3S1 4S1 | 9D1 | QC1 9H1 KC1");
  assert.equal(text(loosened(together, 3)), text(together), "the loose ones are loose");
});

test("by keys a card goes from place to place, and over a border is one place too", () => {
  const at = (by) => text(stepped(ABC, "9H1", by));
  assert.equal(at(1), "2S1 3S1 4S1 | 9D1 9H1 | KC1 QC1");
  assert.equal(at(2), "2S1 3S1 4S1 | 9D1 | 9H1 KC1 QC1");
  assert.equal(at(-1), "2S1 3S1 4S1 9H1 | 9D1 | KC1 QC1");
  assert.equal(at(-2), "2S1 3S1 9H1 4S1 | 9D1 | KC1 QC1");
  assert.equal(at(99), "2S1 3S1 4S1 | 9D1 | KC1 QC1 9H1");
  assert.equal(at(-99), "9H1 2S1 3S1 4S1 | 9D1 | KC1 QC1");
  assert.equal(text(stepped(ABC, "5D1", 1)), text(ABC), "a card that is not there");
});

test("by keys a card reaches loose cards of which there are none", () => {
  assert.equal(text(stepped(lie("2S1 3S1 |"), "3S1", 1)), "2S1 | 3S1");
});

test("by suit or by rank, low to high, twins side by side, jokers last", () => {
  const hand = cards("JK2 AS1 9H2 2S1 9C1 9H1 TS1 JK1 2D1");
  assert.equal(text(sortedBy(hand, "suit")), "2S1 TS1 AS1 9H1 9H2 9C1 2D1 JK1 JK2");
  assert.equal(text(sortedBy(hand, "rank")), "2S1 2D1 9H1 9H2 9C1 TS1 AS1 JK1 JK2");
});

test("by itself the hand lies in its best melds, the loose cards by suit", () => {
  const hand = cards("KD1 4S1 9H1 2S1 9D1 3S1 9C2 2C1");
  assert.equal(text(automatic(hand, CLASSIC)), "2S1 3S1 4S1 | 9H1 9C2 9D1 | 2C1 KD1");
  assert.equal(text(automatic([], CLASSIC)), "");
});

test("no card is lost or doubled by any of these, and what was is not touched", () => {
  const before = text(ABC);
  const all = [...cardsOf(ABC)].sort();
  const moves = [
    (card) => stepped(ABC, card, 1),
    (card) => stepped(ABC, card, -1),
    (card) => moved(ABC, card, 1, 1),
    (card) => gathered(ABC, [card]),
  ];
  for (const now of all.flatMap((card) => moves.map((move) => move(card)))) {
    assert.deepEqual([...cardsOf(now)].sort(), all);
    assert.ok(now.groups.slice(0, -1).every((group) => group.length));
  }
  assert.equal(text(ABC), before);
  assert.throws(() => ABC.groups[0].push("2D1"), TypeError);
});
