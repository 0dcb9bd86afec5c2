/** Stickers at the table: the button, and the list over my cards. */
import { STICKERS } from "../play/stickers.js";
import { directionOf, say, stickerText } from "../play/words.js";
import { html, useEffect, useRef, useState } from "./h.js";

/** @param {{words: any, state: any, sitting: any}} props `sitting`: the room */
export function Stickers({ words, state, sitting }) {
  const [open, setOpen] = useState(false);
  /** @type {{current: HTMLElement | null}} */
  const button = useRef(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  /** @param {KeyboardEvent} event */
  const escaped = ({ key }) => key === "Escape" && open && close();
  return html`<div class="sayings" onKeyDown=${escaped}>
    <button
      class="saying-button"
      ref=${button}
      aria-label=${say(words, "stickers")}
      aria-expanded=${String(open)}
      onClick=${() => setOpen(!open)}
    ><${Speech} /></button>
    ${open && html`<${List} words=${words} state=${state} sitting=${sitting} close=${close} />`}
  </div>`;
}

/** @param {{words: any, state: any, sitting: any, close: () => void}} props */
function List({ words, state, sitting, close }) {
  /** @type {{current: HTMLElement | null}} */
  const list = useRef(null);
  useEffect(() => list.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  /** @param {any} sticker */
  const show = (sticker) => {
    sitting.show(sticker);
    close();
  };
  return html`<div class="sayings-list" dir=${directionOf(words)} ref=${list}>
    ${STICKERS.map(
      (one) =>
        html`<button key=${one} class="saying" disabled=${state.resting} data-sticker=${one} onClick=${() => show(one)}>
          ${words.stickers[one]}
        </button>`,
    )}
    <button class="saying hush" aria-pressed=${String(state.hushed)} onClick=${sitting.hush}>
      ${say(words, "hush")}
    </button>
  </div>`;
}

const Speech = () =>
  html`<svg class="speech" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 3C17 3 21 6.4 21 10.7S17 18 12 18L5 21L5.4 16C3.9 14.9 3 12.9 3 10.7C3 6.4 7 3 12 3Z" />
  </svg>`;

/** For who reads by ear: what is said just now.
 * @param {{words: any, said: import("../play/stickers.js").Said, who: (seat: number) => string}} props */
export const SaidAloud = ({ words, said, who }) =>
  html`<p class="unseen" aria-live="polite" dir=${directionOf(words)}>
    ${Object.entries(said)
      .filter(([, sticker]) => stickerText(words, sticker))
      .map(([seat, sticker]) => `${who(Number(seat))}: ${stickerText(words, sticker)}`)
      .join(" ")}
  </p>`;
