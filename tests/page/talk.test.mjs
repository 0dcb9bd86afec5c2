/** What is said and asked until it is answered, by a clock that the test turns. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGAIN, SILENCE, TRIES, adviser, asker } from "../../services/web/static/play/asker.js";
import { newMatch, nonce } from "../../services/web/static/play/opening.js";
import { speaker } from "../../services/web/static/play/speaker.js";

function clock() {
  const read = () => read.ms;
  read.ms = 1_000_000;
  return read;
}
const START = { type: "start_match" };

test("a command is said again after 2 s, the same bytes, until its event comes", async () => {
  const [said, now] = [[], clock()];
  const mouth = speaker((bytes) => said.push(bytes), now, () => "an-id");
  const answer = mouth.say(START, 7);
  mouth.tick();
  assert.deepEqual(said, ['{"id":"an-id","move":7,"action":{"type":"start_match"}}']);
  now.ms += AGAIN;
  mouth.tick();
  assert.deepEqual(said, [said[0], said[0]]);
  mouth.hear({ type: "event", command: "another" });
  mouth.hear({ type: "event", command: "an-id" });
  assert.equal((await answer).type, "event");
  now.ms += AGAIN;
  mouth.tick();
  assert.equal(said.length, 2);
});

test("the next command is said when the one before has its answer, also a refusal", async () => {
  const ids = ["one", "two"];
  const said = [];
  const mouth = speaker((bytes) => said.push(JSON.parse(bytes).id), clock(), () => ids.shift());
  const answers = [mouth.say(START), mouth.say(START)];
  assert.deepEqual(said, ["one"]);
  mouth.hear({ type: "refused", command: "one", code: "not_allowed" });
  assert.deepEqual(said, ["one", "two"]);
  assert.equal((await answers[0]).code, "not_allowed");
});

function asking(may = () => true) {
  const now = clock();
  const found = { now, count: 0 };
  found.asker = asker(() => (found.count += 1), may, now);
  return found;
}

test("one ask waits at a time, and is made again after 2 s without an answer", () => {
  const it = asking();
  it.asker.now();
  it.asker.now();
  assert.equal(it.count, 1);
  it.now.ms += AGAIN;
  it.asker.tick();
  assert.equal(it.count, 2);
  it.asker.hear({ type: "snapshot" });
  it.now.ms += AGAIN;
  it.asker.tick();
  assert.equal(it.count, 2);
});

test("after a silence it is asked whether there is news, if anybody wants to know", () => {
  for (const [may, asks] of [[true, 1], [false, 0]]) {
    const it = asking(() => may);
    it.now.ms += SILENCE;
    it.asker.tick();
    assert.equal(it.count, asks);
  }
});

test("an ask that was refused waits no more; a command's refusal is none of it", () => {
  const it = asking();
  it.asker.now();
  it.asker.hear({ type: "refused", command: "one" });
  it.asker.now();
  assert.equal(it.count, 1);
  it.asker.hear({ type: "refused", command: null });
  it.asker.now();
  assert.equal(it.count, 2);
});

test("advice is asked for some times, and then it is said that none came", () => {
  const now = clock();
  let [asks, none] = [0, 0];
  const it = adviser(() => (asks += 1), () => (none += 1), now);
  it.begin();
  for (let at = 0; at < 2 * TRIES; at++) {
    now.ms += AGAIN;
    it.tick();
  }
  assert.deepEqual([asks, none], [TRIES, 1]);
});

test("a match's id is a UUIDv7, and the nonce 32 bytes", () => {
  assert.match(newMatch(), /^m_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  assert.match(nonce(), /^[0-9a-f]{64}$/);
  assert.notEqual(nonce(), nonce());
});
