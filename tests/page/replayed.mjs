// Walks through one match as the page's replay does, from standard input: `{player, messages, hands, views}`.
// `hands`: everybody's cards by event, as the table's judge sees them; `views`: the table's own view by event,
// for each viewer that the replay knows. Says where they differ, of the stops at which the table rests.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { opened } from "../../services/web/static/play/past/hands.js";
import { seenBy, storyOf, viewerAt } from "../../services/web/static/play/past/story.js";
import { handDeal, hokmDeal } from "../../services/web/static/verify.js";

const { player, messages, hands, views, sitting } = JSON.parse(readFileSync(0, "utf8"));
const story = storyOf(messages, player);
const open = opened(messages, story.opened.options, { hokmDeal, handDeal });
const found = { seat: story.seat, wrong: [], compared: {}, refused: {} };
const rests = ({ at }) => !["rule", "chance"].includes(messages[at + 1]?.event.origin);

/** Who sits down in the middle of his seat's turn is told its cards, not which of them was drawn. */
function satDownMeanwhile(version) {
  const past = messages.slice(0, version).map(({ event }) => event);
  const sat = past.findLastIndex(({ body }) => body.type === "seat_taken" && body.player === player);
  return sat > past.findLastIndex(({ seat, body }) => seat === story.seat && body.type === "card_drawn");
}

function compare(version, viewer, ours, table) {
  found.compared[viewer] = (found.compared[viewer] ?? 0) + 1;
  for (const key of Object.keys(table))
    if (!isDeepStrictEqual(ours[key], table[key]) && !(key === "drawn" && viewer === "mine" && satDownMeanwhile(version)))
      found.wrong.push({ version, viewer, key, ours: ours[key], table: table[key] });
}

for (const [viewer, table] of Object.entries(views)) {
  const eyes = /^\d$/.test(viewer) ? Number(viewer) : viewer;
  const seen = seenBy(story, eyes, open);
  for (const stop of story.stops.filter(rests).filter(({ at }) => table[at])) {
    if (viewerAt(story, stop, eyes) !== eyes) found.refused[viewer] = (found.refused[viewer] ?? 0) + 1;
    else compare(stop.at + 1, viewer, seen[stop.at].known.view, table[stop.at]);
  }
}
const all = seenBy(story, "all", open);
for (const stop of story.stops.filter(rests)) {
  compare(stop.at + 1, "sitting", { all: all[stop.at].known.sitting }, { all: sitting[stop.at] });
  if (!hands[stop.at] || !open[stop.at]) continue;
  const ours = open[stop.at].hands.map((cards) => [...cards].sort());
  compare(stop.at + 1, "all", { hands: ours }, { hands: hands[stop.at] });
}
console.log(JSON.stringify({ ...found, wrong: found.wrong.slice(0, 5) }));
