/** A player: what he has won, by game. */
import { say, sayKind } from "../../play/words.js";
import { html } from "../h.js";
import { Frame, Name } from "./frame.js";

/** @param {{page: any, deeds: any, room: any}} props */
export function OnePlayer(props) {
  const { words, state, place } = props.page;
  const title = html`<${Name} page=${props.page} player=${place.player} />`;
  const found = state?.rows?.[0];
  return html`<${Frame} title=${title} ...${props}>
    ${found &&
    html`<dl class="score">
        <${Number} words=${words} name="xo_points" number=${found.xo} />
        <${Number} words=${words} name="rounds_won" number=${found.rounds} />
      </dl>
      <h2>${say(words, "record")}</h2>
      ${found.records.length ? html`<${Records} words=${words} records=${found.records} />` : html`<p class="note">${say(words, "record_none")}</p>`}`}
    <nav class="ways"><a href="#standings">${say(words, "standings")}</a></nav>
  <//>`;
}

/** @param {{words: any, name: string, number: number}} props */
const Number = ({ words, name, number }) =>
  html`<div><dt>${say(words, name)}</dt><dd>${say(words, "number", { number })}</dd></div>`;

/** @param {{words: any, records: readonly any[]}} props */
export const Records = ({ words, records }) =>
  html`<table class="panel sheet">
    <thead>
      <tr>${["game", "played", "won", "lost_ones", "left_ones"].map((key) => html`<th class=${key} scope="col">${say(words, key)}</th>`)}</tr>
    </thead>
    <tbody>
      ${records.map(({ game, played, won, left }) =>
        html`<tr>
          <th scope="row">${sayKind(words, `game_${game}`, game)}</th>
          ${[played, won, played - won - left, left].map((number) => html`<td>${say(words, "number", { number })}</td>`)}
        </tr>`)}
    </tbody>
  </table>`;
