/** The keyboard, when something opens and closes over the table: it comes in, Escape closes, it goes back. */
import { useEffect, useRef } from "./h.js";

/** Where it goes if what had it before is gone: my first card, else whatever can be done at the table. */
const SENSIBLE = [".hand button", ".table .mine button:enabled", ".table button"];

/** What is done first on my turn: a card that may be played, else my cards. */
const FIRST = ['.hand [data-may="true"]', '.hand button[tabindex="0"]', ".hand button"];
/** Where it was put for want of anything better. @type {Element | null} */
let stopgap = null;

/** Escape closes it, wherever the keyboard is. @param {(() => void) | null} close null if it stays */
export function useEscape(close) {
  useEffect(() => {
    if (!close) return;
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
}

/** It goes into what has opened, and back from there when that closes.
 * @param {{current: HTMLElement | null}} opened @param {string} name */
export function useFocusWithin(opened, name) {
  useEffect(() => {
    const before = document.activeElement;
    const { current } = opened;
    current?.focus({ preventScroll: true });
    return () => {
      if (isLost(current)) giveBack(before);
    };
  }, [name]);
}

/** Will the keyboard be nowhere once that is gone? @param {HTMLElement | null} closing */
const isLost = (closing) =>
  document.activeElement === document.body || Boolean(closing?.contains(document.activeElement));

/** @param {Element | null} before */
function giveBack(before) {
  const there = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : null;
  stopgap = null;
  const found = there ?? SENSIBLE.map((one) => document.querySelector(one)).find(Boolean);
  if (!(found instanceof HTMLElement)) return;
  if (!there && !found.closest(".hand")) stopgap = found;
  found.focus({ preventScroll: true });
}

/** Is the keyboard nowhere, or where it was put for want of anything better? */
export const isAdrift = () => document.activeElement === document.body || document.activeElement === stopgap;

/** It goes to what is there to be done, when what had it is gone. */
export const findPlace = () => giveBack(null);

/** When my turn comes for the first time at a table it goes to my cards, if it is nowhere yet.
 * @param {boolean} mine */
export function useFocusOnTurn(mine) {
  const done = useRef(false);
  useEffect(() => {
    if (!mine || done.current) return;
    done.current = true;
    if (!isAdrift()) return;
    const found = FIRST.map((one) => document.querySelector(one)).find(Boolean);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  }, [mine]);
}
