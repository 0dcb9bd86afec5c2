/** The best by XO points, where I stand, and how they are counted. */
import { say } from "../../play/words.js";
import { html } from "../h.js";
import { Frame, Player } from "./frame.js";

/** @param {{page: any, deeds: any, room: any}} props */
export function Standings(props) {
  const { words, state } = props.page;
  return html`<${Frame} title=${say(words, "standings")} empty=${html`<p>${say(words, "standings_none")}</p>`} ...${props}>
    ${state?.rows?.length > 0 && html`<${Best} page=${props.page} />`}
    ${state?.beside && html`<${Mine} words=${words} beside=${state.beside} /><${Terms} words=${words} points=${state.beside.terms.xo_points} />`}
  <//>`;
}

/** @param {{page: any}} props */
function Best({ page }) {
  const { words, me } = page;
  const { rows, beside } = page.state;
  const mine = beside?.mine;
  const seen = rows.some((/** @type {any} */ row) => row.player === me) || !mine?.xo;
  return html`<table class="panel sheet">
    <thead>
      <tr>${["place", "who", "xo_points", "rounds_won"].map((key) => html`<th class=${key} scope="col">${say(words, key)}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map((/** @type {any} */ row) => html`<${Row} key=${row.player} page=${page} row=${row} place=${placeOf(rows, row)} />`)}
    </tbody>
    ${!seen && html`<tbody class="apart"><${Row} page=${page} row=${mine} place=${null} /></tbody>`}
  </table>`;
}

/** Who has as many points shares a place. @param {readonly any[]} rows @param {any} row */
const placeOf = (rows, { xo }) => rows.findIndex((one) => one.xo === xo) + 1;

/** @param {{page: any, row: any, place: number | null}} props `place`: null if it is not known */
function Row({ page, row: { player, xo, rounds }, place }) {
  const { words, me } = page;
  return html`<tr aria-current=${player === me ? "true" : null}>
    <td>${place === null ? "…" : say(words, "number", { number: place })}</td>
    <th scope="row"><${Player} page=${page} player=${player} /></th>
    <td>${say(words, "number", { number: xo })}</td>
    <td>${say(words, "number", { number: rounds })}</td>
  </tr>`;
}

/** @param {{words: any, beside: any}} props */
const Mine = ({ words, beside: { mine, terms } }) =>
  mine.xo > 0 ? null : html`<p class="note">${say(words, "no_xo", { points: terms.xo_points })}</p>`;

const SENTENCES = ["terms_where", "terms_kept", "terms_counted", "terms_left"];

/** @param {{words: any, points: number}} props */
const Terms = ({ words, points }) =>
  html`<details class="panel fold terms">
    <summary>${say(words, "terms")}</summary>
    <ul>
      <li>${say(words, "terms_xo", { points })}</li>
      ${SENTENCES.map((key) => html`<li>${say(words, key)}</li>`)}
    </ul>
  </details>`;
