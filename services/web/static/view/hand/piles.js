/** The stock and the fire pile: to draw from, to throw on, to look at. */
import { cardName, say } from "../../play/words.js";
import { Face } from "../card.js";
import { Eye } from "../guide.js";
import { html } from "../h.js";

/** Cards under the top of the fire that are drawn. */
const UNDER = 2;

/** @param {any} props */
export function Piles({ words, view, state, mind, may, deeds, marked }) {
  const draws = may && view.phase === "draw";
  const throws = may && mind.throws;
  const fresh = state.news?.body?.type === "card_discarded";
  return html`<div class="piles">
    <${Stock} words=${words} count=${view.stock} marked=${marked.stock} may=${draws} draw=${deeds.stock} />
    <${Fire} words=${words} fire=${view.fire} fresh=${fresh} marked=${marked.fire} may=${draws || throws} touch=${deeds.fire} />
    ${view.fire.length > 0 &&
    html`<button class="look" onClick=${deeds.look}>
      <${Eye} />
      <b>${say(words, "number", { number: view.fire.length })}</b>
      <small dir="auto">${say(words, "look_at")}</small>
    </button>`}
  </div>`;
}

/** @param {{words: any, count: number, marked: boolean, may: boolean, draw: () => void}} props */
const Stock = ({ words, count, marked, may, draw }) =>
  html`<button class="pile stock" data-may=${String(may)} data-best=${String(marked)} onClick=${draw}>
    <span class="unseen">${say(words, "stock_of", { count })}</span>
    <span class="card cover" aria-hidden="true"></span>
    <b aria-hidden="true" dir="auto">${say(words, "number", { number: count })}</b>
  </button>`;

/** @param {{words: any, fire: readonly string[], fresh: boolean, marked: boolean, may: boolean, touch: () => void}} props */
function Fire({ words, fire, fresh, marked, may, touch }) {
  const top = fire.at(-1);
  const name = top ? say(words, "fire_top", { card: cardName(words, top) }) : say(words, "fire_empty");
  return html`<button class="pile fire" data-drop="fire" data-may=${String(may)} data-best=${String(marked)} onClick=${touch}>
    <span class="unseen">${name}</span>
    ${!top && html`<span class="hearth" aria-hidden="true"><${Flame} /></span>`}
    ${fire.slice(-1 - UNDER).map(
      (card) =>
        html`<span key=${card} class="card" data-card=${card} data-top=${String(card === top)} data-new=${String(fresh && card === top)} aria-hidden="true">
          <${Face} card=${card} small=${true} />
        </span>`,
    )}
  </button>`;
}

const Flame = () =>
  html`<svg viewBox="0 0 24 28"><path d="M12 1C14 7 21 10 21 18C21 23.500 17 27 12 27C7 27 3 23.500 3 18C3 13 6 11 7 7C9 9 10 11 10 13C12 10 12.500 5 12 1Z" /></svg>`;
