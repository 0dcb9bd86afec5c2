// Us at a table that the test speaks for, and time that it turns.
import { mock } from "node:test";
import { Sitting } from "../../services/web/static/play/sitting.js";

export const MATCH = "m_00000000000000000000000000000001";
export const ME = "u_anne0000";

/** What the table tells. @param {number} version @param {object} body @param {string | null} command */
export const event = (version, body, command = null) => ({
  type: "event",
  event: { match: MATCH, version, time: 1, origin: "player", seat: 0, body },
  head: "",
  cards: [],
  command,
});

/** A command of ours or an ask was refused. */
export const refused = (code, command = null) => ({ type: "refused", match: MATCH, command, code, move: 5, args: {} });

/** Whatever waits for an answer that has come goes on. */
export const settle = () => new Promise((done) => setImmediate(done));

/** Runs with `it`: `sitting`, its last `state`, what was `said` and `asked`, `pass(ms)`. `code`: that of
 * the invitation by which we came. */
export function atTable(run, code = null) {
  return async () => {
    const it = { said: [], asked: [], stickers: [], ms: 0 };
    const kept = {};
    globalThis.document = { hidden: false };
    globalThis.localStorage = { getItem: (name) => kept[name] ?? null, setItem: (name, value) => (kept[name] = value) };
    mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
    const now = mock.method(performance, "now", () => it.ms);
    it.pass = (ms) => {
      for (let left = ms; left > 0; left -= 500) {
        it.ms += 500;
        mock.timers.tick(500);
      }
    };
    const link = {
      say: (_, bytes) => it.said.push(JSON.parse(bytes)),
      ask: (_, what = "snapshot", since = 0, sticker = null) =>
        what === "sticker" ? it.stickers.push(sticker) : it.asked.push(what),
    };
    it.sitting = new Sitting(MATCH, ME, link, (state) => (it.state = state), code);
    try {
      await run(it);
    } finally {
      it.sitting.leave();
      mock.timers.reset();
      now.mock.restore();
    }
  };
}
