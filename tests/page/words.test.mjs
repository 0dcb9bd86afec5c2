/** The page's words: each in all three languages, and the service's own sentences in them. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { HAND_VARIANTS, HOKM_LEVELS, STATIC, TEXTS, pack } from "./around.mjs";
import * as words from "../../services/web/static/play/words.js";

const read = async (path) => {
  const file = path.startsWith("texts/") ? `${TEXTS}/${path.slice(6)}` : `${STATIC}/${path}`;
  return JSON.parse(await readFile(file, "utf8"));
};
const [fa, ar, en] = await Promise.all(words.LANGUAGES.map((one) => words.load(one, read)));
const valuesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

test("each text is in every language, with the same values", () => {
  for (const other of [ar, en]) {
    assert.deepEqual(Object.keys(other.own), Object.keys(fa.own));
    for (const [key, text] of Object.entries(other.own))
      assert.deepEqual(valuesIn(text), valuesIn(fa.own[key]), key);
  }
});

test("each text that the page says is there, and none that it does not say", async () => {
  const files = await Promise.all(
    ["play", "view"].map(async (folder) =>
      (await readdir(`${STATIC}/${folder}`, { recursive: true })).map((name) => `${STATIC}/${folder}/${name}`)));
  const source = (await Promise.all(files.flat().filter((file) => file.endsWith(".js")).map((file) => readFile(file, "utf8")))).join("\n");
  const begins = ["suit_", "rank_", "level_", "about_", "way_", "mine_", "game_", "variant_", "company_", "state_", "was_", "step_", "verdict_"];
  for (const key of Object.keys(fa.own)) {
    const made = begins.find((one) => key.startsWith(one));
    assert.ok(source.includes(made ? `\`${made}\${` : `"${key}"`) || source.includes(`own.${key}`), key);
  }
  for (const [, key] of source.matchAll(/say\((?:page\.)?words, "(\w+)"/g)) assert.ok(key in fa.own, key);
});

test("every card, way, level, variant and state has its words", () => {
  for (const one of [fa, ar, en]) {
    for (const state of ["lobby", "playing", "won", "lost", "abandoned", "ended"]) assert.ok(words.say(one, `state_${state}`));
    for (const variant of HAND_VARIANTS) assert.ok(words.say(one, `variant_${variant}`));
    for (const card of pack) assert.doesNotMatch(words.cardName(one, card), /undefined|\{/);
    for (const level of HOKM_LEVELS) assert.ok(words.say(one, `level_${level}`));
    for (const way of ["win", "kot", "hakem_kot"]) assert.ok(words.say(one, `way_${way}`));
  }
});

test("a card is called as at the table", () => {
  assert.equal(words.cardName(fa, "AS"), "آس پیک");
  assert.equal(words.cardName(ar, "QH"), "بنت كبة");
  assert.equal(words.cardName(en, "TD"), "ten of diamonds");
  assert.equal(words.cardName(en, "TD2"), "ten of diamonds");
  assert.deepEqual([fa, ar, en].map((one) => words.cardName(one, "JK2")), ["جوکر", "جوكر", "joker"]);
});

test("digits are the language's own, and names stand in an isolate", () => {
  assert.equal(words.say(fa, "percent", { percent: 42 }), "۴۲٪");
  assert.equal(words.say(ar, "percent", { percent: 42 }), "٤٢٪");
  assert.equal(words.say(en, "turn_of", { who: "Left" }), "\u2068Left\u2069 to play");
});

test("a minus stands at the left of its digits in every language", () => {
  assert.deepEqual([fa, ar, en].map((one) => words.say(one, "number", { number: -30 })), ["\u2066−۳۰\u2069", "\u2066−٣٠\u2069", "\u2066−30\u2069"]);
});

test("a refusal is said by the service's own sentence, an unknown one as a fault", () => {
  assert.equal(words.refusal(en, "not_your_turn"), "It is not your turn yet.");
  assert.equal(words.refusal(en, "of_tomorrow"), en.refusals.fault);
});

test("why no table was opened is said by the table's sentence, or by our own", () => {
  assert.equal(words.trouble(en, "draining"), en.refusals.draining);
  assert.equal(words.trouble(en, "none_left"), en.own.none_left);
});

test("a reason has its cards from left to right, or no colon", () => {
  assert.match(words.reason(fa, { why: "ruff", cards: ["9S", "TS"] }), /\u20669♠\ufe0e 10♠\ufe0e\u2069\.$/);
  assert.equal(words.reason(en, { why: "ruff", cards: [] }), "You have none of this suit, so trump it.");
});

test("the browser's language is spoken, else Persian", () => {
  assert.equal(words.spoken(["de-DE", "ar-EG", "en"]), "ar");
  assert.equal(words.spoken(["de"]), "fa");
  assert.deepEqual([fa, ar, en].map(words.directionOf), ["rtl", "rtl", "ltr"]);
});
