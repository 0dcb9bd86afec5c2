/** A session stays good while the page is open. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ask, enter, onRefused, renewed } from "../../services/web/static/play/door.js";
import { BEFORE, REST, keeper } from "../../services/web/static/play/keeper.js";
import { settle } from "./at_table.mjs";

const ENDS = 10 * BEFORE;
const sessionOf = (player, token, ends = ENDS) => ({ player, token, ends, nats: "ws://x" });

function keeping(answer) {
  const it = { ms: 0, asked: 0, others: 0, session: sessionOf("u_anne0000", "old") };
  const fresh = async () => {
    it.asked += 1;
    if (!answer) throw new Error("away");
    return answer;
  };
  it.keeper = keeper(it.session, fresh, () => (it.others += 1), { now: () => it.ms, clock: () => it.ms });
  return it;
}

test("it is renewed before it ends, for all who have it, and not long before", async () => {
  const it = keeping(sessionOf("u_anne0000", "new", 2 * ENDS));
  it.ms = ENDS - BEFORE;
  await it.keeper.look();
  assert.equal(it.asked, 0);
  it.ms += 1;
  await it.keeper.look();
  assert.deepEqual([it.asked, it.session.token, it.session.ends, it.others], [1, "new", 2 * ENDS, 0]);
});

test("one that is refused is renewed at once, but not again and again", async () => {
  const it = keeping(null);
  await it.keeper.renew();
  await it.keeper.renew();
  it.ms = REST;
  await it.keeper.renew();
  assert.deepEqual([it.asked, it.session.token], [2, "old"]);
});

test("who is another player now is told so, and the old session stays as it was", async () => {
  const it = keeping(sessionOf("u_behrouz0", "new"));
  await it.keeper.renew();
  assert.deepEqual([it.others, it.session.token], [1, "old"]);
});

/** A web worker for which `good` tokens are good, and a browser that keeps `token`. */
function web(good, token = null) {
  const it = { kept: { "waraq.session": token }, asked: [] };
  globalThis.localStorage = { getItem: (name) => it.kept[name] ?? null, setItem: (name, value) => (it.kept[name] = value) };
  const fetched = mock.method(globalThis, "fetch", async (path, { headers }) => {
    new Headers(headers);
    const said = headers.authorization?.slice(7) ?? null;
    it.asked.push([path, said]);
    const ok = said === null || good.includes(said);
    const body = ok ? sessionOf(said === null ? "u_newguest" : "u_anne0000", said === null ? "guest" : `${said}+`) : { error: "refused" };
    return { ok, status: ok ? 201 : 401, headers: new Headers(), json: async () => body };
  });
  it.end = () => fetched.mock.restore();
  return it;
}

test("the renewed token is kept, but not over that of another page's player", async () => {
  const it = web(["old"], "old");
  assert.equal((await renewed(sessionOf("u_anne0000", "old"))).token, "old+");
  assert.equal(it.kept["waraq.session"], "old+");
  it.kept["waraq.session"] = "another";
  await renewed(sessionOf("u_anne0000", "old"));
  assert.equal(it.kept["waraq.session"], "another");
  it.end();
});

test("a session that is refused for good is a new guest's", async () => {
  const it = web([], "old");
  assert.equal((await renewed(sessionOf("u_anne0000", "old"))).player, "u_newguest");
  it.end();
});

test("a refused token is told, where it was not the session itself that was asked for", async () => {
  const it = web([], "old");
  let told = 0;
  onRefused(() => (told += 1));
  await assert.rejects(ask("GET", "/matches", "old"));
  assert.equal(told, 1);
  await enter();
  await settle();
  assert.equal(told, 1);
  onRefused(() => {});
  it.end();
});

test("a kept token that can be no token is none: it is not sent", async () => {
  for (const junk of ["ورق", "a\nb", "x".repeat(5_000), ""]) {
    const it = web(["good"], junk);
    assert.equal((await enter()).player, "u_newguest", junk.slice(0, 9));
    assert.deepEqual(it.asked, [["/session", null]]);
    it.end();
  }
});
