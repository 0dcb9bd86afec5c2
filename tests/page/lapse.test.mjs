/** My time ran out: what the house played for me is told until I act again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf, lapsed } from "../../services/web/static/play/lapse.js";

const news = (body, seat = 0, version = 5) => ({ known: { version, view: { seat: 0 } }, body, seat });
const scene = { version: 4 };
const after = (...all) => all.reduce((lapse, one) => lapsed(lapse, one, scene), null);

const timedOut = news({ type: "turn_timed_out", seat: 0 });
const played = news({ type: "card_played", card: "7C" });

test("the card that was played for me is told while the others play", () => {
  const told = after(timedOut, played, news({ type: "card_played", card: "9C" }, 1), news({ type: "trick_taken", by: 0 }, null));
  assert.deepEqual([told.card, keyOf(told)], ["7C", "time_up_card"]);
});

test("it is told no more once I have played myself, nor in a new round", () => {
  assert.equal(after(timedOut, played, news({ type: "card_played", card: "2C" })), null);
  assert.equal(after(timedOut, played, news({ type: "five_dealt" }, null)), null);
});

test("of a turn of Hand the card that was thrown is told, not the one that was drawn", () => {
  const drawn = news({ type: "card_drawn", card: null });
  assert.equal(keyOf(after(timedOut, drawn)), "time_up_mine");
  assert.equal(after(timedOut, drawn, news({ type: "card_discarded", card: "KD2" })).card, "KD2");
});

test("trump that was named for me is told", () => {
  const told = after(timedOut, news({ type: "trump_chosen", suit: "H" }));
  assert.deepEqual([told.suit, keyOf(told)], ["H", "time_up_trump"]);
});

test("another's time is not mine, and who comes back later is told nothing old", () => {
  assert.equal(after(news({ type: "turn_timed_out", seat: 1 }, 1), played), null);
  const snapshot = (version) => news(null, null, version);
  assert.equal(after(timedOut, played, snapshot(9)), null);
  assert.notEqual(after(timedOut, played, snapshot(4)), null);
});
