/** The time that is left for who is on turn, as a bar; by this page's own clock. */
import { digits } from "../play/words.js";
import { html, useEffect, useState } from "./h.js";

const EACH = 250;
/** Seconds from which on they are counted in digits, and from which on there are few. */
const [COUNTED, FEW] = [10, 5];

/** @param {{words: any, known: any, whole: number}} props `whole`: ms that the turn has at most */
export function Clock({ words, known, whole }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(performance.now()), EACH);
    return () => clearInterval(ticking);
  }, []);
  if (known.left === null || !known.view) return html`<div class="clock"></div>`;
  const left = Math.max(0, known.left - Math.max(0, now - known.at));
  const seconds = Math.ceil(left / 1_000);
  return html`<div class="clock" data-short=${String(seconds <= COUNTED)} data-few=${String(seconds <= FEW)} role="timer">
    <i style=${{ transform: `scaleX(${Math.min(1, left / whole)})` }}></i>
    <span>${seconds <= COUNTED ? digits(words, seconds) : ""}</span>
  </div>`;
}
