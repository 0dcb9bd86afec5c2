/** What is done until it succeeds: again after some seconds, after those that the server wants, or at once. */
import { Declined } from "./door.js";

/** Seconds between two tries, where the server wants no more. */
export const AGAIN = 3;
/** The longest that is waited for, in seconds: what is longer somebody may press. */
export const LONGEST = 60;

/** @typedef {{code: string, seconds: number, again: () => void}} Failed
 *   `code`: the server's, or `away` where nothing was answered. `again`: try now. */

/** @template T @param {() => Promise<T>} act
 * @param {(failed: Failed) => void} told each time that it has not succeeded
 * @param {(run: () => void, ms: number) => any} timer @returns {Promise<T>} */
export async function insist(act, told, timer = setTimeout) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      await paused(error, told, timer);
    }
  }
}

/** @param {unknown} error @param {(failed: Failed) => void} told
 * @param {(run: () => void, ms: number) => any} timer @returns {Promise<void>} */
const paused = (error, told, timer) =>
  new Promise((again) => {
    const wait = error instanceof Declined ? error.wait : 0;
    const seconds = Math.min(Math.max(wait, AGAIN), LONGEST);
    timer(again, seconds * 1_000);
    told({ code: codeOf(error), seconds, again });
  });

/** Why something did not succeed: the server's code, or `away`. @param {unknown} error */
export const codeOf = (error) => (error instanceof Declined ? error.code : "away");
