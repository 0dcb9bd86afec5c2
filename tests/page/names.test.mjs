/** What players are called, and what seats are. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";
import { FRESH, MOST_ASKED, book, callMe, namesOf } from "../../services/web/static/play/names.js";
import { calledAt, sideName, whoIsWho, wonBy } from "../../services/web/static/view/names.js";
import { SEAT_WORDS, quoted } from "../../services/web/static/view/called.js";
import { STATIC } from "./around.mjs";

const words = { language: "en", own: JSON.parse(readFileSync(`${STATIC}/words/en.json`, "utf8")) };
const ids = (count) => Array.from({ length: count }, (_, at) => `u_${String(at).padStart(8, "0")}`);

function asking(answers = {}) {
  const it = { asked: [], names: {}, ms: 0 };
  const read = async (wanted) => {
    it.asked.push(wanted);
    if (!answers) throw new Error("away");
    return Object.fromEntries(wanted.filter((id) => answers[id]).map((id) => [id, answers[id]]));
  };
  it.book = book(read, (names) => (it.names = names), () => it.ms);
  return it;
}

test("a name is asked once for all who need it, also that of who has none, and again after a minute", async () => {
  const [anne, other] = ids(2);
  const answers = { [anne]: "Anne" };
  const it = asking(answers);
  await it.book.learn([anne, other, anne]);
  await it.book.learn([other, anne]);
  assert.deepEqual([it.asked, it.names], [[[anne, other]], { [anne]: "Anne" }]);
  it.ms = FRESH;
  delete answers[anne];
  await it.book.learn([anne]);
  assert.deepEqual([it.asked.length, it.names], [2, {}]);
});

test("no more are asked for at a time than the server tells", async () => {
  const it = asking();
  await it.book.learn(ids(MOST_ASKED + 3));
  assert.deepEqual(it.asked.map((one) => one.length), [MOST_ASKED, 3]);
});

test("names that cannot be had now keep those that are known, and are not asked for all the time", async () => {
  const it = asking(null);
  it.book.put("u_anne0000", "Anne");
  await it.book.learn(ids(1));
  await it.book.learn(ids(1));
  assert.deepEqual([it.asked.length, it.names], [1, { u_anne0000: "Anne" }]);
});

/** A web worker that answers so. */
function web(status, body) {
  const asked = [];
  const fetched = mock.method(globalThis, "fetch", async (path, { method, body: said }) => {
    asked.push([method, path, said && JSON.parse(said)]);
    const headers = { get: () => null };
    return { ok: status < 300, status, headers, json: async () => body };
  });
  return { asked, end: () => fetched.mock.restore() };
}

test("a name of one's own is what the service made of it; nothing said takes it away", async () => {
  const it = web(200, { player: "u_anne0000", name: "Anne" });
  assert.deepEqual(await callMe("token", " Anne "), { name: "Anne", no: null });
  assert.deepEqual(await callMe("token", "  "), { name: null, no: null });
  it.end();
  assert.deepEqual(it.asked, [["PUT", "/profile", { name: " Anne " }], ["DELETE", "/profile", undefined]]);
});

test("a name that is refused is told from one that cannot be kept now", async () => {
  for (const [code, no] of [["bad_name", "bad_name"], ["busy", "name_later"]]) {
    const it = web(422, { error: code });
    assert.deepEqual(await callMe("token", "x"), { name: null, no });
    it.end();
  }
});

test("profiles are read by id", async () => {
  const it = web(200, { profiles: [{ player: "u_anne0000", name: "Anne" }] });
  assert.deepEqual(await namesOf(["u_anne0000", "u_behrouz0"]), { u_anne0000: "Anne" });
  it.end();
  assert.deepEqual(it.asked, [["GET", "/profiles?ids=u_anne0000,u_behrouz0", undefined]]);
});

const HOKM = { game: "hokm", options: {}, seat: 1 };
const called = (seat) => ["Anne", "Behrouz", null, "Carim"][seat];
const all = (who) => [0, 1, 2, 3].map(who);

test("a seat is called by the name of who has it, else by where it is; I am I", () => {
  const who = whoIsWho(words, HOKM, 1, called);
  assert.deepEqual(all(who), ["Anne", "You", "Right opponent", "Carim"]);
  assert.deepEqual(all(who.beside), ["Left opponent", "Behrouz", "", "Partner"]);
});

test("who looks on has no right and no left: seats have numbers there", () => {
  const who = whoIsWho(words, { ...HOKM, seat: null }, null, called);
  assert.deepEqual(all(who), ["Anne", "Behrouz", "Seat 3", "Carim"]);
  assert.deepEqual(all(who.beside), ["Seat 1", "Seat 2", "", "Seat 4"]);
});

test("sides are we and they for who plays, and pairs of seats for who looks on", () => {
  assert.deepEqual([sideName(words, HOKM, 1), sideName(words, HOKM, 0)], ["Us", "Them"]);
  const looking = { ...HOKM, seat: null };
  assert.equal(sideName(words, looking, 1).replace(/[\u2068\u2069]/g, ""), "2 and 4");
});

test("who has won is told by names to who looks on: a side, or one who plays alone", () => {
  const plain = (view) => wonBy(words, view, whoIsWho(words, view, null, called)).replace(/[\u2068\u2069]/g, "");
  assert.equal(plain({ ...HOKM, seat: null, winner: 1 }), "Won by: Behrouz – Carim");
  const alone = { game: "hand", options: { variant: "saudi", seats: 3 }, seat: null, winner: 2 };
  assert.equal(plain(alone), "Won by: Seat 3");
});

test("who sits there is called by his name as the page knows it", () => {
  const page = { names: { u_anne0000: "Anne" } };
  const at = calledAt(page, [{ seat: 0, player: "u_anne0000" }, { seat: 1, player: null }, { seat: 2, player: "u_x" }]);
  assert.deepEqual([0, 1, 2].map(at), ["Anne", null, null]);
});

test("nobody is taken for a seat by his name: where it is one of its words the seat's own stands before it", () => {
  const who = (name) => whoIsWho(words, HOKM, 1, (seat) => (seat === 2 ? name : null))(2);
  for (const name of ["You", "PARTNER", "Ｙｏｕ", "یار", "يار", "ي\u200cار", "شريكك", "Seat 3", "صندلی ۲", "المقعد ٤"])
    assert.equal(who(name), `Right opponent «${name}»`);
  for (const name of ["Youssef", "Yara", "یارا", "Seaton", "Behrouz"]) assert.equal(who(name), name);
  const mine = whoIsWho(words, HOKM, 1, () => "Partner");
  assert.deepEqual([mine(1), mine.beside(1), quoted("us"), quoted("Ussama")], ["You", "«Partner»", "«us»", "Ussama"]);
});

test("every word for a seat or a side, in every language, is known as one", () => {
  const keys = ["you", "right", "partner", "left", "opponent", "opposite", "hakem", "we", "they"];
  const all = ["fa", "ar", "en"].map((one) => JSON.parse(readFileSync(`${STATIC}/words/${one}.json`, "utf8")));
  for (const own of all) {
    for (const key of keys) assert.equal(quoted(own[key]), `«${own[key]}»`);
    for (const key of ["seat", "player_of"]) {
      const text = own[key].replace(/\{\w+\}/, "2");
      assert.equal(quoted(text), `«${text}»`);
    }
  }
  const said = new Set(all.flatMap((own) => keys.map((key) => own[key].toLowerCase())));
  assert.deepEqual(SEAT_WORDS.filter((one) => !said.has(one)), []);
});
