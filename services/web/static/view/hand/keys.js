/** My cards by keys: arrows go along, with Shift they move the card; Enter and Space are the button's own. */
import { useEffect, useRef, useState } from "../h.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };
const ROWS = { ArrowUp: -1, ArrowDown: 1 };

/** @param {readonly string[]} cards as they lie
 * @param {{step: (card: string, by: number) => void, chooseNone: () => void}} deeds */
export function useKeys(cards, deeds) {
  /** @type {{current: HTMLElement | null}} */
  const hand = useRef(null);
  const at = useRef(-1);
  const [stop, setStop] = useState("");
  useEffect(() => {
    const found = lost(at.current, cards);
    if (found) buttonOf(hand.current, found)?.focus();
  });

  /** @param {FocusEvent} event */
  function noted({ target }) {
    const card = heldBy(target);
    at.current = cards.indexOf(card);
    if (card) setStop(card);
  }
  /** @param {FocusEvent} event */
  function left({ relatedTarget }) {
    if (relatedTarget) at.current = -1;
  }
  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const card = heldBy(event.target);
    if (event.key === "Escape") return deeds.chooseNone();
    const by = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const rows = ROWS[/** @type {keyof typeof ROWS} */ (event.key)];
    if (!card || !(by || rows)) return;
    event.preventDefault();
    if (event.shiftKey && by) deeds.step(card, by);
    if (event.shiftKey) return buttonOf(hand.current, card)?.focus();
    const to = by ? cards[Math.max(0, Math.min(cards.length - 1, cards.indexOf(card) + by))] : beyond(hand.current, card, rows);
    buttonOf(hand.current, to)?.focus();
  }
  return { hand, noted, left, pressed, stop: cards.includes(stop) ? stop : cards[0] };
}

/** Whose focus was lost because it went to the table. @param {number} at @param {readonly string[]} cards */
const lost = (at, cards) =>
  at >= 0 && document.activeElement === document.body ? cards[Math.min(at, cards.length - 1)] : "";

/** @param {EventTarget | null} target */
const heldBy = (target) => (target instanceof HTMLElement && target.dataset.held) || "";

/** @param {HTMLElement | null} hand @returns {HTMLElement[]} */
const buttonsOf = (hand) => [...(hand?.querySelectorAll("[data-held]") ?? [])].map((one) => /** @type {HTMLElement} */ (one));

/** @param {HTMLElement | null} hand @param {string} card */
const buttonOf = (hand, card) => buttonsOf(hand).find((one) => one.dataset.held === card);

/** The card above or below in the next row, the nearest one. @param {HTMLElement | null} hand
 * @param {string} card @param {number} by */
function beyond(hand, card, by) {
  const from = buttonOf(hand, card)?.closest(".row");
  const rows = [...(hand?.querySelectorAll(".row") ?? [])];
  const row = rows[rows.findIndex((one) => one === from) + by];
  const x = buttonOf(hand, card)?.getBoundingClientRect().left ?? 0;
  /** @param {HTMLElement} one */
  const off = (one) => Math.abs(one.getBoundingClientRect().left - x);
  const near = row ? buttonsOf(/** @type {HTMLElement} */ (row)).toSorted((a, b) => off(a) - off(b)) : [];
  return near[0]?.dataset.held ?? card;
}
