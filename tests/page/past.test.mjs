/** The past: its pages put together, where one stops and jumps to, whose eyes, what was noted of it. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { feedOf } from "./golden.mjs";
import { AGAIN, TRIES } from "../../services/web/static/play/asker.js";
import { MOST_HEADS, MOST_MATCHES, liveHead, note, noted, noting } from "../../services/web/static/play/heads.js";
import { gatherer, satAt } from "../../services/web/static/play/past/gathering.js";
import { led, parts, rounds } from "../../services/web/static/play/past/jumps.js";
import { said, thought } from "../../services/web/static/play/past/said.js";
import { seenBy, storyOf, viewerAt } from "../../services/web/static/play/past/story.js";
import { open as openReplay } from "../../services/web/static/play/past/watching.js";

const MATCH = "m_00000000000000000000000000000001";
const ME = "u_guest0006";
const GUIDE = feedOf("hokm-guide", 0);
const history = (events, more) => ({ type: "history", match: MATCH, events, more });

/** One who gathers, by a clock that the test turns. */
function gathered() {
  const it = { asked: [], ms: 0 };
  it.gatherer = gatherer((since) => it.asked.push(since), () => it.ms);
  it.gatherer.begin();
  return it;
}

test("pages are asked for one after the other, each from the last event on, until there is no more", () => {
  const it = gathered();
  it.gatherer.hear(history(GUIDE.slice(0, 40), true));
  it.gatherer.hear(history(GUIDE.slice(40, 80), true));
  assert.equal(it.gatherer.past().whole, false);
  it.gatherer.hear(history(GUIDE.slice(80), false));
  assert.deepEqual(it.asked, [0, 40, 80]);
  assert.deepEqual(it.gatherer.past(), { messages: GUIDE, whole: true, fault: null });
});

test("a page that came twice is taken once", () => {
  const it = gathered();
  it.gatherer.hear(history(GUIDE.slice(0, 40), true));
  it.gatherer.hear(history(GUIDE.slice(0, 40), true));
  it.gatherer.hear(history(GUIDE.slice(40), false));
  assert.deepEqual(it.gatherer.past().messages, GUIDE);
});

test("what does not come within 2 s is asked again, a few times, and then it is said", () => {
  const it = gathered();
  it.gatherer.tick();
  assert.equal(it.asked.length, 1);
  for (let at = 0; at < 2 * TRIES; at++) {
    it.ms += AGAIN;
    it.gatherer.tick();
  }
  assert.deepEqual([it.asked.length, it.gatherer.past().fault], [TRIES, "silent"]);
  it.gatherer.begin();
  assert.deepEqual([it.asked.length, it.gatherer.past().fault], [TRIES + 1, null]);
});

test("a table that says for ever that there is more, and tells nothing, is given up", () => {
  const it = gathered();
  for (let at = 0; at < 50 * TRIES; at++) {
    it.gatherer.hear(history(GUIDE.slice(0, 40), true));
    it.ms += AGAIN;
    it.gatherer.tick();
  }
  assert.equal(it.gatherer.past().fault, "silent");
  assert.ok(it.asked.length <= 2 * TRIES);
});

test("a refused ask is said by its code, another's refusal is none", () => {
  const it = gathered();
  it.gatherer.hear({ type: "refused", command: "a-command-of-ours", code: "stale_move" });
  assert.equal(it.gatherer.past().fault, null);
  it.gatherer.hear({ type: "refused", command: null, code: "unknown_match" });
  assert.equal(it.gatherer.past().fault, "unknown_match");
});

test("what happens meanwhile is the next event, once all before it is here", () => {
  const it = gathered();
  assert.equal(it.gatherer.hear(GUIDE[40]), false);
  it.gatherer.hear(history(GUIDE.slice(0, 40), false));
  assert.equal(it.gatherer.hear(GUIDE[40]), true);
  assert.equal(it.gatherer.hear(GUIDE[42]), false, "one is missing");
  assert.equal(it.gatherer.past().messages.length, 41);
  it.gatherer.begin();
  assert.deepEqual(it.asked, [0, 41]);
});

test("of a match that is over nothing more is asked", () => {
  const it = gathered();
  it.gatherer.hear(history(GUIDE, false));
  it.gatherer.begin();
  assert.deepEqual(it.asked, [0]);
});

test("where one sat, and whether to the end", () => {
  assert.deepEqual(satAt(GUIDE, ME), { seat: 0, whole: true });
  assert.equal(satAt(GUIDE, "u_nobody00").seat, null);
  const left = GUIDE.findIndex(({ event }) => event.body.type === "rest_dealt") + 1;
  const gone = { event: { ...GUIDE[left].event, body: { type: "seat_left", seat: 0 } } };
  assert.deepEqual(satAt([...GUIDE.slice(0, left), gone], ME), { seat: 0, whole: false });
  const before = GUIDE.findIndex(({ event }) => event.body.type === "match_started");
  assert.equal(satAt([...GUIDE.slice(0, before), gone, GUIDE[before]], ME).seat, null);
});

