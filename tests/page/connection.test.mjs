/** The feed that is heard: nothing in it makes the page deaf. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { listen, watch } from "../../services/web/static/play/connection.js";

async function* feed(...texts) {
  for (const text of texts) yield { json: () => JSON.parse(text) };
}

test("a message that fails, or is no JSON, stops none after it", async () => {
  const told = mock.method(console, "error", () => {});
  const heard = [];
  await listen(feed('{"n":1}', "{", "null", '{"n":2}', '{"n":3}'), ({ n }) => {
    heard.push(n);
    if (n === 2) throw new Error("cannot be drawn");
  });
  assert.deepEqual([heard, told.mock.callCount()], [[1, 2, 3], 1]);
  told.mock.restore();
});

test("a token that the broker does not take is told, and what else it may say is not", async () => {
  async function* status() {
    for (const name of ["UserAuthenticationExpiredError", "PermissionViolationError", "AuthorizationError"])
      yield { type: "error", error: Object.assign(new Error(), { name }) };
    yield { type: "disconnect" };
    yield { type: "reconnect" };
  }
  const told = [];
  await watch(status(), (up) => told.push(up), () => told.push("refused"));
  assert.deepEqual(told, ["refused", "refused", false, true]);
});
