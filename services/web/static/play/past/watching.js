/**
 * Us looking at a match again: its story, where in it we are, whose eyes we look with.
 *
 * @typedef {import("./story.js").Story} Story
 * @typedef {import("./story.js").Stop} Stop
 * @typedef {import("./story.js").Viewer} Viewer
 * @typedef {import("./hands.js").Open} Open
 * @typedef {import("./hands.js").Deals} Deals
 * @typedef {import("../match.js").News} News
 * @typedef {import("./gathering.js").Past} Past
 * @typedef {import("../../../../../docs/schema/waraq.js").Event} Event
 *
 * @typedef {{news: News, events: readonly Event[], before: Event | undefined, viewer: Viewer,
 *   hands: Open["hands"] | null}} Frame
 *   What is shown at a stop: `events` happened since the stop before, `before` is the one before them; `hands`:
 *   everybody's cards, where all lie open.
 * @typedef {{count: number, fault: string | null, story: Story | null, at: number, playing: boolean,
 *   frame: Frame | null, own: {looking?: boolean}}} State
 *   `count`: events that are here. `fault`: why there is no story, a refusal's code, `silent` or `other_game`.
 *   `at`: the place of a stop. `own`: what the game keeps of what one has in mind: here, whether one
 *   looks at the fire pile of Hand.
 */
import { verifier } from "./checking.js";
import { shown } from "../games.js";
import { gathering, playersIn } from "./gathering.js";
import { opened } from "./hands.js";
import { bounded, led } from "./jumps.js";
import { seenBy, storyOf, viewerAt } from "./story.js";

/** Milliseconds that a stop is looked at while it plays by itself: twice as long as at the table. */
const [SLOWER, LEAST, MOST] = [2, 800, 4_000];
/** @param {Stop} stop */
const paceOf = ({ hold }) => Math.max(LEAST, Math.min(MOST, hold * SLOWER));

/** Where one begins to look: what lies before it is an empty table. @param {Story | null} story */
const firstDeal = (story) => Math.max(0, story?.stops.findIndex(({ round }) => round > 0) ?? 0);

/** @type {import("../rooms.js").Open} */
export const open = ({ match }, house, changed) => new Watching(match, house, changed);

export class Watching {
  #changed;
  #player;
  #meet;
  #gathering;
  /** @type {State} */
  #state = { count: 0, fault: null, story: null, at: 0, playing: false, frame: null, own: {} };
  /** @type {Viewer} */
  #wished = "mine";
  /** @type {Deals | null} */
  #deals = null;
  /** @type {(Open | null)[]} */
  #open = [];
  /** @type {Map<Viewer, News[]>} */
  #seen = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  #gone = false;

  /** @param {string} match @param {import("../rooms.js").House} house
   * @param {(state: State) => void} changed */
  constructor(match, { session, link, meet }, changed) {
    this.#changed = changed;
    this.#player = session.player;
    this.#meet = meet;
    this.#gathering = gathering(match, link, (past) => this.#told(past));
    this.take = this.#gathering.take;
    this.again = this.#gathering.again;
  }

  /** @param {string} key @returns {boolean} does it lead anywhere? */
  press = (key) => {
    const { story, at } = this.#state;
    const to = story && led(story.stops, at, key);
    if (to !== null) this.go(to);
    return to !== null;
  };

  /** @param {number} at the place of a stop */
  go = (at) => {
    clearTimeout(this.#next);
    this.#at(at, false);
  };

  /** By itself, at a person's pace; a second time: enough. From the end it begins anew. */
  play = () => {
    const { story, at, playing } = this.#state;
    clearTimeout(this.#next);
    if (!story) return;
    if (playing) this.#set({ playing: false });
    else this.#at(at === story.stops.length - 1 ? firstDeal(story) : at, true);
  };

  /** @param {Viewer} viewer whose eyes to look with, where one may */
  look = async (viewer) => {
    if (viewer !== "mine" && viewer !== "public") this.#deals ??= await verifier().catch(() => null);
    if (this.#gone) return;
    this.#wished = viewer;
    this.#unfold();
    this.#at(this.#state.at, this.#state.playing);
  };

  /** As a game's table wants it kept; nothing but a look changes anything here.
   * @param {{looking?: boolean}} change */
  keep = ({ looking = false }) => this.#set({ own: { looking } });

  leave() {
    this.#gone = true;
    clearTimeout(this.#next);
    this.#gathering.leave();
  }

  /** @param {Partial<State>} change */
  #set(change) {
    this.#state = { ...this.#state, ...change };
    this.#changed(this.#state);
  }

  /** @param {Past} past */
  #told({ messages, whole, fault }) {
    this.#set({ count: messages.length, fault });
    if (whole) this.#tell(messages);
  }

  /** @param {Past["messages"]} messages */
  #tell(messages) {
    const opening = messages[0]?.event.body;
    if (opening?.type !== "match_opened" || !shown(opening.options)) return this.#set({ fault: "other_game" });
    if (this.#state.story?.messages === messages) return;
    const known = this.#state.story !== null;
    this.#state = { ...this.#state, story: storyOf(messages, this.#player) };
    this.#meet(playersIn(messages).map((one) => one.player));
    this.#unfold();
    this.#at(known ? this.#state.at : firstDeal(this.#state.story), this.#state.playing);
  }

  /** What was seen is another: there is more of it, or other eyes. */
  #unfold() {
    const { story } = this.#state;
    this.#seen = new Map();
    this.#open = story && this.#deals ? opened(story.messages, story.opened.options, this.#deals) : [];
  }

  /** @param {number} wanted @param {boolean} playing */
  #at(wanted, playing) {
    const { story } = this.#state;
    if (!story) return;
    const at = bounded(story.stops, wanted);
    const goes = playing && at < story.stops.length - 1;
    this.#set({ at, playing: goes, frame: this.#frame(story, story.stops[at]), own: {} });
    clearTimeout(this.#next);
    if (goes) this.#next = setTimeout(() => this.#at(at + 1, true), paceOf(story.stops[at]));
  }

  /** @param {Story} story @param {Stop} stop @returns {Frame} */
  #frame(story, stop) {
    const viewer = viewerAt(story, stop, this.#deals ? this.#wished : plain(this.#wished));
    const seen = this.#seen.get(viewer) ?? seenBy(story, viewer, this.#open);
    this.#seen.set(viewer, seen);
    const events = story.messages.slice(stop.from, stop.at + 1).map(({ event }) => event);
    const before = story.messages[stop.from - 1]?.event;
    const hands = viewer === "all" ? (this.#open[stop.at]?.hands ?? null) : null;
    return { news: seen[stop.at], events, before, viewer, hands };
  }
}

/** Without verify.js no hand can be opened. @param {Viewer} viewer @returns {Viewer} */
const plain = (viewer) => (viewer === "public" ? viewer : "mine");
