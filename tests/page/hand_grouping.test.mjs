/** A hand of Hand put into melds by itself, its bound, and whether it opens (N14, N18, N41). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cards, melds, viewOf } from "./hand_around.mjs";
import { grouped, openable } from "../../services/web/static/play/hand/grouping.js";
import { read } from "../../services/web/static/play/hand/melds.js";
import { MOST_FACES, MOST_TRIED, bestMelds } from "../../services/web/static/play/hand/search.js";

const CLASSIC = viewOf("").options;
const laid = ({ melds: all }) => all.map((one) => one.cards.join(" "));
const group = (text) => grouped(cards(text), CLASSIC);

test("the melds that leave the least value are laid", () => {
  const best = group("5H1 6H1 7H1 7S1 7D1 KD1 2C1");
  assert.deepEqual(laid(best), ["7S1 7H1 7D1"], "the run would leave 14 in sevens");
  assert.deepEqual([best.value, best.left, best.loose], [21, 23, cards("5H1 6H1 KD1 2C1")]);
});

test("N41 a joker goes down before all: held it costs 15", () => {
  const best = group("KS1 KH1 2S1 3S1 JK1");
  assert.deepEqual(laid(best), ["KS1 KH1 JK1"]);
});

test("N12 a joker stands for the card that is worth the most", () => {
  assert.deepEqual(laid(group("2S1 3S1 JK1 9D1")), ["JK1 2S1 3S1"], "the ace is 11");
  const saudi = { ...CLASSIC, variant: "saudi" };
  assert.deepEqual(laid(grouped(cards("2S1 3S1 JK1 9D1"), saudi)), ["2S1 3S1 JK1"], "and here 1");
});

test("of two groupings as light the one with fewer loose cards is taken", () => {
  const best = group("8S1 8H1 2D1 3D1 5D1 6D1 JK1");
  assert.deepEqual([laid(best), best.left], [["2D1 3D1 JK1 5D1 6D1"], 16]);
});

test("cards that are one run are not laid as two", () => {
  assert.deepEqual(laid(group("5H1 6H1 7H1 8H1 9H1 TH1")), ["5H1 6H1 7H1 8H1 9H1 TH1"]);
});

test("two copies of a card are two cards", () => {
  assert.deepEqual(laid(group("5H2 6H1 7H1 5H1 6H2 7H2")), ["5H1 6H1 7H1", "5H2 6H2 7H2"]);
});

test("the same cards are grouped the same in whatever order they came", () => {
  const hand = cards("9S1 9H1 9D1 9C1 8C1 7C1 TC1 JK1 4D2 4H1");
  const again = [...hand.slice(4), ...hand.slice(0, 4)].reverse();
  assert.deepEqual(laid(grouped(again, CLASSIC)), laid(grouped(hand, CLASSIC)));
});

test("a hand without melds, and none at all, are loose", () => {
  assert.deepEqual(group("2S1 5H1 JK1 JK2"), { melds: [], loose: cards("2S1 5H1 JK1 JK2"), value: 0, left: 37 });
  assert.deepEqual(group(""), { melds: [], loose: [], value: 0, left: 0 });
});

/** The hand, of all that were tried, that needs the most. */
const HARDEST = cards("5C2 5D1 5H2 5S2 6S2 7C2 7H1 7S2 8S1 9S1 AS1 JS1 KS2 QS1 TS1 JK1 JK2");

test("the hardest hand that is known is searched to its end within the limit", () => {
  const { melds: best, tried } = bestMelds(HARDEST, CLASSIC, 51);
  assert.ok(tried > 10_000 && tried < MOST_TRIED, String(tried));
  assert.ok(best);
});

test("no more melds are tried than the limit says, and what was found so far is legal", () => {
  for (const most of [0, 1, 50, 1_000]) {
    const { melds: found, tried } = bestMelds(HARDEST, CLASSIC, 0, most);
    assert.equal(tried, most);
    assert.ok(found?.every(read));
    const all = found.flat();
    assert.equal(new Set(all).size, all.length);
  }
});

test("more faces than any hand has are left loose", () => {
  const ranks = [..."A23456789TJQK"];
  const many = ["S1", "H1", "C1", "D1"].flatMap((suit) => ranks.map((rank) => rank + suit));
  const best = grouped(many, CLASSIC);
  assert.equal(best.melds.flatMap((meld) => meld.cards).length, MOST_FACES);
});

test("N14 a hand opens with melds that are worth the bar, and else not", () => {
  const hand = cards("TH1 JH1 QH1 KH1 4S1 4H1 4D1 2C1");
  assert.deepEqual([openable(hand, viewOf(""))?.value, openable(hand, viewOf("", { bar: 53 }))], [52, null]);
});

test("N14 where the lightest melds are not worth the bar others may be", () => {
  const hand = cards("KS1 KH1 KD1 QS1 QH1 QD1 2S1 2H1 JK1 7C1");
  assert.equal(grouped(hand, CLASSIC).value, 66);
  const [low, high] = [51, 67].map((bar) => openable(hand, viewOf("", { bar })));
  assert.deepEqual([low?.left, high?.value], [7, 70]);
});

test("N18 the card from the fire goes down before its twin, which can be thrown", () => {
  const hand = cards("KS1 KH1 KD1 AS1 AH1 AD1 KS2 2C1");
  const best = openable(hand, viewOf("", { taken: "KS2" }));
  assert.deepEqual(best?.loose, ["KS1", "2C1"]);
});

test("N18 when only the card from the fire would be left another opening is found, or none", () => {
  const hand = cards("KS1 KH1 KD1 KC1 AS1 AH1 AD1 4C1");
  const kept = openable(hand, viewOf("", { taken: "4C1" }));
  assert.deepEqual([kept?.left, kept?.value], [14, 63], "one king stays to be thrown");
  const tight = cards("KS1 KH1 KD1 AS1 AH1 AD1 4C1");
  assert.equal(openable(tight, viewOf("", { taken: "4C1" })), null);
});

test("N25 the last card may also be laid off, or swapped where the joker finds a place", () => {
  const hand = cards("KS1 KH1 KD1 AS1 AH1 AD1 4C1");
  const near = viewOf("", { taken: "4C1", melds: melds("5C1 6C1 7C1") });
  assert.deepEqual(openable(hand, near)?.loose, ["4C1"]);
  const swap = viewOf("", { taken: "4C1", melds: melds("4S1 4H1 4D1 JK1") });
  assert.deepEqual(openable(hand, swap)?.loose, ["4C1"], "the joker goes to the kings");
});

test("N22 a joker that would find no place is not freed", () => {
  const full = cards("KS1 KH1 KD1 KC1 QS1 QH1 QD1 QC1 4C1");
  const swap = viewOf("", { taken: "4C1", melds: melds("4S1 4H1 4D1 JK1") });
  assert.equal(openable(full, swap)?.left, 14, "a card is kept to be thrown");
});

test("a hand that goes out opens with nothing left", () => {
  assert.deepEqual(openable(cards("KS1 KH1 KD1 AS1 AH1 AD1"), viewOf(""))?.loose, []);
});
