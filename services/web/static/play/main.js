/**
 * The page: one state, drawn anew whenever it changes, and the two places where one can be: at home
 * or, with a match's id after the `#`, at its table.
 *
 * @typedef {import("./words.js").Words} Words
 * @typedef {{words: Words, colours: string, up: boolean, at: string | null, trouble: string | null,
 *   busy: boolean, running: readonly {match: string, score: readonly number[]}[],
 *   table: import("./sitting.js").State | null}} Page
 */
import { connect } from "./connection.js";
import { Declined, enter, running, ticketFor } from "./door.js";
import { newMatch, opening } from "./opening.js";
import { colours, language, like } from "./preferences.js";
import { Sitting } from "./sitting.js";
import { load } from "./words.js";
import { draw } from "../view/app.js";

const MATCH = /^#(m_[0-9a-f]{32})$/;
const here = () => MATCH.exec(location.hash)?.[1] ?? null;
/** Seconds before we try to come in again. */
const ENTER_AGAIN = 3;

/** @type {Page} */
let page;
/** @type {import("./door.js").Session} */
let session;
/** @type {import("./connection.js").Link} */
let link;
/** @type {Sitting | null} */
let sitting = null;

/** @param {string} path */
const read = async (path) => (await fetch(`/static/${path}`)).json();

/** @param {Partial<Page>} change */
function set(change) {
  page = { ...page, ...change };
  draw(page, deeds, sitting);
}

/** @param {string} match */
function sitDown(match) {
  sitting?.leave();
  sitting = new Sitting(match, session.player, link, (table) => set({ table }));
  set({ at: match, table: null, trouble: null });
  return sitting;
}

function arrive() {
  const match = here();
  if (match && match !== page.at) sitDown(match).ask();
  if (!match && page.at) goHome();
}

function goHome() {
  sitting?.leave();
  sitting = null;
  if (here()) history.pushState(null, "", location.pathname);
  set({ at: null, table: null, busy: false });
  running(session).then((found) => set({ running: found }));
}

/** @param {string} level @param {number} target */
async function begin(level, target) {
  if (page.busy || !link) return;
  set({ busy: true, trouble: null });
  try {
    const match = newMatch();
    const ticket = await ticketFor(session, match);
    history.pushState(null, "", `#${match}`);
    const code = await sitDown(match).open(opening(level, target, ticket));
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
  /** @param {string} match */
  goTo: (match) => (location.hash = match),
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
  const match = message.type === "event" ? message.event.match : message.match;
  if (match === page.at) sitting?.take(message);
}

/** @param {boolean} up */
function told(up) {
  set({ up });
  if (up) sitting?.again();
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
  running(session).then((found) => set({ running: found }));
  arrive();
}

async function start() {
  const words = await load(language(), read);
  const first = { up: true, at: null, trouble: null, busy: true, running: [], table: null };
  set({ words, colours: colours(), ...first });
  addEventListener("hashchange", arrive);
  addEventListener("popstate", arrive);
  document.addEventListener("visibilitychange", () => document.hidden || sitting?.again());
  await comeIn();
}

start();