// Where one stops ------------------------------------------------------------------------------

const story = storyOf(GUIDE, ME);
const typeAt = (stop) => GUIDE[stop.at].event.body.type;

test("one stops at every card, at every trick that is taken, at every score; every event is in one stop", () => {
  const count = (type) => GUIDE.filter(({ event }) => event.body.type === type).length;
  for (const type of ["card_played", "trick_taken", "round_scored", "trump_chosen", "match_ended"])
    assert.equal(story.stops.filter((stop) => typeAt(stop) === type).length, count(type), type);
  assert.equal(story.stops.filter((stop) => typeAt(stop) === "cards_shuffled").length, 0);
  const covered = story.stops.flatMap(({ from, at }) => GUIDE.slice(from, at + 1));
  assert.deepEqual(covered, GUIDE);
});

test("H15 each round has its tricks, and a jump leads to a trick's first card", () => {
  const played = rounds(story.stops).filter(({ number }) => number > 0);
  assert.deepEqual(played.map(({ number }) => number), [...story.revealed]);
  for (const { number, at } of played) {
    assert.equal(typeAt(story.stops[at]), "five_dealt");
    const tricks = parts(story.stops, number);
    assert.deepEqual(tricks.map((one) => one.number), tricks.map((_, place) => place));
    assert.ok(tricks.length > 7);
    for (const trick of tricks.slice(1)) {
      const { view } = seenBy(story, "public", [])[story.stops[trick.at].at].known;
      assert.deepEqual([view.round, view.trick.length, view.earlier.length], [number, 1, trick.number - 1]);
    }
  }
});

test("keys lead a step, a trick, a round, to the ends; never beyond", () => {
  const { stops } = story;
  const last = stops.length - 1;
  const [, first, second] = rounds(stops);
  const third = parts(stops, 1)[3].at;
  assert.deepEqual(["ArrowLeft", "ArrowUp", "PageUp", "Home"].map((key) => led(stops, 0, key)), [0, 0, 0, 0]);
  assert.deepEqual(["ArrowRight", "ArrowDown", "PageDown", "End"].map((key) => led(stops, last, key)), Array(4).fill(last));
  assert.deepEqual(["ArrowLeft", "ArrowRight"].map((key) => led(stops, third, key)), [third - 1, third + 1]);
  assert.deepEqual(["ArrowUp", "ArrowDown"].map((key) => led(stops, third, key)), [parts(stops, 1)[2].at, parts(stops, 1)[4].at]);
  assert.deepEqual(["PageUp", "PageDown"].map((key) => led(stops, third, key)), [first.at, second.at]);
  assert.equal(led(stops, third, "a"), null);
});

test("another's eyes are for revealed rounds only", () => {
  const cut = storyOf(GUIDE.slice(0, story.stops[rounds(story.stops)[2].at + 12].at), ME);
  const [inFirst, inSecond] = [rounds(cut.stops)[1].at, rounds(cut.stops)[2].at].map((at) => cut.stops[at]);
  for (const viewer of ["all", 1, 2, 3]) {
    assert.equal(viewerAt(cut, inFirst, viewer), viewer);
    assert.equal(viewerAt(cut, inSecond, viewer), "mine");
    assert.equal(viewerAt({ ...cut, seat: null }, inSecond, viewer), "public");
  }
  assert.equal(viewerAt({ ...cut, seat: null }, inFirst, "mine"), "public");
});

// In words -------------------------------------------------------------------------------------

const WORDS = { language: "en", own: { was_card_played: "{who}: {card}", card_name: "{rank} of {suit}", rank_A: "ace", suit_S: "spades" } };
const eyes = { words: WORDS, who: (seat) => `seat ${seat}`, mine: 0, sides: true };
const plain = (text) => text.replace(/[\u2066-\u2069]/g, "");

test("an event is said with who did it, and how long that took", () => {
  const event = { origin: "player", time: 5_000, seat: 2, body: { type: "card_played", card: "AS" } };
  assert.equal(plain(said(eyes, event)), "seat 2: ace of spades");
  assert.equal(thought(event, { time: 1_500 }), 3_500);
  assert.equal(thought(event, { time: 9_000 }), 0, "a clock was set back");
  assert.equal(thought({ ...event, origin: "rule" }, { time: 1_500 }), null);
  assert.equal(said(eyes, { ...event, body: { type: "of_tomorrow" } }), "");
});

// The room -------------------------------------------------------------------------------------

/** Somebody in the replay of that match, told all of it. */
function watching(messages, run) {
  return async () => {
    mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
    const it = { asked: [] };
    const link = { ask: (_, what, since) => it.asked.push([what, since]) };
    it.room = openReplay({ match: MATCH }, { session: { player: ME }, link, meet() {} }, (state) => (it.state = state));
    it.room.again();
    it.room.take(history(messages, false));
    try {
      await run(it);
    } finally {
      it.room.leave();
      mock.timers.reset();
    }
  };
}

