/** The bar over a table: home or back, the game's facts, the settings. */
import { say } from "../play/words.js";
import { useEscape } from "./focus.js";
import { Guide } from "./guide.js";
import { html, useRef, useState } from "./h.js";
import { Settings } from "./settings.js";

/** @param {{page: any, deeds: any, drawer?: any, back?: () => void, children?: any}} props `drawer`: what
 * lies in it besides the settings; `back`: instead of home */
export function Bar({ page, deeds, drawer = null, back, children }) {
  const { words } = page;
  const [open, setOpen] = useState(false);
  /** @type {{current: HTMLElement | null}} */
  const opener = useRef(null);
  const game = gameOf(page);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useEscape(open ? close : null);
  return html`<header class="bar">
    <button class="icon" aria-label=${say(words, back ? "back" : "home")} onClick=${back ?? deeds.goHome}>
      <span class="arrow" aria-hidden="true"></span>
    </button>
    ${children}
    <button ref=${opener} class="icon" aria-label=${say(words, "settings")} aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>
      <span class="dots" aria-hidden="true"></span>
    </button>
    ${open && html`<div class="drawer"><${Settings} page=${page} deeds=${deeds} /><${ToCheck} page=${page} deeds=${deeds} />${game && html`<${Guide} words=${words} game=${game} />`}${drawer}</div>`}
  </header>`;
}

/** The game that is looked at, if any. @param {any} page */
const gameOf = ({ state }) => (state?.scene?.view ?? state?.opened?.options)?.game ?? null;

/** At a table: the way to check its deal. @param {{page: any, deeds: any}} props */
const ToCheck = ({ page: { words, place, state }, deeds }) =>
  place.room === "table" && state?.scene.begun
    ? html`<button class="deed quiet to-check" onClick=${() => deeds.go({ room: "check", match: place.match })}>
        ${say(words, "check_deal")}
      </button>`
    : null;
