/** What a seat was told of a match that is kept in tests/golden: its lines, and its cards of the packs. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brought, opened } from "../../services/web/static/play/past/hands.js";
import { handDeal, hokmDeal } from "../../services/web/static/verify.js";

/** @param {string} name of the file @param {number | null} seat @param {number} [count] the first events of it */
export function feedOf(name, seat, count = undefined) {
  const path = fileURLToPath(new URL(`../golden/${name}.jsonl`, import.meta.url));
  const [, ...lines] = readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const open = opened(lines, lines[0].event.body.options, { handDeal, hokmDeal });
  return lines.slice(0, count).map(({ event, head }, at) => {
    const cards = seat === null ? [] : brought(open, event.body, at, seat);
    return { type: "event", event, head, cards, command: null };
  });
}
