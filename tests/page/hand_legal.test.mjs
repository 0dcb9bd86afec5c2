/** Why something may not be done in Hand, in the order of the rules' refusals, and what can be done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OPENED, cards, melds, viewOf } from "./hand_around.mjs";
import { whyNot } from "../../services/web/static/play/hand/legal.js";
import { swapOf, valueOf } from "../../services/web/static/play/hand/melds.js";
import { growths, mindOf } from "../../services/web/static/play/hand/mind.js";

const lay = (text) => ({ type: "lay_melds", melds: text.split(", ").map(cards) });
const off = (meld, card, end = null) => ({ type: "lay_off", meld, card, end });
const swap = (meld, card) => ({ type: "swap_joker", meld, card });
const toss = (card) => ({ type: "discard", card });
const STOCK = { type: "draw", from: "stock" };
const TABLE = { melds: melds("5H1 6H1 7H1, 9S1 9H1 JK1") };

test("N5 N6 each thing has its time, and the turn is asked before it", () => {
  const hand = viewOf("2S1 3S1");
  assert.equal(whyNot(hand, STOCK), "wrong_phase");
  assert.equal(whyNot({ ...hand, phase: "draw" }, STOCK), null);
  assert.equal(whyNot({ ...hand, phase: "draw" }, toss("2S1")), "wrong_phase");
  assert.equal(whyNot({ ...hand, phase: "discard_first" }, toss("2S1")), null);
  assert.equal(whyNot({ ...hand, phase: "discard_first" }, off(1, "2S1")), "wrong_phase");
  assert.equal(whyNot({ ...hand, phase: "draw", turn: 2 }, toss("2S1")), "not_your_turn");
  assert.equal(whyNot({ ...hand, phase: "scoring", turn: null }, STOCK), "wrong_phase");
  assert.equal(whyNot({ ...hand, phase: "match_over", turn: null }, STOCK), "match_over");
});

test("what is no action of Hand, no meld and more than five are malformed before all", () => {
  const over = viewOf("", { phase: "match_over", turn: null });
  assert.equal(whyNot(over, { type: "play_card", card: "2S" }), "malformed");
  assert.equal(whyNot(over, { type: "lay_melds", melds: [] }), "malformed");
  assert.equal(whyNot(over, { type: "lay_melds", melds: Array(6).fill(["2S1"]) }), "malformed");
});

test("N18 that the fire card cannot open is left to the table", () => {
  assert.equal(whyNot(viewOf("2S1 3S1", { phase: "draw" }), { type: "draw", from: "fire" }), null);
});

test("N7 N18 N22 a discard is refused in this order", () => {
  const all = viewOf("2S1 3S1 JK1", { must_open: true, must_place: ["JK1"], taken: "3S1" });
  assert.equal(whyNot(all, toss("4S1")), "card_not_held");
  assert.equal(whyNot(all, toss("3S1")), "must_open_first");
  assert.equal(whyNot({ ...all, must_open: false }, toss("3S1")), "must_place_joker");
  assert.equal(whyNot({ ...all, must_open: false, must_place: [] }, toss("3S1")), "cannot_discard_taken_card");
  assert.equal(whyNot({ ...all, must_open: false, must_place: [] }, toss("2S1")), null);
});

test("N10 N14 melds are refused in this order", () => {
  const hand = viewOf("KS1 KH1 KD1 KC1 4S1 4H1 4D1 JK1 JK2 2C1");
  assert.equal(whyNot(hand, lay("KS1 KS1 KS2")), "card_not_held");
  assert.equal(whyNot(hand, lay("KS1 KH1 KD1, KS1 JK1 JK2")), "duplicate_card");
  assert.equal(whyNot(hand, lay("KS1 JK1 JK2, 2C1")), "too_many_jokers");
  assert.equal(whyNot(hand, lay("KS1 KH1 KD1 KC1, 4S1 4H1")), "not_a_meld");
  assert.equal(whyNot(hand, lay("KS1 KH1 KD1 KC1")), "opening_too_low");
  assert.equal(whyNot(hand, lay("KS1 KH1 KD1 KC1, 4S1 4H1 4D1")), null);
  assert.equal(whyNot({ ...hand, ...OPENED }, lay("4S1 4H1 4D1")), null, "N15: any value once opened");
});

test("N15 N20 a lay-off is refused in this order", () => {
  const hand = viewOf("8H1 2C1 JK2", TABLE);
  assert.equal(whyNot(hand, off(9, "4H1")), "card_not_held");
  assert.equal(whyNot(hand, off(9, "8H1")), "not_opened");
  const opened = { ...hand, ...OPENED };
  assert.equal(whyNot(opened, off(9, "8H1")), "unknown_meld");
  assert.equal(whyNot(opened, off(2, "JK2")), "too_many_jokers");
  assert.equal(whyNot(opened, off(1, "2C1")), "does_not_fit");
  assert.equal(whyNot(opened, off(1, "8H1", "low")), "does_not_fit", "an end that is named binds");
  assert.equal(whyNot(opened, off(1, "8H1", "high")), null);
  assert.equal(whyNot(opened, { type: "lay_off", meld: 1, card: "8H1" }), null, "as it is said without an end");
});

test("N21 a swap is refused in this order", () => {
  const hand = viewOf("9D1 8H1", { ...TABLE, ...OPENED });
  assert.equal(whyNot(hand, swap(2, "9C1")), "card_not_held");
  assert.equal(whyNot({ ...hand, opened: [false, false, false, false] }, swap(2, "9D1")), "not_opened");
  assert.equal(whyNot(hand, swap(3, "9D1")), "unknown_meld");
  assert.equal(whyNot(hand, swap(2, "8H1")), "wrong_swap_card");
  assert.equal(whyNot(hand, swap(1, "8H1")), "wrong_swap_card", "there is no joker");
  assert.equal(whyNot(hand, swap(2, "9D1")), null);
});

/** What a person who has chosen those cards can do. */
function offers(view, chosen) {
  const { laying, readings, grouped: value, throws } = mindOf(view, { chosen });
  const grown = (meld) => chosen.flatMap((card) => (chosen.length === 1 ? growths(meld, card) : []));
  const may = view.melds.flatMap(grown).filter((action) => !whyNot(view, action));
  return {
    readings,
    melds: laying?.value ? laying.melds : [],
    open: view.opened[view.seat] ? null : { value, bar: view.bar },
    lay: laying && !laying.no ? laying.melds : null,
    layOff: may.flatMap(({ type, meld, end }) => (type === "lay_off" ? [{ meld, end }] : [])),
    swap: may.flatMap(({ type, meld, card }) => (type === "swap_joker" ? [{ meld, joker: swapOf(view.melds[meld - 1], card) }] : [])),
    discard: throws,
  };
}

