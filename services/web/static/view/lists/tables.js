/** The tables that wait for somebody: a press leads to one. */
import { say, sayKind } from "../../play/words.js";
import { html } from "../h.js";
import { Mask } from "../masks.js";
import { Frame, Name } from "./frame.js";
import { Rules, When } from "./told.js";

/** @param {{page: any, deeds: any, room: any}} props */
export function Tables(props) {
  const { words, state } = props.page;
  const empty = html`<p>${say(words, "tables_none")}</p>
    <button class="deed" onClick=${props.deeds.goHome}>${say(words, "open_one")}</button>`;
  return html`<${Frame} title=${say(words, "tables")} empty=${empty} ...${props}>
    <ul class="lines">
      ${state?.rows?.map((/** @type {any} */ line) => html`<li key=${line.match}><${Waiting} page=${props.page} line=${line} /></li>`)}
    </ul>
  <//>`;
}

/** @param {{page: any, line: import("../../play/lists/sources.js").Line}} props */
export function Waiting({ page, line }) {
  const { words } = page;
  return html`<a class="panel line-of" href=${`#${line.match}`}>
    <span class="what"><${Rules} words=${words} options=${line.options} /></span>
    <${Masked} words=${words} line=${line} />
    <span class="facts-of">
      <span>${say(words, "its_host")}: <${Name} page=${page} player=${line.owner} /></span>
      <span class="free">${say(words, "free_seats", { count: line.free })}</span>
      <${When} words=${words} at=${line.opened} />
      <span class="deed sit">${say(words, "sit_here")}</span>
    </span>
  </a>`;
}

/** The mask that is faced there, for only there are XO points (H22).
 * @param {{words: any, line: import("../../play/lists/sources.js").Line}} props */
function Masked({ words, line: { game, masked, seats } }) {
  const level = seats[1]?.level;
  if (masked && level) return html`<span class="masked"><${Mask} level=${level} /> ${sayKind(words, `level_${level}`, level)}</span>`;
  return game === "hokm" ? html`<span class="masked">${say(words, "no_masks")}</span>` : null;
}
