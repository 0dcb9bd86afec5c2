/**
 * What players are called. A name may change, so it is asked for again when it is needed later on.
 *
 * @typedef {Readonly<Record<string, string>>} Names by player; who has no name is not there
 */
import { Declined, ask } from "./door.js";

/** Milliseconds after which a name is asked for again. */
export const FRESH = 60_000;
/** Ids in one ask (docs/web.md). */
export const MOST_ASKED = 50;
/** Letters of a name. */
export const LONGEST = 24;

/** @param {(ids: readonly string[]) => Promise<Names>} read @param {(names: Names) => void} told
 * @param {() => number} clock in ms */
export function book(read, told, clock = () => performance.now()) {
  /** @type {Map<string, number>} */
  const asked = new Map();
  /** @type {Names} */
  let names = {};
  /** @param {readonly string[]} ids */
  async function learnThose(ids) {
    ids.forEach((one) => asked.set(one, clock()));
    const found = await read(ids).catch(() => null);
    if (found) put(ids, found);
  }
  /** @param {readonly string[]} ids @param {Names} found */
  function put(ids, found) {
    const others = Object.entries(names).filter(([one]) => !ids.includes(one));
    names = { ...Object.fromEntries(others), ...found };
    told(names);
  }
  /** @param {string} id */
  const stale = (id) => clock() - (asked.get(id) ?? -FRESH) >= FRESH;
  return {
    /** Those that are not known yet, or not any more. @param {readonly string[]} ids */
    async learn(ids) {
      const wanted = [...new Set(ids)].filter(stale);
      for (let at = 0; at < wanted.length; at += MOST_ASKED)
        await learnThose(wanted.slice(at, at + MOST_ASKED));
    },
    /** It was told to us. @param {string} id @param {string | null} name */
    put: (id, name) => put([id], name === null ? {} : { [id]: name }),
  };
}

/** @param {readonly string[]} ids @returns {Promise<Names>} */
export async function namesOf(ids) {
  const { profiles } = await ask("GET", `/profiles?ids=${ids.join(",")}`);
  return Object.fromEntries(profiles.map((/** @type {any} */ { player, name }) => [player, name]));
}

/** A name of our own, or none any more where nothing is left of it: what it is now, and the code of
 * why it was not taken.
 * @param {string} token @param {string} said @returns {Promise<{name: string | null, no: string | null}>} */
export async function callMe(token, said) {
  try {
    if (said.trim() === "") await ask("DELETE", "/profile", token);
    const name = said.trim() === "" ? null : (await ask("PUT", "/profile", token, { name: said })).name;
    return { name, no: null };
  } catch (error) {
    const bad = error instanceof Declined && ["bad_name", "bad_request"].includes(error.code);
    return { name: null, no: bad ? "bad_name" : "name_later" };
  }
}
