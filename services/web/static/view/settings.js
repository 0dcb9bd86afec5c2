/** One's name, language, colours of the suits, card set, pace. */
import { LANGUAGES, say } from "../play/words.js";
import { SuitMark } from "./card.js";
import { html } from "./h.js";
import { Naming } from "./naming.js";

const NAMES = { fa: "فارسی", ar: "العربية", en: "English" };

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
export const Languages = ({ page, deeds }) =>
  html`<div class="choices languages" role="group" aria-label=${say(page.words, "language")}>
    ${LANGUAGES.map(
      (one) =>
        html`<button
          class="choice"
          lang=${one}
          aria-pressed=${String(one === page.words.language)}
          onClick=${() => deeds.speak(one)}
        >
          ${NAMES[one]}
        </button>`,
    )}
  </div>`;

/** @param {{page: import("../play/main.js").Page, deeds: any, apart?: boolean}} props `apart`: the language
 * is asked elsewhere */
export const Settings = ({ page, deeds, apart = false }) =>
  html`<div class="settings">
    <${Naming} page=${page} deeds=${deeds} />
    ${!apart && html`<${Languages} page=${page} deeds=${deeds} />`}
    <${Colours} page=${page} deeds=${deeds} />
    <${Cards} page=${page} deeds=${deeds} />
    <${Pace} page=${page} deeds=${deeds} />
  </div>`;

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
function Colours({ page, deeds }) {
  const four = page.colours === "four";
  return html`<button
    class="choice lone colours"
    aria-pressed=${String(four)}
    onClick=${() => deeds.colour(four ? "two" : "four")}
  >
    <span class="marks" aria-hidden="true">
      ${["S", "H", "C", "D"].map((suit) => html`<${SuitMark} suit=${suit} />`)}
    </span>
    ${say(page.words, "four_colours")}
  </button>`;
}

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
function Cards({ page, deeds }) {
  const classic = page.cards === "classic";
  return html`<button
    class="choice lone cards"
    aria-pressed=${String(classic)}
    onClick=${() => deeds.deal(classic ? "light" : "classic")}
  >
    ${say(page.words, "classic_cards")}
  </button>`;
}

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
function Pace({ page, deeds }) {
  const quick = page.pace === "quick";
  return html`<button class="choice lone pace" aria-pressed=${String(quick)} onClick=${() => deeds.hurry(quick ? "calm" : "quick")}>
    ${say(page.words, "quick_play")}
  </button>`;
}
