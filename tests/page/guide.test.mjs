/** How the games are played, in every language: short, and with a word for every sign. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { STATIC } from "./around.mjs";

const LANGUAGES = ["fa", "ar", "en"];
const read = async (path) => readFile(`${STATIC}/${path}`, "utf8");
const guides = await Promise.all(LANGUAGES.map(async (one) => JSON.parse(await read(`words/guide/${one}.json`))));

test("each game has six to ten short lines, as many in every language", () => {
  for (const guide of guides) {
    for (const game of ["hokm", "hand"]) {
      assert.ok(guide[game].length >= 6 && guide[game].length <= 10, game);
      assert.equal(guide[game].length, guides[0][game].length);
      for (const line of guide[game]) assert.ok(line.length <= 125, line);
    }
  }
});

test("each sign that is shown is explained, and no other", async () => {
  const source = await read("view/guide.js");
  const seen = source.match(/const SEEN = \{(.*)\}/)[1];
  const signs = [...seen.matchAll(/"(\w+)"/g)].map((found) => found[1]).sort();
  for (const guide of guides) assert.deepEqual(Object.keys(guide.signs).sort(), signs);
});

test("digits are the language's own", () => {
  assert.match(JSON.stringify(guides[0]), /۵۱/);
  assert.match(JSON.stringify(guides[1]), /٥١/);
  for (const guide of guides.slice(0, 2)) assert.doesNotMatch(JSON.stringify(guide), /[0-9]/);
});
