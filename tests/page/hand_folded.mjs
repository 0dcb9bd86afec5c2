// Folds what viewers were told of matches of Hand, from the first event on and without any snapshot. A
// line of standard input is a viewer: `{seat, heard: [{message, view}]}`, `view` the table's own where it
// rests. Says of each how many were compared, and which are not the same.
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { begun } from "../../services/web/static/play/hand/view.js";
import { hear, nothing } from "../../services/web/static/play/match.js";

/** @param {any} known @param {any} message @param {number | null} seat */
function heardOf(known, message, seat) {
  const { version, body } = message.event;
  if (body.type !== "match_opened") return hear(known, message, 0).known;
  const view = begun(body.options, seat);
  return hear(known, { type: "snapshot", match: "", version, now: 0, move: 1, due: null, sitting: [], view }, 0).known;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { seat, heard } = JSON.parse(line);
  const wrong = [];
  let [known, compared] = [nothing(""), 0];
  for (const { message, view } of heard) {
    known = heardOf(known, message, seat);
    if (view === null) continue;
    compared += 1;
    for (const key of new Set([...Object.keys(view), ...Object.keys(known.view)]))
      if (!isDeepStrictEqual(known.view[key], view[key]))
        wrong.push({ version: message.event.version, key, ours: known.view[key], table: view[key] });
  }
  console.log(JSON.stringify({ compared, wrong: wrong.slice(0, 5) }));
}
