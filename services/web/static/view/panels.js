/** What lies over the felt in every game: a panel, and the match's end. */
import { directionOf, refusal, say } from "../play/words.js";
import { html, useEffect, useRef } from "./h.js";

/** A panel takes the keyboard when it opens. @param {{words: any, name: string, children?: any}} props */
export function Panel({ words, name, children }) {
  /** @type {{current: HTMLElement | null}} */
  const panel = useRef(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), [name]);
  return html`<section ref=${panel} class=${`over ${name}`} dir=${directionOf(words)} tabindex="-1" aria-live="polite">
    ${children}
  </section>`;
}

/** @param {{words: any, match: string, over: string, won: boolean, text: string, deeds: any, children?: any}} props
 *   `text`, `children`: who won, and the score, where it was played to its end */
export function End({ words, match, over, won, text, deeds, children }) {
  const played = over === "ended" && text !== "";
  return html`<${Panel} words=${words} name=${played && won ? "won end" : "end"}>
    <h2>${played ? text : whyOver(words, over)}</h2>
    ${played && children}
    <button class="deed" onClick=${deeds.goHome}>${say(words, "new_match")}</button>
    ${over !== "unknown" && html`<${ToPast} words=${words} match=${match} deeds=${deeds} />`}
  <//>`;
}

/** @param {{words: any, match: string, deeds: any}} props */
const ToPast = ({ words, match, deeds }) =>
  html`<div class="to-past">
    <button class="deed quiet to-replay" onClick=${() => deeds.go({ room: "replay", match })}>${say(words, "watch_again")}</button>
    <button class="deed quiet to-check" onClick=${() => deeds.go({ room: "check", match })}>${say(words, "check_deal")}</button>
  </div>`;

/** Why it was not played out, or cannot be shown. @param {any} words @param {string} over */
function whyOver(words, over) {
  if (over === "unknown") return refusal(words, "unknown_match");
  return say(words, ["expired", "other_game"].includes(over) ? over : "abandoned");
}
