/**
 * What is asked until it is answered: how a match stands, and the master's advice. Nothing is owed
 * to who asks (docs/clients.md), so it is asked again.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {() => number} Clock in ms
 */
/** Milliseconds without an answer after which the same is asked again. */
export const AGAIN = 2_000;
/** Milliseconds in which nothing was heard, after which we ask whether there is news. */
export const SILENCE = 6_000;
/** Times that advice is asked for before it is given up. */
export const TRIES = 5;

/** Was an ask refused? Refusals of commands name theirs. @param {Feed} message */
export const refusesAsk = (message) => message.type === "refused" && message.command === null;

/** @param {() => void} ask for a snapshot @param {() => boolean} may is it wanted though no person asks?
 * @param {Clock} clock @param {() => number} silence ms after which it is asked without a cause */
export function asker(ask, may, clock, silence = () => SILENCE) {
  /** @type {number | null} */
  let asked = null;
  let insisted = false;
  let heard = clock();
  function now() {
    if (asked !== null) return;
    asked = clock();
    ask();
  }
  return {
    now,
    /** Whatever was asked before, it may be lost. */
    anew() {
      asked = null;
      now();
    },
    /** A person wants it, whether or not it would be asked without him. */
    insist() {
      insisted = true;
      this.anew();
    },
    /** @param {Feed} message */
    hear(message) {
      heard = clock();
      if (message.type === "snapshot" || refusesAsk(message)) [asked, insisted] = [null, false];
    },
    tick() {
      const late = asked === null ? clock() - heard >= silence() : clock() - asked >= AGAIN;
      if (late && (insisted || may())) this.anew();
    },
  };
}

/** @param {() => void} ask for advice @param {() => void} none came @param {Clock} clock */
export function adviser(ask, none, clock) {
  let [tries, asked] = [0, 0];
  function again() {
    tries -= 1;
    asked = clock();
    ask();
  }
  return {
    begin() {
      tries = TRIES;
      again();
    },
    end() {
      tries = 0;
      asked = 0;
    },
    tick() {
      if (!asked || clock() - asked < AGAIN) return;
      if (tries > 0) return again();
      this.end();
      none();
    },
  };
}
