/** The keyboard, when something opens and closes over the table: it comes in, Escape closes, it goes back. */
import { useEffect } from "./h.js";

/** Where it goes if what had it before is gone: my first card, else whatever can be done at the table. */
const SENSIBLE = [".hand button", ".table .mine button:enabled", ".table button"];

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
  const found = there ?? SENSIBLE.map((one) => document.querySelector(one)).find(Boolean);
  if (found instanceof HTMLElement) found.focus({ preventScroll: true });
}
