/** A card of mine drawn by mouse, finger or pen. A touch that does not move far is a tap. */
import { useEffect, useRef, useState } from "../h.js";

/** Pixels that a tap may move. */
const FAR = 8;

/**
 * @typedef {{card: string, by: {x: number, y: number}, over: string | null}} Drag
 *   `by`: pixels that the card was drawn from where it lies. `over`: what is under it.
 * @param {{lift: (card: string | null) => void, drop: (card: string, target: string) => void}} deeds
 */
export function useDrag({ lift, drop }) {
  const [drag, setDrag] = useState(/** @type {Drag | null} */ (null));
  const stop = useRef(() => {});
  const dragged = useRef(false);
  useEffect(() => () => stop.current(), []);

  /** @param {PointerEvent} event */
  function press(event) {
    const card = cardAt(event.target);
    dragged.current = false;
    if (!card || event.button !== 0) return;
    stop.current();
    stop.current = followed(event, {
      move(by, { clientX, clientY }) {
        if (!dragged.current) lift(card);
        dragged.current = true;
        setDrag({ card, by, over: targetAt(clientX, clientY) });
      },
      end(at) {
        setDrag(null);
        if (!dragged.current) return;
        const target = at && targetAt(at.x, at.y);
        lift(null);
        if (target) drop(card, target);
      },
    });
  }
  return { drag, press, wasDragged: () => dragged.current };
}

/** @param {EventTarget | null} target @returns {string | undefined} */
const cardAt = (target) =>
  target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-held]"))?.dataset.held : undefined;

/** Tells of a pointer that is down until it is up. What stops that.
 * @param {PointerEvent} down
 * @param {{move: (by: {x: number, y: number}, at: PointerEvent) => void, end: (at: PointerEvent | null) => void}} told */
function followed(down, { move, end }) {
  let far = false;
  const listening = new AbortController();
  /** @param {string} type @param {(event: PointerEvent) => void} hear */
  const on = (type, hear) =>
    addEventListener(type, (event) => same(event) && hear(/** @type {PointerEvent} */ (event)), { signal: listening.signal });
  /** @param {Event} event */
  const same = (event) => /** @type {PointerEvent} */ (event).pointerId === down.pointerId;
  /** @param {PointerEvent | null} at */
  const over = (at) => {
    listening.abort();
    end(at);
  };
  on("pointermove", (event) => {
    const by = { x: event.clientX - down.clientX, y: event.clientY - down.clientY };
    far ||= Math.hypot(by.x, by.y) > FAR;
    if (far) move(by, event);
  });
  on("pointerup", over);
  on("pointercancel", () => over(null));
  return () => listening.abort();
}

/** What lies there: `fire`, `meld:3`, `end`, a group, or beside a card of mine (`before:9H1`).
 * @param {number} x @param {number} y in pixels @returns {string | null} */
function targetAt(x, y) {
  const found = /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest("[data-drop], [data-held]"));
  if (!found?.dataset.held) return found?.dataset.drop ?? null;
  const { left, width } = found.getBoundingClientRect();
  return `${x < left + width / 2 ? "before" : "after"}:${found.dataset.held}`;
}
