// Folds what a seat was told of one match, from standard input: `[{message, view, rests}]`. Says at which
// versions, of those at which the table rests, the page's view is not the table's.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { hear, nothing } from "../../services/web/static/play/match.js";

const heard = JSON.parse(readFileSync(0, "utf8"));
const wrong = [];
let [known, compared] = [nothing(""), 0];
for (const { message, view, rests } of heard) {
  const { version } = message.event;
  const snapshot = { type: "snapshot", match: "", version, now: 0, move: 1, due: null, sitting: [] };
  const told = known.view !== null && view !== null;
  known = hear(known, told ? message : { ...snapshot, view }, 0).known;
  if (!told || !rests) continue;
  compared += 1;
  const table = { ...view, playable: [] };
  for (const key of Object.keys(table))
    if (!isDeepStrictEqual(known.view[key], table[key]))
      wrong.push({ version, key, ours: known.view[key], table: table[key] });
}
console.log(JSON.stringify({ compared, wrong: wrong.slice(0, 5) }));
