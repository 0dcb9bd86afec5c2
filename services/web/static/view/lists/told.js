/** What is said of a table: its game and rules in words, and when something was. */
import { dateOf, whenWas } from "../../play/lists/times.js";
import { sayKind } from "../../play/words.js";
import { html } from "../h.js";
import { rulesOf } from "../lobby/rules.js";

/** The game, and by which rules; of a game that is newer than this page its name alone. @param {{words: any, options: any}} props */
export const Rules = ({ words, options }) =>
  html`<strong>${sayKind(words, `game_${options.game}`, options.game)}</strong>
    ${rulesOf(words, options).map((rule) => html`<small>${rule}</small>`)}`;

/** @param {{words: any, at: number}} props `at`: Unix ms */
export const When = ({ words, at }) =>
  html`<time datetime=${new Date(at).toISOString()} title=${dateOf(words, at)}>${whenWas(words, at)}</time>`;
