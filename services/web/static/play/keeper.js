/**
 * A session is kept good while the page is open: renewed before it ends, and when it was refused.
 *
 * @typedef {import("./door.js").Session} Session
 */

/** Milliseconds before its end from which on it is renewed. */
export const BEFORE = 3_600_000;
/** Milliseconds between two looks whether that has come. */
export const OFTEN = 300_000;
/** Milliseconds between two renewals, whatever they are for. */
export const REST = 30_000;

/** @param {Session} session is changed into the fresh one, for all who have it
 * @param {(session: Session) => Promise<Session>} renewed @param {() => void} other we are another player now
 * @param {{now: () => number, clock: () => number}} times Unix ms, and ms of a clock that never jumps */
export function keeper(session, renewed, other, times = { now: Date.now, clock: () => performance.now() }) {
  let tried = -REST;
  async function renew() {
    if (times.clock() - tried < REST) return;
    tried = times.clock();
    const fresh = await renewed(session).catch(() => null);
    if (!fresh) return;
    if (fresh.player === session.player) Object.assign(session, fresh);
    else other();
  }
  return {
    /** It was refused somewhere. */
    renew,
    /** Does it end soon? @param {boolean} needed renew it in any case */
    look: (needed = false) => (needed || session.ends - times.now() < BEFORE ? renew() : undefined),
  };
}
