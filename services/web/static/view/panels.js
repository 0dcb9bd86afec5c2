/** What lies over the felt in every game: a panel, and the match's end. */
import { directionOf, refusal, say } from "../play/words.js";
import { useEscape, useFocusWithin } from "./focus.js";
import { html, useEffect, useRef } from "./h.js";
import { Crown } from "./masks.js";

/** What its heading is called by, for who reads by ear. */
const HEADING = "over-heading";

/** A panel takes the keyboard when it opens, and gives it back when it closes; who reads by ear is told its heading.
 * @param {{words: any, name: string, close?: (() => void) | null, children?: any}} props
 *   `close`: what Escape does, if it can be closed */
export function Panel({ words, name, close = null, children }) {
  /** @type {{current: HTMLElement | null}} */
  const panel = useRef(null);
  useEscape(close);
  useEffect(() => panel.current?.querySelector("h2")?.setAttribute("id", HEADING), [name]);
  useFocusWithin(panel, name);
  return html`<section
    ref=${panel}
    class=${`over ${name}`}
    dir=${directionOf(words)}
    tabindex="-1"
    role="dialog"
    aria-labelledby=${HEADING}
  >
    ${children}
  </section>`;
}

/** @param {{words: any, match: string, over: string, won: boolean, text: string, deeds: any,
 *   again?: (() => void) | null, children?: any}} props
 *   `text`, `children`: who won, and the score, where it was played to its end; `again`: the same once more */
export function End({ words, match, over, won, text, deeds, again = null, children }) {
  const played = over === "ended" && text !== "";
  return html`<${Panel} words=${words} name=${played && won ? "won end" : "end"}>
    ${played && won && html`<${Joy} />`}
    <h2>${played ? text : whyOver(words, over)}</h2>
    ${played && children}
    <div class="what-next">
      ${again && html`<button class="deed again" onClick=${again}>${say(words, "again_same")}</button>`}
      <button class=${`deed to-home${again ? " quiet" : ""}`} onClick=${deeds.goHome}>${say(words, "home")}</button>
    </div>
    ${over !== "unknown" && html`<${ToPast} words=${words} match=${match} deeds=${deeds} />`}
  <//>`;
}

/** Small things that fly about a crown. */
const SPARKS = 12;

const Joy = () =>
  html`<div class="joy" aria-hidden="true">
    <${Crown} />${Array.from({ length: SPARKS }, (_, at) => html`<i key=${at} style=${{ "--at": at + 1 }}></i>`)}
  </div>`;

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
