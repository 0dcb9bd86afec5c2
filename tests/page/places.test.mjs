/** Addresses of the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME, addressOf, matchOf, placeOf } from "../../services/web/static/play/places.js";

const MATCH = `m_${"0192f3a0b1c27d4e".repeat(2)}`;
const PLACES = [
  HOME,
  { room: "table", match: MATCH, code: null },
  { room: "table", match: MATCH, code: "k7wq2mzp9txa" },
  { room: "replay", match: MATCH },
  { room: "check", match: MATCH },
  { room: "tables" },
  { room: "standings" },
  { room: "matches" },
  { room: "player", player: "u_anne0000" },
];

test("each place has an address of its own, which leads back to it", () => {
  for (const place of PLACES) assert.deepEqual(placeOf(addressOf(place)), place);
  assert.equal(new Set(PLACES.map(addressOf)).size, PLACES.length);
});

test("what is no address is home", () => {
  for (const hash of ["", "#", "#m_1", `#${MATCH}/`, `#${MATCH}/sit/`, `#${MATCH}/sit/a b`, "#constructor"])
    assert.deepEqual(placeOf(hash), HOME, hash);
});

test("a place is at a match or at none", () => {
  assert.deepEqual(PLACES.map(matchOf), [null, MATCH, MATCH, MATCH, MATCH, null, null, null, null]);
});
