/**
 * Us checking a match: what we were told of it, all of it, is put before verify.js, with our seat and
 * the heads that this browser noted while it was played.
 *
 * @typedef {import("./steps.js").Report} Report
 * @typedef {import("./gathering.js").Past} Past
 * @typedef {import("./gathering.js").Sat} Sat
 * @typedef {import("../../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {(messages: readonly object[], options: {seat: number | null, head: string[]}) => Promise<Report>} Verify
 *
 * @typedef {{messages: readonly Happened[], sat: Sat, report: Report | null, fault: string | null}} State
 *   `fault`: why there is no report: a refusal's code, `silent`, `insecure`, `unreadable`.
 */
import { noted } from "../heads.js";
import { gathering, playersIn, satAt } from "./gathering.js";

/** Loaded when somebody wants to check, not before. No literal: it is no module of the page's types. */
const VERIFIER = /** @type {string} */ ("../../verify.js");

/** @returns {Promise<any>} */
export const verifier = () => import(VERIFIER);

/** May this page compute hashes? Browsers let it by https and on localhost only. */
const secure = () => Boolean(globalThis.crypto?.subtle);

/** @param {readonly Happened[]} messages @param {Sat} sat @param {string[]} heads @param {Verify} verify
 * @returns {Promise<Pick<State, "report" | "fault">>} */
export async function judged(messages, { seat }, heads, verify) {
  try {
    return { report: await verify(messages, { seat, head: heads }), fault: null };
  } catch {
    return { report: null, fault: "unreadable" };
  }
}

/** @type {import("../rooms.js").Open} */
export function open({ match }, { session: { player }, link, meet }, changed) {
  /** @type {State} */
  let state = { messages: [], sat: { seat: null, whole: true }, report: null, fault: null };
  /** @param {Partial<State>} change */
  const set = (change) => changed((state = { ...state, ...change }));

  /** What happens while one reads the report waits for the next check. @param {Past} past */
  function told({ messages, whole, fault }) {
    if (state.report) return;
    set({ messages, fault, sat: satAt(messages, player) });
    if (!whole) return;
    meet(playersIn(messages).map((one) => one.player));
    check();
  }
  async function check() {
    if (!secure()) return set({ fault: "insecure" });
    const { messages, sat } = state;
    const found = await verifier().then(({ verify }) => judged(messages, sat, noted(match), verify), () => ({ fault: "silent" }));
    if (messages === state.messages) set(found);
  }
  const gathered = gathering(match, link, told);
  const room = {
    take: gathered.take,
    again: () => void (state.report || gathered.again()),
    leave: gathered.leave,
    /** Once more, with what has happened since. */
    anew() {
      set({ report: null, fault: null });
      gathered.again();
    },
  };
  return room;
}
