/**
 * A match as one walks through it: the events at which one stops, the rounds and tricks (in Hand:
 * turns) they are in, and how the table looked there to whom.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {import("../../../../../docs/schema/waraq.js").MatchOpened} MatchOpened
 * @typedef {import("../../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("../match.js").Known} Known
 * @typedef {import("../match.js").News} News
 * @typedef {import("./hands.js").Open} Open
 *
 * @typedef {{at: number, from: number, round: number, part: number, hold: number}} Stop
 *   `at`: the place of its event; those from `from` on happened since the stop before. `round`: 0 before the
 *   first deal. `part`: which trick or turn of the round, 0 before the first. `hold`: ms that one looks at it.
 * @typedef {{messages: readonly Happened[], opened: MatchOpened, seat: number | null,
 *   stops: readonly Stop[], revealed: ReadonlySet<number>}} Story
 *   `seat`: that of the player who looks. `revealed`: rounds whose packs everybody was told.
 * @typedef {"mine" | "public" | "all" | number} Viewer a number: that seat
 */
import { begun } from "../games.js";
import { hear, nothing } from "../match.js";
import { satAt } from "./gathering.js";
import { holdOf } from "../stage.js";
import { brought } from "./hands.js";

const DEALS = new Set(["five_dealt", "hand_dealt"]);
/** What begins a turn of Hand; the starter's is a discard and nothing else (N5). */
const DRAWS = new Set(["card_drawn", "fire_taken"]);

/** @param {readonly Happened[]} messages from the first on @param {string} player @returns {Story} */
export function storyOf(messages, player) {
  const opened = /** @type {MatchOpened} */ (messages[0].event.body);
  const revealed = messages.flatMap(({ event: { body } }) => (body.type === "round_revealed" ? [body.round] : []));
  const story = { messages, opened, seat: satAt(messages, player).seat, stops: [], revealed: new Set(revealed) };
  return { ...story, stops: stopsOf(story) };
}

/** One stops where the table rested, and at what a person needs time to see.
 * @param {Story} story @returns {Stop[]} */
function stopsOf(story) {
  const { messages } = story;
  /** @type {Stop[]} */
  const stops = [];
  const news = folded(story, null, () => []);
  let [round, part, from] = [0, 0, 0];
  messages.forEach(({ event: { body } }, at) => {
    if (DEALS.has(body.type)) [round, part] = [round + 1, 0];
    if (begins(body, part, news[at - 1]?.known ?? null)) part += 1;
    const hold = holdOf(news[at]);
    if (!hold && !rests(messages[at + 1])) return;
    stops.push({ at, from, round, part, hold });
    from = at + 1;
  });
  return stops;
}

/** Does the table wait before that event? What follows by rule or chance comes with its cause.
 * @param {Happened | undefined} next */
const rests = (next) => !next || (next.event.origin !== "rule" && next.event.origin !== "chance");

/** Is it the first of a trick, of a turn? @param {Body} body @param {number} part
 * @param {Known | null} before */
function begins(body, part, before) {
  if (body.type === "card_played") return before?.view?.game === "hokm" && before.view.trick.length === 0;
  return DRAWS.has(body.type) || (body.type === "card_discarded" && part === 0);
}

/** What was news at each event to who sits at that seat.
 * @param {Story} story @param {number | null} seat @param {(at: number) => readonly string[]} cards
 * those that an event brought him @returns {News[]} */
function folded({ messages, opened }, seat, cards) {
  let known = first(opened, messages[0].event.match, seat);
  return messages.map((message, at) => {
    const heard = hear(ready(known, message, cards(at)), { ...message, cards: told(message, cards(at)) }, 0);
    known = heard.known;
    return { known, body: message.event.body, seat: message.event.seat };
  });
}

/** Who sits down in a match that goes on is told his whole hand, whatever he had before.
 * @param {Known} known @param {Happened} message @param {readonly string[]} cards @returns {Known} */
function ready(known, { event }, cards) {
  const before = { ...known, version: event.version - 1 };
  if (event.body.type !== "seat_taken" || !cards.length || !known.view) return before;
  return { ...before, view: /** @type {Known["view"]} */ ({ ...known.view, hand: cards }) };
}

/** @param {Happened} message @param {readonly string[]} cards */
const told = ({ event }, cards) => (event.body.type === "seat_taken" ? [] : cards);

/** @param {MatchOpened} opened @param {string} match @param {number | null} seat @returns {Known} */
function first({ options, owner, seats }, match, seat) {
  const sitting = seats.map(({ seat, filled_by, level = null }) => ({
    seat,
    player: filled_by === "owner" ? owner : null,
    control: filled_by === "house" ? /** @type {const} */ ("house") : /** @type {const} */ ("owner"),
    level,
  }));
  return { ...nothing(match), sitting, view: begun(options, seat) };
}

/** Whose eyes may look at that stop: those that are wished, if they may, else one's own.
 * @param {Story} story @param {Stop} stop @param {Viewer} wished @returns {Viewer} */
export function viewerAt(story, stop, wished) {
  const own = story.seat === null ? "public" : "mine";
  if (wished === "public" || wished === "mine") return wished === "mine" ? own : wished;
  return story.revealed.has(stop.round) ? wished : own;
}

/** What was news at each event to that viewer. @param {Story} story @param {Viewer} viewer
 * @param {readonly (Open | null)[]} open needed for a seat or all @returns {News[]} */
export function seenBy(story, viewer, open) {
  const { messages, seat } = story;
  if (viewer === "mine") return folded(story, seat, (at) => messages[at].cards);
  if (viewer === "public") return folded(story, null, () => []);
  if (viewer === "all") return folded(story, null, () => []).map((news, at) => laidOpen(news, open[at], seat ?? 0));
  return folded(story, viewer, (at) => brought(open, messages[at].event.body, at, viewer));
}

/** @param {News} news @param {Open | null} open @param {number} seat at the bottom @returns {News} */
function laidOpen(news, open, seat) {
  const { view } = news.known;
  const shown = view && open && { ...view, seat, hand: open.hands[seat] };
  return shown ? { ...news, known: { ...news.known, view: /** @type {Known["view"]} */ (shown) } } : news;
}