test("what can be done with a card is offered: laid off, swapped, thrown", () => {
  const view = viewOf("9D1 8H1 JK2 2C1", { ...TABLE, ...OPENED });
  const of = (card) => {
    const { layOff, swap: swaps, discard } = offers(view, [card]);
    return [layOff, swaps, discard];
  };
  assert.deepEqual(of("8H1"), [[{ meld: 1, end: "high" }], [], true]);
  assert.deepEqual(of("9D1"), [[{ meld: 2, end: null }], [{ meld: 2, joker: "JK1" }], true]);
  assert.deepEqual(of("JK2")[0], [{ meld: 1, end: "low" }, { meld: 1, end: "high" }]);
  assert.deepEqual(of("2C1"), [[], [], true]);
});

test("chosen cards that are all in melds are laid, once they reach the bar", () => {
  const hand = "KS1 KH1 KD1 KC1 4S1 4H1 4D1 2C1";
  const kings = cards("KS1 KD1 KH1 KC1");
  const both = [...kings, ...cards("4D1 4S1 4H1")];
  const low = offers(viewOf(hand), kings);
  assert.deepEqual([low.open, low.lay, low.melds.length], [{ value: 40, bar: 51 }, null, 1]);
  const enough = offers(viewOf(hand), both);
  assert.deepEqual([enough.open?.value, enough.lay?.length, enough.discard], [52, 2, false]);
  assert.deepEqual(offers(viewOf(hand), [...both, "2C1"]).melds, [], "one card is over");
  const opened = offers(viewOf(hand, OPENED), cards("4D1 4S1 4H1"));
  assert.deepEqual([opened.open, opened.lay], [null, [cards("4S1 4H1 4D1")]]);
});

test("N11 a joker that can be either end is offered both ways, the more valuable first", () => {
  const view = viewOf("5H1 6H1 JK1 2C1", OPENED);
  const { readings, lay: laid } = offers(view, cards("JK1 5H1 6H1"));
  assert.deepEqual(readings.map((one) => valueOf(one, view.options)), [18, 15]);
  assert.deepEqual(laid, [cards("5H1 6H1 JK1")]);
});

test("nothing is offered when it is not my turn, and to one who watches", () => {
  for (const view of [viewOf("8H1", { ...TABLE, ...OPENED, turn: 1 }), viewOf("", { ...TABLE, seat: null })]) {
    const { lay: laid, layOff, swap: swaps, discard } = offers(view, ["8H1"]);
    assert.deepEqual([laid, layOff, swaps, discard], [null, [], [], false]);
  }
});
