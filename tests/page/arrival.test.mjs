/** A place is entered when all that it needs is here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reached } from "../../services/web/static/play/arrival.js";
import { HOME, placeOf } from "../../services/web/static/play/places.js";
import { settle } from "./at_table.mjs";

const MATCH = `#m_${"0".repeat(32)}`;

function coming() {
  const it = { address: "", entered: [] };
  const [rooms, known, linked] = ["rooms", "known", "linked"].map((name) => new Promise((here) => (it[name] = here)));
  it.to = async (address) => {
    it.address = address;
    it.entered.push((await reached(() => placeOf(it.address), { rooms, known, linked }))?.room ?? null);
  };
  return it;
}

test("a match waits for the broker, what was played of it too; a list for who we are alone", async () => {
  for (const [address, needs] of [[MATCH, ["known", "rooms", "linked"]], [`${MATCH}/replay`, ["linked", "rooms", "known"]],
    ["#tables", ["rooms", "known"]], ["#standings", ["known", "rooms"]]]) {
    const it = coming();
    it.to(address);
    for (const need of needs) {
      await settle();
      assert.deepEqual(it.entered, [], `${address} without ${need}`);
      it[need]();
    }
    await settle();
    assert.deepEqual(it.entered, [placeOf(address).room]);
  }
});

test("who has gone elsewhere meanwhile is not brought back; home needs nothing", async () => {
  const it = coming();
  it.to(MATCH);
  it.to("");
  await settle();
  assert.deepEqual(it.entered, [HOME.room]);
  it.to("#tables");
  ["rooms", "known", "linked"].forEach((need) => it[need]());
  await settle();
  assert.deepEqual(it.entered.filter(Boolean), [HOME.room, "tables"]);
  assert.equal(it.entered.length, 3);
});
