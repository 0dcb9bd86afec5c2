/** A view of Hand after events and before the table has answered: what whole matches seldom show. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OPENED, cards, melds, viewOf } from "./hand_around.mjs";
import { short } from "../../services/web/static/play/cards.js";
import { shown } from "../../services/web/static/play/games.js";
import { after, begun, confirms, foreseen } from "../../services/web/static/play/hand/view.js";

const house = (view, body) => after(view, { seat: null, body });

test("the page can show Hand", () => {
  assert.ok(shown({ game: "hand" }));
});

test("N46 after the last round only the lowest can still win", () => {
  const scored = (view) => house(view, { type: "round_scored", round: view.round, totals: [40, 12, 12, 90], score: {} });
  assert.deepEqual(scored(viewOf("", { round: 2 })).contenders, [0, 1, 2, 3]);
  assert.deepEqual(scored(viewOf("", { round: 3 })).contenders, [1, 2]);
  assert.deepEqual(scored(viewOf("", { round: 4, contenders: [0, 3] })).contenders, [0], "others are lower, and out");
});

test("a match that is abandoned tells nobody's card, and whose turn it was no more", () => {
  const now = house(viewOf("2S1 3S1", { drawn: "3S1" }), { type: "match_abandoned", reason: "operator", secret: "" });
  assert.deepEqual([now.phase, now.turn, now.drawn, now.winner], ["match_over", null, null, null]);
});

test("N28 a card drawn from the stock is counted, and not known before the table tells it", () => {
  const now = foreseen(viewOf("2S1 3S1", { phase: "draw" }), { type: "draw", from: "stock" });
  assert.deepEqual([now.stock, now.left[0], now.hand, now.drawn, now.phase], [39, 3, cards("2S1 3S1"), null, "act"]);
});

test("N28 another's card from the stock is nobody else's to see", () => {
  const now = after(viewOf("2S1", { turn: 2, phase: "draw" }), { seat: 2, body: { type: "card_drawn", stock: 39 } });
  assert.deepEqual([now.left, now.hand, now.drawn], [[1, 14, 15, 14], ["2S1"], null]);
});

test("N18 the fire card is in the hand at once, with its duty; an opening ends that", () => {
  const piles = { fire: ["3C1", "KD1"], tosses: [{ seat: 3, card: "KD1", taken_by: null }] };
  const before = viewOf("KS1 KH1 AS1 AH1 AD1 2H1", { phase: "draw", ...piles });
  const taken = foreseen(before, { type: "draw", from: "fire" });
  assert.deepEqual([taken.fire, taken.hand.at(-1), taken.taken, taken.must_open], [["3C1"], "KD1", "KD1", true]);
  assert.deepEqual(taken.tosses, [{ seat: 3, card: "KD1", taken_by: 0 }]);
  const opened = foreseen(taken, { type: "lay_melds", melds: [cards("KS1 KH1 KD1"), cards("AS1 AH1 AD1")] });
  assert.deepEqual([opened.opened[0], opened.must_open, opened.hand, opened.left[0]], [true, false, ["2H1"], 1]);
  assert.deepEqual(opened.melds.map(({ id, owner, kind }) => [id, owner, kind]), [[1, 0, "set"], [2, 0, "set"]]);
});

test("N16 N17 a Saudi opening moves the bar by its worth, and in sides opens for both", () => {
  const options = { ...viewOf("").options, variant: "saudi_partnership" };
  const submitted = [cards("QS1 KS1 AS1"), cards("AH1 AD1 AC1")];
  const now = foreseen(viewOf("QS1 KS1 AS1 AH1 AD1 AC1 2H1", { options }), { type: "lay_melds", melds: submitted });
  assert.deepEqual([now.bar, now.opened], [65, [true, false, true, false]]);
});

test("N20 a lay-off that names no end lies at the high one", () => {
  const view = viewOf("JK1 2S1", { ...OPENED, melds: melds("5H1 6H1 7H1") });
  const laid = (more) => foreseen(view, { type: "lay_off", meld: 1, card: "JK1", ...more }).melds[0].cards;
  assert.deepEqual(laid({}), cards("5H1 6H1 7H1 JK1"));
  assert.deepEqual(laid({ end: "low" }), cards("JK1 5H1 6H1 7H1"));
});

test("N22 a freed joker is in the hand and waits; laid off it waits no more", () => {
  const view = viewOf("6H1 2S1", { ...OPENED, melds: melds("5H1 JK2 7H1, 9S1 9H1 9D1") });
  const freed = foreseen(view, { type: "swap_joker", meld: 1, card: "6H1" });
  assert.deepEqual([freed.melds[0].cards, freed.hand], [cards("5H1 6H1 7H1"), cards("2S1 JK2")]);
  assert.deepEqual([freed.left[0], freed.must_place], [2, ["JK2"]]);
  const placed = foreseen(freed, { type: "lay_off", meld: 2, card: "JK2", end: null });
  assert.deepEqual([placed.must_place, placed.hand], [[], ["2S1"]]);
});

test("a swap that cannot be changes nothing", () => {
  const view = viewOf("6D1 2S1", { ...OPENED, melds: melds("5H1 JK2 7H1") });
  assert.equal(foreseen(view, { type: "swap_joker", meld: 1, card: "6D1" }), view);
});

test("a discard is on the fire and the next is to draw; the last card leaves the end to the table", () => {
  const now = foreseen(viewOf("2S1 3S1", { drawn: "3S1" }), { type: "discard", card: "2S1" });
  assert.deepEqual([now.fire, now.turn, now.phase, now.drawn], [cards("2C1 2S1"), 1, "draw", null]);
  const out = foreseen(viewOf("2S1"), { type: "discard", card: "2S1" });
  assert.deepEqual([out.hand, out.left[0], out.turn, out.phase], [[], 0, 0, "act"]);
});

test("an action is confirmed by an event that says the same of the same cards", () => {
  const kings = [cards("KS1 KH1 KD1")];
  const laid = { type: "melds_laid", first_id: 1, melds: kings, value: 30, opening: false };
  assert.ok(confirms(laid, { type: "lay_melds", melds: kings }));
  assert.ok(!confirms(laid, { type: "lay_melds", melds: [cards("KS1 KH1 KC1")] }));
  const grown = { type: "card_laid_off", meld: 1, card: "JK1", end: "high" };
  assert.ok(confirms(grown, { type: "lay_off", meld: 1, card: "JK1" }));
  assert.ok(!confirms(grown, { type: "swap_joker", meld: 1, card: "JK1" }));
  assert.ok(!confirms({ type: "fire_taken", card: "2C1" }, { type: "draw", from: "stock" }));
});

test("before the first deal nothing lies anywhere, and nobody is on turn", () => {
  const view = begun({ ...viewOf("").options, variant: "partnership" }, 2);
  assert.deepEqual([view.turn, view.left, view.stock, view.totals, view.seat], [null, [0, 0, 0, 0], 106, [0, 0], 2]);
});

test("a joker has its short form, and a jack is none", () => {
  assert.deepEqual(["JK2", "JD2", "TS1"].map(short), ["JK", "J♦\ufe0e", "10♠\ufe0e"]);
});