test("it begins at the first deal, as one saw it, and goes where it is told", watching(GUIDE, ({ asked, state, room, ...it }) => {
  assert.deepEqual(asked, [["history", 0]]);
  assert.deepEqual([state.frame.viewer, state.playing], ["mine", false]);
  assert.deepEqual(state.story.stops.slice(state.at - 1, state.at + 1).map(({ round }) => round), [0, 1]);
  assert.equal(room.press("x"), false);
  assert.equal(room.press("End"), true);
}));

test("it plays by itself, at a person's pace, to the end, and then from the first deal", watching(GUIDE, (it) => {
  const { stops } = it.state.story;
  const deal = stops.findIndex(({ round }) => round > 0);
  it.room.go(stops.length - 4);
  it.room.play();
  assert.equal(it.state.playing, true);
  mock.timers.tick(700);
  assert.equal(it.state.at, stops.length - 4, "it takes its time");
  for (let at = 0; at < 4; at++) mock.timers.tick(4_000);
  assert.deepEqual([it.state.at, it.state.playing], [stops.length - 1, false]);
  it.room.play();
  assert.deepEqual([it.state.at, it.state.playing], [deal, true]);
  it.room.press("ArrowRight");
  mock.timers.tick(20_000);
  assert.deepEqual([it.state.at, it.state.playing], [deal + 1, false], "who steps has enough of it");
}));

test("all hands lie open where the round is revealed, and they are all the cards that are left", watching(GUIDE, async (it) => {
  await it.room.look("all");
  it.room.go(it.state.story.stops.length - 1);
  assert.equal(it.state.frame.viewer, "all");
  it.room.go(rounds(it.state.story.stops)[1].at + 2);
  assert.equal(new Set(it.state.frame.hands.flat()).size, 52);
  await it.room.look(2);
  assert.equal(it.state.frame.hands, null);
  assert.equal(it.state.frame.news.known.view.seat, 2);
}));

test("the fire pile may be looked at, until one goes on; nothing else changes anything", watching(GUIDE, (it) => {
  it.room.keep({ looking: true });
  assert.deepEqual(it.state.own, { looking: true });
  it.room.press("ArrowRight");
  assert.deepEqual(it.state.own, {});
  it.room.keep({ chosen: ["2S1"] });
  assert.deepEqual(it.state.own, { looking: false });
}));

test("a match that goes on is followed, and where one looks stays", watching(GUIDE.slice(0, 60), async (it) => {
  await it.room.look("all");
  it.room.go(20);
  it.room.take(GUIDE[60]);
  assert.deepEqual([it.state.story.messages.length, it.state.at], [61, 20]);
}));

test("what is of no game of this page is not shown as one", watching([{ ...GUIDE[0], event: { ...GUIDE[0].event, body: { ...GUIDE[0].event.body, options: { game: "belote" } } } }], (it) => {
  assert.deepEqual([it.state.fault, it.state.story], ["other_game", null]);
}));

// What was noted -------------------------------------------------------------------------------

const head = (digit) => digit.repeat(64);

test("the head of what happens is noted, and of how a match stands; what is told of the past is not", () => {
  assert.deepEqual(liveHead(GUIDE[3]), { match: GUIDE[3].event.match, note: [4, GUIDE[3].head] });
  const snapshot = { type: "snapshot", match: MATCH, version: 9, head: head("a") };
  assert.deepEqual(liveHead(snapshot), { match: MATCH, note: [9, head("a")] });
  assert.equal(liveHead({ ...snapshot, over: "ended" }), null);
  assert.equal(liveHead(history(GUIDE, false)), null);
});

test("what was noted of a version is not noted otherwise later", () => {
  const notes = noting([], MATCH, [9, head("a")]);
  assert.equal(noting(notes, MATCH, [9, head("b")]), notes);
  assert.equal(noting(notes, MATCH, [8, head("b")]), notes);
});

test("of each match some heads are kept, the first and the last among them; of the last matches", () => {
  let notes = [];
  for (let version = 1; version <= 100; version++) {
    notes = noting(notes, MATCH, [version, head("a")]);
    assert.ok(notes[0][1].length <= MOST_HEADS);
    assert.deepEqual([notes[0][1][0][0], notes[0][1].at(-1)[0]], [1, version]);
  }
  for (let match = 0; match < 2 * MOST_MATCHES; match++) notes = noting(notes, `m_${match}`, [1, head("a")]);
  assert.equal(notes.length, MOST_MATCHES);
  assert.equal(notes.at(-1)[0], `m_${2 * MOST_MATCHES - 1}`);
});

test("a browser that keeps nothing, or rubbish, hinders nobody", () => {
  const kept = { getItem: () => "{", setItem() { throw new Error("full"); } };
  globalThis.localStorage = kept;
  note(GUIDE[3]);
  assert.deepEqual(noted(MATCH), []);
  const store = new Map();
  globalThis.localStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) };
  note(GUIDE[3]);
  note(GUIDE[4]);
  assert.deepEqual(noted(GUIDE[3].event.match), [GUIDE[3].head, GUIDE[4].head]);
});
