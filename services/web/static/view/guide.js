/** How a game is played, for a newcomer: a fold whose text is fetched when it is opened. */
import { read } from "../play/door.js";
import { digits, say } from "../play/words.js";
import { html, useEffect, useState } from "./h.js";
import { Crown } from "./masks.js";

/**
 * What a file of words/guide says: the lines of each game, and what each sign means.
 * @typedef {Record<string, readonly string[]> & {signs: Record<string, string>}} Told
 */

/** Cards that the sign of a hand shows; an opening's bar. */
const [HELD, BAR] = [7, 51];

/** How each sign looks. @type {Record<string, (words: any) => any>} */
const SIGNS = {
  crown: () => html`<${Crown} />`,
  opened: () => html`<span class="opened"></span>`,
  held: (words) => html`<span class="held"><b>${digits(words, HELD)}</b></span>`,
  look: () => html`<${Eye} />`,
  bar: (words) => html`<span class="at-bar">${digits(words, BAR)}</span>`,
};
/** The signs that a game has. @type {Record<string, readonly string[]>} */
const SEEN = { hokm: ["crown"], hand: ["opened", "held", "bar", "look"] };

/** The sign of looking at the whole fire pile. */
export const Eye = () =>
  html`<svg viewBox="0 0 24 16" aria-hidden="true"><path d="M1 8C5 2 19 2 23 8C19 14 5 14 1 8Z" /><circle cx="12" cy="8" r="3.2" /></svg>`;

/** @param {{words: any, game: string}} props */
export function Guide({ words, game }) {
  const [open, setOpen] = useState(false);
  return html`<details class="fold guide" onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}>
    <summary>${say(words, "how_to_play", { game: say(words, `game_${game}`) })}</summary>
    ${open && html`<${Text} words=${words} game=${game} />`}
  </details>`;
}

/** In the language of now; until it has come nothing. @param {any} words @returns {Told | "missing" | null} */
function useTold({ language }) {
  const [told, setTold] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let wanted = true;
    read(`words/guide/${language}.json`).then(
      (found) => wanted && setTold(found),
      () => wanted && setTold("missing"),
    );
    return () => void (wanted = false);
  }, [language]);
  return told;
}

/** @param {{words: any, game: string}} props */
function Text({ words, game }) {
  const told = useTold(words);
  if (told === "missing") return html`<p class="told-how" role="alert">${say(words, "guide_missing")}</p>`;
  if (!told) return html`<p class="told-how" role="status">${say(words, "wait")}</p>`;
  const heading = say(words, "signs");
  return html`<div class="told-how" tabindex="0" role="region" aria-label=${say(words, "how_to_play", { game: say(words, `game_${game}`) })}>
    <ol>${told[game].map((line) => html`<li key=${line}>${line}</li>`)}</ol>
    <ul class="signs" aria-label=${heading}>
      ${SEEN[game].map((name) => html`<li key=${name}><span class="sign" aria-hidden="true">${SIGNS[name](words)}</span>${told.signs[name]}</li>`)}
    </ul>
  </div>`;
}
