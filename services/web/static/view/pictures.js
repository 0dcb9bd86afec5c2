/** The classic card set, as pictures: they are loaded when somebody has chosen them, and then kept. */
import { RANKS, SUITS, isJoker } from "../play/cards.js";
import { html, useState } from "./h.js";

/** Suits that have a colour of their own where there are four. */
const OWN = ["C", "D"];
const NAMES = [...SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit)), "JK1", "JK2"];
const chosen = { classic: false, four: false };
/** @type {HTMLImageElement[]} what is held here is not asked for again */
let kept = [];

/** By which set cards are drawn from now on. @param {string} cards @param {string} colours */
export function chooseSet(cards, colours) {
  chosen.classic = cards === "classic";
  chosen.four = colours === "four";
  if (chosen.classic && kept.length === 0) kept = NAMES.map(loaded);
}

/** @param {string} name */
function loaded(name) {
  const image = new Image();
  image.fetchPriority = "low";
  image.src = placeOf(name);
  return image;
}

/** @param {string} name */
const placeOf = (name) => new URL(`../vendor/cards/${name}.svg`, import.meta.url).href;

export const isClassic = () => chosen.classic;

/** Which picture a card has: both copies of Hand's have one. @param {string} card */
function pictureOf(card) {
  const name = isJoker(card) ? (card === "JK1" ? "JK1" : "JK2") : card.slice(0, 2);
  return chosen.four && OWN.includes(name[1]) ? `${placeOf(name)}#four` : placeOf(name);
}

/** Where a card is small, or lies under the next one, its corner alone is seen, larger.
 * @param {{card: string, small: boolean, instead: any}} props `instead`: what draws a card whose picture did not come */
export function Picture({ card, small, instead }) {
  const [missed, setMissed] = useState("");
  const picture = pictureOf(card);
  if (missed === picture) return html`<${instead} card=${card} small=${small} />`;
  return html`<span class="front" data-small=${String(small)}>
    <img src=${picture} alt="" draggable=${false} onError=${() => setMissed(picture)} />
  </span>`;
}
