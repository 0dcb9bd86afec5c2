/** What every list has: the way home, what it is, how it stands with it, a next page. */
import { say } from "../../play/words.js";
import { quoted } from "../called.js";
import { html, useEffect, useRef } from "../h.js";

/** @param {{page: any, deeds: any, room: any, title: any, empty?: any, children?: any}} props
 *   `empty`: what is said where there are no rows, and what to do then */
export function Frame({ page: { words, state }, deeds, room, title, empty = null, children }) {
  /** @type {{current: HTMLElement | null}} */
  const heading = useRef(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const rows = state?.rows;
  return html`<main class="list">
    <header class="list-head">
      <button class="icon" aria-label=${say(words, "home")} onClick=${deeds.goHome}><span class="arrow" aria-hidden="true"></span></button>
      <h1 ref=${heading} tabindex="-1">${title}</h1>
    </header>
    ${state?.failed && html`<${Failed} words=${words} failed=${state.failed} />`}
    ${rows ? children : !state?.failed && html`<p class="note" role="status">${say(words, "wait")}</p>`}
    ${rows?.length === 0 && empty && html`<div class="note"><${Undealt} />${empty}</div>`}
    ${state?.more && html`<button class="deed quiet" onClick=${room.more}>${say(words, "more_rows")}</button>`}
  </main>`;
}

/** Cards of which nothing is to be seen yet. */
const Undealt = () =>
  html`<div class="spread" aria-hidden="true">${[0, 1, 2].map((at) => html`<div key=${at} class="card cover"></div>`)}</div>`;

/** @param {{words: any, failed: import("../../play/insist.js").Failed}} props */
const Failed = ({ words, failed: { code, seconds, again } }) =>
  html`<div class="panel failed" role="alert">
    <p>${say(words, code === "too_many" ? "too_many" : "not_read", { seconds })}</p>
    <button class="deed quiet" onClick=${again}>${say(words, "try_again")}</button>
  </div>`;

/** What somebody is called: a stranger's name is only ever text.
 * @param {{page: import("../../play/main.js").Page, player: string}} props */
export function Name({ page: { words, names, me }, player }) {
  const own = names[player];
  const name = own === undefined ? say(words, "player_of", { id: player.slice(2, 8) }) : quoted(own);
  return html`<bdi>${name}</bdi>${player === me && html` <small class="you">${say(words, "you")}</small>`}`;
}

/** A link to a player. @param {{page: import("../../play/main.js").Page, player: string}} props */
export const Player = ({ page, player }) =>
  html`<a class="player" href=${`#${player}`}><${Name} page=${page} player=${player} /></a>`;
