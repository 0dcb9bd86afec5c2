/** The code in an invitation's link. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { LENGTH, MOST_KEPT, codeOf, hashOf, keepCode, newCode } from "../../services/web/static/play/invitation.js";
import { placeOf } from "../../services/web/static/play/places.js";

function browser(kept = {}) {
  globalThis.localStorage = { getItem: (name) => kept[name] ?? null, setItem: (name, value) => (kept[name] = value) };
}
const matchOf = (number) => `m_${String(number).padStart(32, "0")}`;

test("a code has twelve letters and digits, each as likely, and fits into an address", () => {
  const code = newCode();
  assert.equal(code.length, LENGTH);
  assert.equal(placeOf(`#${matchOf(1)}/sit/${code}`).code, code);
  assert.notEqual(code, newCode());
  const bytes = [255, 248, 0, 61, 62, 247, ...Array(8).fill(1)];
  assert.equal(newCode(() => bytes.shift()), "A9A9BBBBBBBB", "bytes from 248 on are drawn anew");
});

test("the table is given the code's SHA-256", async () => {
  assert.equal(await hashOf("k7wq2mzp9txa"), createHash("sha256").update("k7wq2mzp9txa").digest("hex"));
});

test("codes are kept by match, those of the latest tables only", () => {
  browser();
  for (let at = 0; at <= MOST_KEPT; at++) keepCode(matchOf(at), `code${at}`);
  assert.equal(codeOf(matchOf(MOST_KEPT)), `code${MOST_KEPT}`);
  assert.equal(codeOf(matchOf(1)), "code1");
  assert.equal(codeOf(matchOf(0)), null);
});

test("what is kept and cannot be read is as nothing", () => {
  browser({ "waraq.codes": "[[" });
  assert.equal(codeOf(matchOf(1)), null);
  keepCode(matchOf(1), "anew");
  assert.equal(codeOf(matchOf(1)), "anew");
});
