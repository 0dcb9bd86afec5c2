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
    <${Either} page=${page} deeds=${deeds} name="colours" on="four" off="two" text="four_colours"><${Marks} /><//>
    <${Either} page=${page} deeds=${deeds} name="cards" on="classic" off="light" text="classic_cards" />
    <${Either} page=${page} deeds=${deeds} name="pace" on="quick" off="calm" text="quick_play" />
  </div>`;

/** One of two that a person may like better. @param {{page: any, deeds: any, name: string, on: string, off: string,
 *   text: string, children?: any}} props */
function Either({ page, deeds, name, on, off, text, children }) {
  const liked = page[name] === on;
  return html`<button class=${`choice lone ${name}`} role="switch" aria-checked=${String(liked)} onClick=${() => deeds.prefer(name, liked ? off : on)}>
    ${children}${say(page.words, text)}<span class="switch" aria-hidden="true"></span>
  </button>`;
}

const Marks = () =>
  html`<span class="marks" aria-hidden="true">${["S", "H", "C", "D"].map((suit) => html`<${SuitMark} suit=${suit} />`)}</span>`;
