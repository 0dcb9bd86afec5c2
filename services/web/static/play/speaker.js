/**
 * One command after the other, each said until it is answered: by its event, or by a refusal. Said
 * again it is the same bytes, which the table takes once (docs/clients.md).
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Action} Action
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {import("../../../../docs/schema/waraq.js").Refused} Refused
 * @typedef {import("../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {{id: string, bytes: string, answered: (answer: Happened | Refused) => void}} Waiting
 */
import { AGAIN } from "./asker.js";

export const newId = () => crypto.randomUUID().replaceAll("-", "");

/** @param {(bytes: string) => void} publish @param {() => number} clock in ms */
export function speaker(publish, clock, makeId = newId) {
  /** @type {Waiting[]} */
  let waiting = [];
  let said = 0;
  function again() {
    if (!waiting[0]) return;
    said = clock();
    publish(waiting[0].bytes);
  }
  return {
    /** @param {Action} action @param {number | null} move
     * @returns {Promise<Happened | Refused>} */
    say(action, move = null) {
      const id = makeId();
      return new Promise((answered) => {
        waiting.push({ id, bytes: JSON.stringify({ id, move, action }), answered });
        if (waiting.length === 1) again();
      });
    },
    /** Say what has no answer yet once more: there is a new connection. */
    again,
    tick: () => clock() - said >= AGAIN && again(),
    /** @param {Feed} message */
    hear(message) {
      const [first] = waiting;
      const answers = message.type === "event" || message.type === "refused";
      if (!first || !answers || message.command !== first.id) return;
      waiting = waiting.slice(1);
      first.answered(message);
      again();
    },
  };
}
