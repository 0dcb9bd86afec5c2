/** What the browser keeps, or does not, or keeps as somebody else wrote it. */
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { enter } from "../../services/web/static/play/door.js";
import { note, noted } from "../../services/web/static/play/heads.js";
import { codeOf, keepCode } from "../../services/web/static/play/invitation.js";
import { keep, kept } from "../../services/web/static/play/kept.js";

const MATCH = "m_00000000000000000000000000000001";
const full = () => {
  throw new DOMException("full", "QuotaExceededError");
};
/** A browser's store with those values; `set` says what comes of writing into it. */
function storing(values, set = (name, value) => (values[name] = value)) {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => ({ getItem: (name) => values[name] ?? null, setItem: set }),
  });
  return values;
}
function forbid() {
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: full });
}

/** A web worker that makes guests and renews them. */
function web() {
  let guests = 0;
  const fetched = mock.method(globalThis, "fetch", async (_, { headers }) => {
    const token = headers.authorization?.slice(7) ?? `guest${++guests}`;
    return { ok: true, status: 201, headers: new Headers(), json: async () => ({ player: `u_${token}`, token }) };
  });
  return { guests: () => guests, end: () => fetched.mock.restore() };
}
afterEach(() => storing({}) && ["session", "heads", "codes", "liked"].forEach((name) => keep(name, "")));

test("a browser that keeps nothing, or is full, has one guest for all tries of a page", async () => {
  for (const store of [forbid, () => storing({}, full)]) {
    store();
    const it = web();
    const tries = [await enter(), await enter(), await enter()];
    assert.deepEqual([it.guests(), new Set(tries.map((one) => one.player)).size], [1, 1]);
    it.end();
    storing({});
    keep("session", "");
  }
});

test("what can be kept no more is remembered over what was kept; and kept again when it can be", () => {
  const values = storing({});
  keep("liked", "one");
  storing(values, full);
  keep("liked", "two");
  assert.deepEqual([kept("liked"), values["waraq.liked"]], ["two", "one"]);
  storing(values);
  keep("liked", "three");
  assert.deepEqual([kept("liked"), values["waraq.liked"]], ["three", "three"]);
});

const JUNK = ["null", "{}", "[null]", "[1]", "[[]]", '[["m"]]', '[["m",null]]', '[["m",[null]]]', '"x"', "{", ""];

test("heads that are none are none: the next is noted all the same", () => {
  for (const junk of JUNK) {
    storing({ "waraq.heads": junk });
    assert.deepEqual(noted(MATCH), [], junk);
    note({ type: "event", event: { match: MATCH, version: 3 }, head: "ab" });
    assert.deepEqual(noted(MATCH), ["ab"], junk);
  }
});

test("codes that are none are none: the next is kept all the same", () => {
  for (const junk of JUNK) {
    storing({ "waraq.codes": junk });
    assert.equal(codeOf(MATCH), null, junk);
    keepCode(MATCH, "code");
    assert.equal(codeOf(MATCH), "code", junk);
  }
});
