/** Checking a deal: each step is shown, a forged match is shown as wrong, what cannot be told yet as open. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { mock, test } from "node:test";
import { STATIC } from "./around.mjs";
import { feedOf } from "./golden.mjs";
import { judged, open } from "../../services/web/static/play/past/checking.js";
import { fileOf } from "../../services/web/static/play/past/file.js";
import { countsOf, groupsOf, wrongOf } from "../../services/web/static/play/past/steps.js";
import { verify } from "../../services/web/static/verify.js";

const ME = "u_guest0006";
const SAT = { seat: 0, whole: true };
const NAMES = ["hokm-guide", "hokm-five-shown", "hand-saudi-3"];
const guide = () => structuredClone(feedOf("hokm-guide", 0));
const reported = async (messages, { seat = 0, heads = [] } = {}) => (await judged(messages, { seat, whole: true }, heads, verify)).report;

/** Each step that verify.js may say, by its own text; a file's header and signature no feed has. */
async function stepsOf() {
  const text = await readFile(`${STATIC}/verify.js`, "utf8");
  const said = [...text.matchAll(/\bsay(?:One)?\("(\w+)"/g)].map(([, step]) => step);
  return [...new Set(said)].filter((step) => step !== "header" && step !== "signed");
}

test("each step that can be said has its words, and no other", async () => {
  const steps = await stepsOf();
  assert.ok(steps.length > 15);
  for (const language of ["fa", "ar", "en"]) {
    const words = JSON.parse(await readFile(`${STATIC}/words/${language}.json`, "utf8"));
    const said = Object.keys(words).filter((key) => key.startsWith("step_")).map((key) => key.slice(5));
    const step = /^(back|on)$/; // those of the replay
    assert.deepEqual(said.filter((one) => !step.test(one)).sort(), [...steps].sort());
  }
});

test("each event that can happen has its words", async () => {
  const schema = await readFile(new URL("../../docs/schema/waraq.d.ts", import.meta.url), "utf8");
  const [, names] = /export type Body =([^;]*);/.exec(schema);
  const bodies = [...names.matchAll(/\| (\w+)/g)].map(([, name]) => name.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase());
  const en = JSON.parse(await readFile(`${STATIC}/words/en.json`, "utf8"));
  const said = (body) => `was_${body}` in en || `was_${body.replace("_changed", "_house")}` in en;
  assert.deepEqual(bodies.filter((body) => !said(body)), ["seat_drawn", "round_ended"]);
});

for (const name of NAMES) {
  test(`all that was told of ${name} holds, and every step is in a group`, async () => {
    const messages = feedOf(name, 0);
    const report = await reported(messages, { heads: [messages[20].head] });
    assert.deepEqual([report.whole, wrongOf(report)], [true, []]);
    const groups = groupsOf(report, messages);
    assert.deepEqual(groups.slice(0, 2).map((one) => one.name), ["log", "seals"]);
    const scored = messages.filter(({ event }) => event.body.type === "round_revealed").map(({ event }) => event.body.round);
    assert.deepEqual(groups.slice(2).map((one) => one.round), scored);
    assert.ok(groups.every(({ ok, lines }) => ok === true && lines.every((line) => line.ok === true)));
    const shown = groups.flatMap(({ lines }) => lines.flatMap(({ steps }) => steps));
    assert.equal(shown.length, report.steps.length);
    assert.deepEqual(countsOf(report), { held: report.steps.length, wrong: 0, open: 0 });
  });
}

test("a head that was changed is wrong, at its event", async () => {
  const forged = guide();
  forged[40].head = "5a".repeat(32);
  const report = await reported(forged);
  assert.deepEqual([wrongOf(report)[0].step, wrongOf(report)[0].version], ["chain", 41]);
  assert.equal(groupsOf(report, forged)[0].ok, false);
});

test("a card of mine that was swapped is wrong, at the event that brought it", async () => {
  const forged = guide();
  const at = forged.findIndex(({ cards }) => cards.length > 0);
  forged[at].cards = ["2S", ...forged[at].cards.slice(1)].reverse();
  const report = await reported(forged);
  assert.deepEqual([wrongOf(report)[0].step, wrongOf(report)[0].version], ["cards", at + 1]);
  const [, , first] = groupsOf(report, forged);
  assert.deepEqual([first.round, first.ok, first.lines.find(({ step }) => step === "cards").ok], [1, false, false]);
});

test("another log than the one that was played is wrong for who noted a head", async () => {
  const noted = guide()[60].head;
  const other = guide().slice(0, 50);
  assert.equal((await reported(other)).ok, true);
  assert.equal(wrongOf(await reported(other, { heads: [noted] }))[0].step, "head");
});

test("the first wrong event is first, whatever order the checks have", async () => {
  const forged = guide();
  forged.at(-1).event.body.secret = "5a".repeat(32);
  const at = forged.findIndex(({ cards }) => cards.length > 0);
  forged[at].cards = [...forged[at].cards].reverse();
  const versions = wrongOf(await reported(forged)).map(({ version }) => version);
  assert.deepEqual(versions, [...versions].sort((one, other) => one - other));
  assert.equal(versions[0], at + 1);
});

test("while a round is played its pack and the secret cannot be told, and nothing is wrong", async () => {
  const messages = feedOf("hokm-guide", 0, 50);
  const report = await reported(messages);
  assert.deepEqual([report.ok, report.whole, report.over], [true, false, false]);
  const open = groupsOf(report, messages).flatMap(({ lines }) => lines).filter(({ ok }) => ok === null);
  assert.deepEqual(open.map(({ step }) => step), ["secret", "reveal"]);
});

test("whoever did not sit checks all but cards", async () => {
  const report = await reported(feedOf("hokm-guide", null), { seat: null });
  assert.deepEqual([report.ok, report.whole], [true, true]);
  assert.ok(!report.steps.some(({ step }) => step === "cards"));
});

// The file -------------------------------------------------------------------------------------

test("the file of who sat to the end is a match file, which says all that was checked", async () => {
  const text = fileOf(guide(), SAT);
  const [header, first] = text.split("\n").map((line) => line && JSON.parse(line));
  assert.deepEqual([header.viewer, header.events, header.over], ["seat:0", guide().length, true]);
  assert.deepEqual(Object.keys(first), ["event", "head", "cards"]);
  assert.equal((await verify(text)).whole, true);
});

test("the file of who watched has no cards, and that of who came later is what his feed said", async () => {
  const watched = fileOf(feedOf("hokm-guide", null), { seat: null, whole: true });
  assert.doesNotMatch(watched, /"cards":\[/);
  assert.equal((await verify(watched)).whole, true);
  const late = fileOf(guide(), { seat: 0, whole: false });
  assert.equal(JSON.parse(late.split("\n")[0]).type, "event");
  assert.equal((await verify(late, { seat: 0 })).ok, true);
});

// The room -------------------------------------------------------------------------------------

globalThis.localStorage = { getItem: () => null, setItem() {} };
/** Until there is a report, or it is said why there is none. */
const settled = (it) =>
  new Promise((done) => {
    it.look = () => (it.state.report || it.state.fault) && done();
    it.look();
  });

/** Somebody in the room, before he is told anything. */
function checked(run) {
  return async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    const it = { asked: [] };
    const link = { ask: (_, what, since) => it.asked.push([what, since]) };
    const match = guide()[0].event.match;
    it.room = open({ match }, { session: { player: ME }, link, meet() {} }, (state) => {
      it.state = state;
      it.look?.();
    });
    it.tell = (events, more) => it.room.take({ type: "history", match, events, more });
    it.room.again();
    try {
      await run(it);
    } finally {
      it.room.leave();
      mock.timers.reset();
    }
  };
}

test("the whole history is asked for, and then checked with one's seat", checked(async (it) => {
  it.tell(guide().slice(0, 70), true);
  assert.equal(it.state.report, null);
  it.tell(guide().slice(70), false);
  await settled(it);
  assert.deepEqual(it.asked, [["history", 0], ["history", 70]]);
  assert.deepEqual([it.state.report.whole, it.state.sat], [true, SAT]);
}));

test("while the match goes on it may be checked again, with what has happened since", checked(async (it) => {
  it.tell(guide().slice(0, 70), false);
  await settled(it);
  assert.equal(it.state.report.events, 70);
  it.room.anew();
  assert.equal(it.state.report, null);
  it.tell(guide().slice(70), false);
  await settled(it);
  assert.deepEqual([it.asked.at(-1), it.state.report.events], [["history", 70], guide().length]);
}));

test("where the browser computes no hashes it is said so, and there is a file all the same", checked(async (it) => {
  const has = mock.getter(globalThis, "crypto", () => undefined);
  it.tell(guide(), false);
  await settled(it);
  has.mock.restore();
  assert.deepEqual([it.state.fault, it.state.messages.length], ["insecure", guide().length]);
}));
