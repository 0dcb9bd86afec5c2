/**
 * The page: one state, drawn anew whenever it changes, and the place where one is, by what stands
 * after the `#`.
 *
 * @typedef {import("./words.js").Words} Words
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("./wishes.js").Wish} Wish
 * @typedef {{words: Words, colours: string, up: boolean, place: Place, trouble: string | null,
 *   busy: boolean, running: readonly {match: string, game: string, score: readonly number[]}[],
 *   me: string | null, names: import("./names.js").Names, naming: string | null, state: any}} Page
 *   `state`: that of the room where one is. `me`: our player id. `naming`: what came of the name that
 *   we chose, as a text's key.
 */
import { connect } from "./connection.js";
import { Declined, enter, running, ticketFor } from "./door.js";
import { note } from "./heads.js";
import { hashOf, keepCode, newCode } from "./invitation.js";
import { book, callMe, namesOf } from "./names.js";
import { newMatch, opening } from "./opening.js";
import { HOME, addressOf, matchOf, placeOf } from "./places.js";
import { colours, language, like } from "./preferences.js";
import { opened } from "./rooms.js";
import { load } from "./words.js";
import { draw } from "../view/app.js";

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
/** Our stay in that room: one that was left says nothing any more. */
let staying = {};

const names = book(namesOf, (known) => set({ names: known }));

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
  const house = { session, link, meet: names.learn };
  const stay = (staying = {});
  room = opened(place, house, (state) => stay === staying && set({ state }));
  set({ place, state: null, trouble: null, naming: null });
  return room;
}

/** Notes once of a place whether one came to it from another of ours. @param {boolean} inside */
const cameFrom = (inside) => history.state ?? history.replaceState({ inside }, "");

/** The address says where to be. */
function arrive() {
  cameFrom(true);
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
    const invitation = wish.company === "friend" ? await invite(match) : null;
    const place = placeOf(`#${match}`);
    history.pushState(null, "", addressOf(place));
    const code = await go(place).open(opening(wish, ticket, invitation));
    if (code) refuse(code);
  } catch (error) {
    refuse(error instanceof Declined && error.code === "none_left" ? "none_left" : "fault");
  }
  set({ busy: false });
}

/** For friends: the hash of a code that this browser keeps. @param {string} match */
function invite(match) {
  const code = newCode();
  keepCode(match, code);
  return hashOf(code);
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
  go: (place) => (location.hash = addressOf(place)),
  /** To where one came from; to that place, if one came from elsewhere. @param {Place} place */
  back: (place) => (history.state.inside ? history.back() : deeds.go(place)),
  /** A name of our own; none any more if nothing is said. @param {string} said */
  async rename(said) {
    set({ naming: "wait" });
    const { name, no } = await callMe(session.token, said);
    if (no === null) names.put(session.player, name);
    set({ naming: no ?? "name_kept" });
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
  set({ up: true, busy: false, me: session.player });
  names.learn([session.player]);
  lookForMatches();
  arrive();
}

async function start() {
  const words = await load(language(), read);
  const nobody = { me: null, names: {}, naming: null };
  const first = { up: true, place: HOME, trouble: null, busy: true, running: [], ...nobody, state: null };
  set({ words, colours: colours(), ...first });
  cameFrom(false);
  addEventListener("hashchange", arrive);
  addEventListener("popstate", arrive);
  document.addEventListener("visibilitychange", () => document.hidden || room?.again?.());
  await comeIn();
}

start();
