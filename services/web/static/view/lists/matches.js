/** My matches: those to go on with, and those to look back at. */
import { resultOf, scoreText } from "../../play/results.js";
import { say, sayKind } from "../../play/words.js";
import { html } from "../h.js";
import { Frame } from "./frame.js";
import { Rules, When } from "./told.js";

/** @param {{page: any, deeds: any, room: any}} props */
export function MyMatches(props) {
  const { words, state, me } = props.page;
  const running = state?.beside ?? [];
  const empty = running.length ? null : html`<p>${say(words, "matches_none")}</p>
    <button class="deed" onClick=${props.deeds.goHome}>${say(words, "open_one")}</button>`;
  return html`<${Frame} title=${say(words, "my_matches")} empty=${empty} ...${props}>
    <nav class="ways"><a href=${`#${me}`}>${say(words, "my_points")}</a></nav>
    <${Some} words=${words} me=${me} name="running_ones" lines=${running} />
    <${Some} words=${words} me=${me} name="over_ones" lines=${state?.rows ?? []} />
  <//>`;
}

/** @param {{words: any, me: string, name: string, lines: readonly any[]}} props */
const Some = ({ words, me, name, lines }) =>
  lines.length === 0
    ? null
    : html`<h2>${say(words, name)}</h2>
        <ul class="lines">
          ${lines.map((line) => html`<li key=${line.match}><${Match} words=${words} line=${line} me=${me} /></li>`)}
        </ul>`;

/** @param {{words: any, line: import("../../play/lists/sources.js").Line, me: string}} props */
export const Match = ({ words, line, me }) =>
  html`<article class="panel line-of">
    <span class="what"><${Rules} words=${words} options=${line.options} /></span>
    <span class="facts-of">
      <${State} words=${words} line=${line} me=${me} />
      ${line.score.length > 0 && html`<b dir="auto">${scoreText(words, line, me)}</b>`}
      <${When} words=${words} at=${line.ended ?? line.started ?? line.opened} />
    </span>
    <${Links} words=${words} line=${line} />
  </article>`;

/** @param {{words: any, line: import("../../play/lists/sources.js").Line, me: string}} props */
function State({ words, line, me }) {
  const over = line.status === "ended" || line.status === "abandoned";
  const state = over ? resultOf(line, me) : line.status;
  return html`<span class="state" data-state=${state}>${sayKind(words, `state_${state}`, state)}</span>`;
}

/** Where it can be looked at: nothing was dealt in a match that never began.
 * @param {{words: any, line: import("../../play/lists/sources.js").Line}} props */
function Links({ words, line: { match, status, started } }) {
  if (status === "lobby" || status === "playing")
    return html`<span class="links"><a class="deed quiet" href=${`#${match}`}>${say(words, "go_on")}</a></span>`;
  if (started === null) return null;
  return html`<span class="links">
    <a class="deed quiet" href=${`#${match}/replay`}>${say(words, "watch_again")}</a>
    <a class="deed quiet" href=${`#${match}/check`}>${say(words, "check_deal")}</a>
  </span>`;
}
