/**
 * A list as it is looked at: read page after page, looked at again, and tried again where it could not be read.
 *
 * @typedef {import("./sources.js").Source} Source
 * @typedef {import("../insist.js").Failed} Failed
 * @typedef {{rows: readonly any[] | null, more: boolean, busy: boolean, failed: Failed | null,
 *   beside: any}} Listed
 *   `rows`: null before the first answer
 */
import { insist } from "../insist.js";
import { safely } from "../safely.js";
import { SOURCES } from "./sources.js";

/** Rows that are shown at most: whoever wants more asks a program. */
export const LONGEST = 500;

export class Listing {
  #source;
  #meet;
  #changed;
  /** @type {Listed} */
  #state;
  #gone = false;
  #wantsMore = false;
  /** @type {any} */
  #ticking;

  /** @param {Source} source @param {(players: readonly string[]) => void} meet whose names are shown
   * @param {(state: Listed) => void} changed */
  constructor(source, meet, changed) {
    this.#source = source;
    this.#meet = meet;
    this.#changed = safely(changed);
    this.#state = { rows: null, more: false, busy: false, failed: null, beside: null };
    if (source.every) this.#ticking = setInterval(() => document.hidden || this.again(), source.every);
  }

  /** All that is shown is looked at again. */
  again = () => this.#read(() => this.#whole(this.#state.rows?.length ?? 1));

  /** The next page; after what is being read now. */
  more = () => {
    this.#wantsMore = true;
    if (!this.#state.busy) this.#readMore();
  };

  leave() {
    this.#gone = true;
    clearInterval(this.#ticking);
  }

  /** Does what is to be read, until it could be; one at a time.
   * @param {() => Promise<import("./sources.js").Found>} act */
  async #read(act) {
    if (this.#state.busy) return;
    this.#set({ busy: true });
    const found = await insist(() => this.#tried(act), (failed) => this.#set({ failed }));
    if (found) this.#set({ ...found, busy: false, failed: null });
    if (this.#wantsMore && !this.#gone) this.#readMore();
  }

  #readMore() {
    this.#wantsMore = false;
    if (this.#state.more) this.#read(() => this.#next(this.#state.rows ?? []));
  }

  /** @param {() => Promise<import("./sources.js").Found>} act */
  async #tried(act) {
    if (this.#gone) return null;
    const [found, beside] = await Promise.all([act(), this.#source.beside?.() ?? null]);
    this.#meet(this.#source.players(found));
    return { ...found, beside };
  }

  /** Every page until there are so many rows. @param {number} count */
  async #whole(count) {
    let found = await this.#source.page(null);
    while (found.more && found.rows.length < count) found = await this.#next(found.rows);
    return found;
  }

  /** Those rows and the page after them; what has moved meanwhile is there once.
   * @param {readonly any[]} rows */
  async #next(rows) {
    const { key, page } = this.#source;
    const next = await page(key(rows[rows.length - 1]));
    const known = new Set(rows.map(key));
    const all = [...rows, ...next.rows.filter((row) => !known.has(key(row)))];
    return { rows: all, more: next.more && all.length < LONGEST };
  }

  /** @param {Partial<Listed>} change */
  #set(change) {
    if (this.#gone) return;
    this.#state = { ...this.#state, ...change };
    this.#changed(this.#state);
  }
}

/** The list of that place. @type {import("../rooms.js").Open} */
export const open = (place, { session, meet }, changed) => new Listing(SOURCES[place.room](session, place), meet, changed);
