/** Kinds that are newer than this page: a game, a variant, a status, a level, a code. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reason, refusal, say, stickerText, trouble } from "../../services/web/static/play/words.js";
import { Match } from "../../services/web/static/view/lists/matches.js";
import { Records } from "../../services/web/static/view/lists/player.js";
import { Waiting } from "../../services/web/static/view/lists/tables.js";
import { Plate } from "../../services/web/static/view/seats.js";
import { STATIC, TEXTS } from "./around.mjs";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const words = {
  language: "en",
  own: read(`${STATIC}/words/en.json`),
  refusals: read(`${TEXTS}/en.json`),
  reasons: read(`${TEXTS}/reasons/en.json`),
  stickers: read(`${TEXTS}/stickers/en.json`),
};
const ME = "u_anne0000";
const HOKM = { game: "hokm", target: 2, win: 1, kot: 2, hakem_kot: 3, show_five_before_trump: false };

/** All text of what is drawn, without the isolates. */
function textOf(node) {
  if (Array.isArray(node)) return node.map(textOf).join(" ");
  if (typeof node?.type === "function") return textOf(node.type(node.props));
  if (node?.type) return textOf(node.props.children);
  return typeof node === "string" ? node.replace(/[\u2066-\u2069]/g, "") : "";
}
const lineOf = (options, more = {}) => ({
  match: `m_${"0".repeat(32)}`, game: options.game, status: "ended", owner: ME, masked: true, options, free: 1,
  seats: [{ seat: 0, player: ME, level: null }, { seat: 1, player: null, level: "black" }],
  opened: 1, started: 1, ended: 2, rounds: 1, score: [3, 4], winner: 0, ...more,
});
const matchOf = (line) => textOf(Match({ words, line, me: ME }));

test("a match of a newer game, variant or status is listed with that one's own name", () => {
  assert.match(matchOf(lineOf({ game: "tarneeb" })), /tarneeb.*Over.*3 \| 4/);
  assert.match(matchOf(lineOf({ game: "hand", variant: "gulf", seats: 4, rounds: 3 })), /Hand.*gulf/);
  assert.match(matchOf(lineOf(HOKM, { status: "paused" })), /Hokm.*paused/);
  assert.match(matchOf(lineOf(HOKM)), /Hokm.*Won.*3 – 4/);
});

test("a table that waits, a record and a plate may be of a newer kind", () => {
  const page = { words, names: {}, me: ME };
  const seats = [{ seat: 0, level: null }, { seat: 1, level: "golden" }];
  assert.match(textOf(Waiting({ page, line: lineOf({ game: "tarneeb" }, { seats }) })), /tarneeb.*golden/);
  assert.match(textOf(Records({ words, records: [{ game: "tarneeb", played: 3, won: 1, left: 0 }] })), /tarneeb/);
  const scene = { sitting: [{ seat: 1, level: "golden" }], said: { 1: "newest" } };
  assert.match(textOf(Plate({ words, scene, who: () => "Right", seat: 1, turn: false, at: 1 })), /Right.*golden/);
});

test("a code that every object has is as unknown as any other", () => {
  const code = "constructor";
  assert.equal(refusal(words, code), words.refusals.fault);
  assert.equal(trouble(words, code), words.refusals.fault);
  assert.deepEqual([stickerText(words, code), reason(words, { why: code, cards: [] })], ["", ""]);
  assert.throws(() => say(words, code), /no words/);
});
