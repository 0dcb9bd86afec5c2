/** The form on home: what one wants to play. */
import { COMPANIES, GAMES, LEVELS, ROUNDS, TARGETS, VARIANTS } from "../../play/wishes.js";
import { PARTNER } from "../../play/opening.js";
import { changed, guestsOffered, lastWish, masked, remember, seatsOffered } from "../../play/wishes.js";
import { say } from "../../play/words.js";
import { Guide } from "../guide.js";
import { html, useState } from "../h.js";
import { Mask } from "../masks.js";
import { Choice } from "./choice.js";
import { HokmRules } from "./hokm_rules.js";

/** @param {{page: import("../../play/main.js").Page, deeds: any}} props */
export function Form({ page, deeds }) {
  const { words } = page;
  const [wish, setWish] = useState(lastWish);
  /** @param {Partial<import("../../play/wishes.js").Wish>} change */
  const choose = (change) => setWish(changed(wish, change));
  /** @param {Event} event */
  const begin = (event) => {
    event.preventDefault();
    remember(wish);
    deeds.begin(wish);
  };
  const asked = { words, wish, choose };
  return html`<form class="panel" onSubmit=${begin}>
    <${Choice} ...${asked} name="game" legend="choose_game" all=${GAMES}>${game(words)}<//>
    <${Guide} key=${wish.game} words=${words} game=${wish.game} />
    ${wish.game === "hand" && html`<${HandTable} ...${asked} />`}
    <${Company} ...${asked} />
    ${masked(wish) && html`<${Choice} ...${asked} name="level" legend="choose_level" all=${LEVELS}>${level(words)}<//>`}
    ${wish.game === "hokm" && wish.company === "masks" && html`<p class="note partner-is">${say(words, "partner_is", { mask: say(words, `level_${PARTNER}`) })}</p>`}
    ${wish.game === "hokm" ? html`<${HokmLength} ...${asked} />` : html`<${HandLength} ...${asked} />`}
    <div class="begin-bar">
      <button class="deed begin" disabled=${page.busy}>${beginText(words, page.busy, wish)}</button>
    </div>
  </form>`;
}

/** @param {any} words @param {boolean} busy @param {any} wish */
const beginText = (words, busy, { company }) =>
  say(words, busy ? "wait" : company === "masks" ? "begin" : "open_table");

/** @param {any} words */
const game = (words) => (/** @type {string} */ one) =>
  html`<strong>${say(words, `game_${one}`)}</strong><small>${say(words, `about_${one}`)}</small>`;

/** @param {any} words */
const level = (words) => (/** @type {string} */ one) =>
  html`<${Mask} level=${one} />
    <strong>${say(words, `level_${one}`)}</strong>
    <small>${say(words, `about_${one}`)}</small>`;

/** @param {any} words */
const variant = (words) => (/** @type {string} */ one) =>
  html`<strong>${say(words, `variant_${one}`)}</strong><small>${say(words, `about_${one}`)}</small>`;

/** @param {any} words */
const company = (words) => (/** @type {string} */ one) =>
  html`<strong>${say(words, `company_${one}`)}</strong><small>${say(words, `about_${one}`)}</small>`;

/** @param {any} words */
const number = (words) => (/** @type {number} */ one) => html`<span>${say(words, "number", { number: one })}</span>`;

/** @param {any} words */
const target = (words) => (/** @type {number} */ one) =>
  html`<span>${say(words, one === 1 ? "one_round" : "to_points", { points: one })}</span>`;

/** @param {any} asked */
const HandTable = (asked) =>
  html`<${Choice} ...${asked} name="variant" legend="choose_variant" all=${VARIANTS}>${variant(asked.words)}<//>
    <${Choice} ...${asked} name="seats" legend="choose_seats" all=${seatsOffered(asked.wish)}>${number(asked.words)}<//>`;

/** Who sits there besides masks: in Hokm my partner, or all four. @param {any} asked */
function Company(asked) {
  const { words, wish } = asked;
  const legend = wish.company === "friend" ? "choose_friends" : "choose_guests";
  return html`<${Choice} ...${asked} name="company" legend="choose_company" all=${COMPANIES}>${company(words)}<//>
    ${wish.company !== "masks" &&
    html`<${Choice} ...${asked} name="guests" legend=${legend} all=${guestsOffered(wish)}>
      ${wish.game === "hokm" ? guests(words) : number(words)}
    <//>`}`;
}

/** @param {any} words */
const guests = (words) => (/** @type {number} */ one) =>
  html`<span>${say(words, one === 1 ? "my_partner" : "all_seats")}</span>`;

/** @param {any} asked */
const HokmLength = (asked) =>
  html`<${Choice} ...${asked} name="target" legend="choose_target" all=${TARGETS}>${target(asked.words)}<//>
    <${HokmRules} ...${asked} />`;

/** @param {any} asked */
const HandLength = (asked) =>
  html`<${Choice} ...${asked} name="rounds" legend="choose_rounds" all=${ROUNDS}>${number(asked.words)}<//>`;
