/** What is said of a table: its game and rules in words, and when something was. */
import { dateOf, whenWas } from "../../play/times.js";
import { say } from "../../play/words.js";
import { html } from "../h.js";

/** The points of the presets (H19). */
const USUAL = { win: 1, kot: 2, hakem_kot: 3 };

/** Each rule as a text: what is played, and what is not as usual.
 * @param {any} words @param {any} options */
export function rulesOf(words, options) {
  if (options.game === "hand") {
    const variant = say(words, `variant_${options.variant}`);
    return [say(words, "rules_hand", { variant, seats: options.seats, rounds: options.rounds })];
  }
  const { target, win, kot, hakem_kot } = options;
  const usual = win === USUAL.win && kot === USUAL.kot && hakem_kot === USUAL.hakem_kot;
  return [
    `${say(words, "game_hokm")} · ${target === 1 ? say(words, "one_round") : say(words, "to_points", { points: target })}`,
    ...(usual ? [] : [say(words, "rules_values", { win, kot, hakem_kot })]),
    ...(options.show_five_before_trump ? [say(words, "rules_five")] : []),
  ];
}

/** @param {{words: any, options: any}} props */
export function Rules({ words, options }) {
  const [game, ...more] = rulesOf(words, options);
  return html`<strong>${game}</strong>${more.map((rule) => html`<small>${rule}</small>`)}`;
}

/** @param {{words: any, at: number}} props `at`: Unix ms */
export const When = ({ words, at }) =>
  html`<time datetime=${new Date(at).toISOString()} title=${dateOf(words, at)}>${whenWas(words, at)}</time>`;
