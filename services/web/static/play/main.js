/**
 * The page: one state, drawn anew whenever it changes, and the place where one is, by what stands
 * after the `#`.
 *
 * @typedef {import("./words.js").Words} Words
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("./wishes.js").Wish} Wish
 * @typedef {import("./insist.js").Failed} Failed
 * @typedef {{words: Words, colours: string, cards: string, pace: string, up: boolean, shut: Failed | null,
 *   left: import("./door.js").Left | null, place: Place, trouble: string | null,
 *   busy: boolean, running: readonly import("./lists/sources.js").Line[],
 *   me: string | null, names: import("./names.js").Names, naming: string | null, state: any}} Page
 *   `state`: that of the room where one is. `me`: our player id. `naming`: what came of the name that
 *   we chose, as a text's key. `shut`: why we could not come in yet. `left`: the free matches of today;
 *   null where they are not counted, or not known.
 */
import { reached } from "./arrival.js";
import { connect } from "./connection.js";
import { Declined, enter, leftToday, onRefused, read, renewed, running, ticketFor } from "./door.js";
import { note } from "./heads.js";
import { insist } from "./insist.js";
import { hashOf, keepCode, newCode } from "./invitation.js";
import { OFTEN, keeper } from "./keeper.js";
import { book, callMe, namesOf } from "./names.js";
import { newMatch, opening } from "./opening.js";
import { HOME, addressOf, matchOf, placeOf } from "./places.js";
import { cards, colours, language, like, pace } from "./preferences.js";
import { safely } from "./safely.js";
import { load } from "./words.js";
import { draw, furnish } from "../view/app.js";
import { drawAway } from "../view/away.js";

/** Why we are not in: the rooms could not be loaded. That there is no session is said all the same. */
const NO_ROOMS = "no_rooms";
/** Milliseconds after which it is said that the broker does not answer. */
const SLOW = 6_000;

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
/** @type {import("./arrival.js").Needs} every room but home, who we are, the connection */
let needs;
/** @type {typeof import("./rooms.js").opened} */
let opened;

const names = book(namesOf, (known) => set({ names: known }));

/** @param {Partial<Page>} change */
function set(change) {
  page = { ...page, ...change };
  show(page, deeds, room);
}

/** A place that cannot be drawn is told to the console: what it does goes on. */
const show = safely(draw);

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
async function arrive() {
  cameFrom(true);
  const place = await reached(() => placeOf(location.hash), needs);
  if (!place || addressOf(place) === addressOf(page.place)) return;
  if (place.room === "home") goHome();
  else go(place)?.again?.();
}

function goHome() {
  if (placeOf(location.hash).room !== "home") history.pushState(null, "", location.pathname);
  go(HOME);
  set({ busy: false });
  lookForMatches();
}

function lookForMatches() {
  running(session).then((found) => set({ running: found }));
  leftToday(session).then((left) => set({ left }));
}

/** A match of our own. @param {Wish} wish */
async function begin(wish) {
  if (page.busy || !link) return;
  set({ busy: true, trouble: null });
  try {
    await needs.rooms;
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
    if (!session) return set({ naming: "name_later" });
    set({ naming: "wait" });
    const { name, no } = await callMe(session.token, said);
    if (no === null) names.put(session.player, name);
    set({ naming: no ?? "name_kept" });
  },
  /** @param {string} wanted */
  async speak(wanted) {
    const words = await load(wanted, read).catch(() => null);
    if (!words) return set({ trouble: "unread" });
    like("language", wanted);
    set({ words, trouble: null });
  },
  /** Colours of suits, card set, pace. @param {"colours" | "cards" | "pace"} name @param {string} wanted */
  prefer(name, wanted) {
    like(name, wanted);
    set({ [name]: wanted });
  },
};

/** @param {import("./connection.js").Feed} message of any match of ours */
function hear(message) {
  note(message);
  const match = message.type === "event" ? message.event.match : message.match;
  if (match === matchOf(page.place)) room?.take?.(message);
}

/** Somebody looks at the page, or away from it. */
function looked() {
  set({});
  if (!document.hidden) room?.again?.(true);
}

/** Somebody is here. */
const touched = () => room?.touched?.();

/** @param {boolean} up */
function told(up) {
  set({ up });
  if (up) room?.again?.();
}

/** Loads all but home, in one go: so they are of home's own version. */
async function loadRooms() {
  const [found, drawn] = await Promise.all([import("./rooms.js"), import("../view/rooms.js")]);
  furnish(drawn);
  opened = found.opened;
  set(page.shut?.code === NO_ROOMS ? { shut: null } : {});
}

/** A module that could not be loaded may be asked for by a new page only. @param {Failed} failed */
const unfurnished = (failed) => set({ shut: { ...failed, code: NO_ROOMS, again: () => location.reload() } });

async function entered() {
  session = await enter();
  set({ shut: null, me: session.player });
  names.learn([session.player]);
  lookForMatches();
}

/** The session is kept good, the connection made. */
async function linked() {
  const { renew, look } = keeper(session, renewed, () => location.reload());
  onRefused(renew);
  setInterval(() => look(!page.up), OFTEN);
  await insist(() => connected(renew), (shut) => set({ shut }));
  set({ up: true, busy: false, ...(page.shut?.code === NO_ROOMS ? {} : { shut: null }) });
}

/** @param {() => void} refused our token was */
async function connected(refused) {
  const slow = setTimeout(told, SLOW, false);
  link = await connect(session, hear, told, refused).finally(() => clearTimeout(slow));
}

async function start() {
  const words = await insist(() => load(language(), read), ({ again }) => drawAway(again));
  const nobody = { me: null, names: {}, naming: null };
  const outside = { up: true, shut: null, place: HOME, trouble: null, busy: true };
  set({ words, colours: colours(), cards: cards(), pace: pace(), ...outside, ...nobody, running: [], left: null, state: null });
  const known = insist(entered, (shut) => set({ shut }));
  needs = { rooms: insist(loadRooms, unfurnished), known, linked: known.then(linked) };
  cameFrom(false);
  addEventListener("hashchange", arrive);
  addEventListener("popstate", arrive);
  document.addEventListener("visibilitychange", looked);
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, touched, true);
  await arrive();
}

start();
