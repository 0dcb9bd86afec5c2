/** The bar over a table: home, the game's facts, the settings. */
import { say } from "../play/words.js";
import { useEscape } from "./focus.js";
import { html, useRef, useState } from "./h.js";
import { Settings } from "./settings.js";

/** @param {{page: any, deeds: any, drawer?: any, children?: any}} props `drawer`: what lies in it besides
 * the settings */
export function Bar({ page, deeds, drawer = null, children }) {
  const { words } = page;
  const [open, setOpen] = useState(false);
  /** @type {{current: HTMLElement | null}} */
  const opener = useRef(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useEscape(open ? close : null);
  return html`<header class="bar">
    <button class="icon" aria-label=${say(words, "home")} onClick=${deeds.goHome}>
      <span class="arrow" aria-hidden="true"></span>
    </button>
    ${children}
    <button ref=${opener} class="icon" aria-label=${say(words, "settings")} aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>
      <span class="dots" aria-hidden="true"></span>
    </button>
    ${open && html`<div class="drawer"><${Settings} page=${page} deeds=${deeds} />${drawer}</div>`}
  </header>`;
}
