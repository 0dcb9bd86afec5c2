/** Seats on the screen, moves shown before they are confirmed, and why a card may not be played. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersMislead } from "../../services/web/static/play/advice.js";
import { inOrder, short } from "../../services/web/static/play/cards.js";
import { foreseen, whyNot } from "../../services/web/static/play/hokm.js";
import { next, place } from "../../services/web/static/play/seats.js";
import { hokm } from "../../services/web/static/view/hokm/table.js";

const VIEW = {
  phase: "playing",
  turn: 2,
  seat: 2,
  hakem: 1,
  trump: null,
  trick: [{ seat: 1, card: "9H" }],
  earlier: [],
  left: [5, 4, 5, 5],
  hand: ["2H", "AS"],
  playable: ["2H"],
};

test("H2 the next to play sits on my right, then my partner at the top, then the left", () => {
  for (const me of [0, 1, 2, 3]) {
    const round = [me, next(me), next(next(me)), next(next(next(me)))];
    assert.deepEqual(round.map((seat) => place(seat, me)), [0, 1, 2, 3]);
  }
  assert.equal(place(3, null), 3, "who watches looks from seat 0");
});

test("a card of mine lies on the table before the table has said so", () => {
  const now = foreseen(VIEW, { type: "play_card", card: "2H" });
  assert.deepEqual(now.hand, ["AS"]);
  assert.deepEqual(now.trick.at(-1), { seat: 2, card: "2H" });
  assert.deepEqual([now.turn, now.left[2]], [3, 4]);
  assert.deepEqual(VIEW.hand, ["2H", "AS"], "to take it back is to forget it");
});

test("H12 the line over my cards names what I may do; trump, once it is named", () => {
  const own = {
    your_lead: "lead any card",
    your_follow: "follow with {suit}",
    your_throw: "no {suit}",
    you_are_hakem: "name trump",
    hakem_chooses: "{who} names trump",
    was_trump_chosen: "{who}: trump is {suit}",
    turn_of: "{who} plays",
    suit_H: "hearts",
    suit_C: "clubs",
  };
  const words = { language: "en", own };
  /** @param {any} change */
  const line = (change) => hokm.line(words, { ...VIEW, ...change }, { scene: { over: false } }, (/** @type {number} */ seat) => `Seat ${seat}`).replaceAll(/[\u2068\u2069]/g, "");
  assert.equal(line({}), "follow with hearts");
  assert.equal(line({ hand: ["AS"] }), "no hearts");
  assert.equal(line({ trick: [] }), "lead any card");
  assert.equal(line({ turn: 3 }), "Seat 3 plays");
  assert.equal(line({ phase: "choosing_trump", turn: 1 }), "Seat 1 names trump");
  assert.equal(line({ phase: "choosing_trump", turn: 2, hakem: 2 }), "name trump");
  assert.equal(line({ phase: "choosing_trump", turn: 1, trump: "C" }), "Seat 1: trump is clubs");
});

test("trump is shown at once too, and the fourth card leaves nobody on turn", () => {
  assert.equal(foreseen(VIEW, { type: "choose_trump", suit: "C" }).trump, "C");
  const three = { ...VIEW, trick: [3, 0, 1].map((seat) => ({ seat, card: `9${"SHD"[seat % 3]}` })) };
  assert.equal(foreseen(three, { type: "play_card", card: "2H" }).turn, null);
});

test("H13 a card that may not be played is told why, by the refusal's code", () => {
  assert.equal(whyNot(VIEW, "2H"), null);
  assert.equal(whyNot(VIEW, "AS"), "must_follow_suit");
  assert.equal(whyNot({ ...VIEW, turn: 1 }, "2H"), "not_your_turn");
  assert.equal(whyNot({ ...VIEW, phase: "choosing_trump" }, "2H"), "wrong_phase");
});

test("cards lie by suit, the highest first, trumps before all, red and black in turn", () => {
  const cards = ["2C", "AS", "TD", "KS", "3H", "JD"];
  assert.deepEqual(inOrder(cards), ["AS", "KS", "3H", "2C", "JD", "TD"]);
  assert.deepEqual(inOrder(cards, "H"), ["3H", "2C", "JD", "TD", "AS", "KS"]);
  assert.equal(cards[0], "2C");
});

test("a card in a sentence has its mark as text, not as a picture", () => {
  assert.equal(short("TD"), "10♦\ufe0e");
});

test("H21 it is said that the chance is not all where a number names another card", () => {
  const of = (...all) => all.map(([chance, equal]) => ({ card: "2H", chance, equal }));
  assert.equal(numbersMislead(of([412, true], [397, false])), false);
  assert.equal(numbersMislead(of([412, true], [408, true])), false);
  assert.equal(numbersMislead(of([412, true], [408, false])), true, "the same number, and worse");
  assert.equal(numbersMislead(of([412, true], [430, true])), true);
  assert.equal(numbersMislead([]), false);
});
