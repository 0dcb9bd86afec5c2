/** What is tried until it succeeds, and what the web worker's answers mean for that. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Declined, read } from "../../services/web/static/play/door.js";
import { AGAIN, LONGEST, insist } from "../../services/web/static/play/insist.js";

const real = globalThis.fetch;
afterEach(() => (globalThis.fetch = real));
const settle = () => new Promise((done) => setImmediate(done));

/** Acts that end as is said, one after the other; what was told, and the timers. */
function trying(...ends) {
  const it = { told: [], timers: [], acts: 0 };
  const act = async () => {
    const end = ends[it.acts++];
    if (end instanceof Error) throw end;
    return end;
  };
  it.done = insist(act, (failed) => it.told.push(failed), (run, ms) => it.timers.push({ run, ms }));
  return it;
}
const declined = (status, error, wait) => new Declined(status, { error }, wait);

test("it is done again after some seconds, and then it is over", async () => {
  const it = trying(new TypeError("offline"), "here");
  await settle();
  assert.deepEqual(it.told.map(({ code, seconds }) => [code, seconds]), [["away", AGAIN]]);
  assert.deepEqual([it.acts, it.timers[0].ms], [1, AGAIN * 1_000]);
  it.timers[0].run();
  assert.equal(await it.done, "here");
  assert.equal(it.acts, 2);
});

test("it waits as long as the server wants, but no more than a minute", async () => {
  const it = trying(declined(429, "too_many", 17), declined(503, "busy", 9_999), declined(503, "busy", 1), "here");
  for (const [at, seconds] of [17, LONGEST, AGAIN].entries()) {
    await settle();
    assert.equal(it.timers[at].ms, seconds * 1_000);
    it.timers[at].run();
  }
  assert.equal(await it.done, "here");
  assert.deepEqual(it.told.map(({ code }) => code), ["too_many", "busy", "busy"]);
});

test("somebody may have it tried at once, and the time that was waited for does nothing then", async () => {
  const it = trying(declined(429, "too_many", 30), "here");
  await settle();
  it.told[0].again();
  assert.equal(await it.done, "here");
  it.timers[0].run();
  await settle();
  assert.equal(it.acts, 2);
});

test("Retry-After is read, and an answer that is no JSON has the code of a fault", async () => {
  globalThis.fetch = async () => new Response("busy", { status: 503, headers: { "retry-after": "7" } });
  await assert.rejects(read("words/fa.json"), { status: 503, code: "fault", wait: 7 });
  globalThis.fetch = async () => new Response('{"error":"busy"}', { status: 503 });
  await assert.rejects(read("words/fa.json"), { status: 503, code: "busy", wait: 0 });
});

test("texts that did not come whole are none", async () => {
  globalThis.fetch = async () => new Response('{"title": "Wa');
  await assert.rejects(read("words/fa.json"), /whole/);
  globalThis.fetch = async () => new Response('{"title": "Waraq"}');
  assert.deepEqual(await read("words/fa.json"), { title: "Waraq" });
});
