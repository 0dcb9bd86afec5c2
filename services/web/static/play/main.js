/**
 * The page: one state, drawn anew whenever it changes, and the place where one is, by what stands
 * after the `#`.
 *
 * @typedef {import("./words.js").Words} Words
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("./opening.js").Wish} Wish
 * @typedef {{words: Words, colours: string, up: boolean, place: Place, trouble: string | null,
 *   busy: boolean, running: readonly {match: string, game: string, score: readonly number[]}[],
 *   state: any}} Page
 *   `state`: that of the room where one is.
 */
import { connect } from "./connection.js";
import { Declined, enter, running, ticketFor } from "./door.js";
import { note } from "./heads.js";
import { newMatch, opening } from "./opening.js";
import { HOME, addressOf, matchOf, placeOf } from "./places.js";
import { colours, language, like } from "./preferences.js";
import { opened } from "./rooms.js";
import { load } from "./words.js";
import { draw } from "../view/app.js";

/** Marks a place to which one came from another of ours. */
const INSIDE = { inside: true };
/** Seconds before we try to come in again. */
const ENTER_AGAIN = 3;

/** @type {Page} */
let page;
/** @type {import("./door.js").Session} */
let session;
/** @type {import("./connection.js").Link} */
let link;
/** @type {any} the room where one is, an `opened` of rooms.js */
let room = null;
/** How many rooms one has been in: a room that was left says nothing any more. */
let visits = 0;

/** @param {string} path */
const read = async (path) => (await fetch(`/static/${path}`)).json();

/** @param {Partial<Page>} change */
function set(change) {
  page = { ...page, ...change };
  draw(page, deeds, room);
}

/** @param {Place} place */
function go(place) {
  room?.leave();
  const house = { session, link };
  const visit = ++visits;
  room = opened(place, house, (state) => visit === visits && set({ state }));
  set({ place, state: null, trouble: null });
  return room;
}

/** The address says where to be. */
function arrive() {
  const place = placeOf(location.hash);
  if (addressOf(place) === addressOf(page.place)) return;
  if (place.room === "home") goHome();
  else go(place)?.again?.();
}

function goHome() {
  if (placeOf(location.hash).room !== "home") history.pushState(null, "", location.pathname);
  go(HOME);
  set({ busy: false });
  lookForMatches();
}

const lookForMatches = () => running(session).then((found) => set({ running: found }));

/** A match of our own. @param {Wish} wish */
async function begin(wish) {
  if (page.busy || !link) return;
  set({ busy: true, trouble: null });
  try {
    const match = newMatch();
    const ticket = await ticketFor(session, match);
    const place = placeOf(`#${match}`);
    history.pushState(null, "", addressOf(place));
    const code = await go(place).open(opening(wish, ticket));
    if (code) refuse(code);
  } catch (error) {
    refuse(error instanceof Declined && error.code === "none_left" ? "none_left" : "fault");
  }
  set({ busy: false });
}

/** @param {string} code */
function refuse(code) {
  goHome();
  set({ trouble: code });
}

/** What a person may do. */
const deeds = {
  begin,
  goHome,
  /** @param {Place} place */
  go(place) {
    history.pushState(INSIDE, "", addressOf(place));
    arrive();
  },
  /** To where one came from; to that place, if one came from elsewhere. @param {Place} place */
  back(place) {
    if (history.state?.inside) history.back();
    else deeds.go(place);
  },
  /** @param {string} wanted */
  async speak(wanted) {
    like("language", wanted);
    set({ words: await load(wanted, read) });
  },
  /** @param {string} wanted */
  colour(wanted) {
    like("colours", wanted);
    set({ colours: wanted });
  },
};

/** @param {import("./connection.js").Feed} message of any match of ours */
function hear(message) {
  note(message);
  const match = message.type === "event" ? message.event.match : message.match;
  if (match === matchOf(page.place)) room?.take?.(message);
}

/** @param {boolean} up */
function told(up) {
  set({ up });
  if (up) room?.again?.();
}

async function comeIn() {
  try {
    session = await enter();
    link = await connect(session, hear, told);
  } catch {
    set({ up: false });
    return void setTimeout(comeIn, ENTER_AGAIN * 1_000);
  }
  set({ up: true, busy: false });
  lookForMatches();
  arrive();
}

async function start() {
  const words = await load(language(), read);
  const first = { up: true, place: HOME, trouble: null, busy: true, running: [], state: null };
  set({ words, colours: colours(), ...first });
  addEventListener("hashchange", arrive);
  addEventListener("popstate", arrive);
  document.addEventListener("visibilitychange", () => document.hidden || room?.again?.());
  await comeIn();
}

start();
