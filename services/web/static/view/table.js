/** A table of Hokm: seats round the felt counter-clockwise, I at the bottom (H2). */
import { numbersMislead } from "../play/advice.js";
import { place, sideOf } from "../play/hokm.js";
import { mayAct, seen } from "../play/sitting.js";
import { cardName, directionOf, reason, refusal, say } from "../play/words.js";
import { SuitMark } from "./card.js";
import { Clock } from "./clock.js";
import { html, useState } from "./h.js";
import { Hand } from "./hand.js";
import { Over, turnText } from "./panels.js";
import { Plate, seatName } from "./seats.js";
import { Settings } from "./settings.js";
import { Trick } from "./trick.js";

/** @param {{page: any, deeds: any, sitting: any}} props */
export function Table({ page, deeds, sitting }) {
  const { words, table: state } = page;
  const view = state && seen(state);
  return html`<main class="table">
    <${Bar} page=${page} view=${view} deeds=${deeds} />
    <div class="felt" dir="ltr">
      ${view ? html`<${Round} words=${words} view=${view} state=${state} />` : html`<p class="dealing" dir="auto">${say(words, "dealing")}</p>`}
      ${state && html`<${Over} words=${words} view=${view} state=${state} sitting=${sitting} deeds=${deeds} />`}
    </div>
    ${view && html`<${Mine} words=${words} view=${view} state=${state} sitting=${sitting} />`}
  </main>`;
}

/** @param {{words: any, view: any, state: any}} props */
const Round = ({ words, view, state }) =>
  html`${[0, 1, 2, 3]
      .filter((seat) => place(seat, view.seat) !== 0)
      .map(
        (seat) =>
          html`<${Plate}
            key=${seat}
            words=${words}
            view=${view}
            sitting=${state.scene.sitting}
            seat=${seat}
            turn=${view.turn === seat}
          />`,
      )}
    <${Trick} words=${words} view=${view} news=${state.news} />`;

/** @param {{page: any, view: any, deeds: any}} props */
function Bar({ page, view, deeds }) {
  const { words } = page;
  const [open, setOpen] = useState(false);
  return html`<header class="bar">
    <button class="icon" aria-label=${say(words, "home")} onClick=${deeds.goHome}><span class="arrow" aria-hidden="true"></span></button>
    ${view && html`<${Facts} words=${words} view=${view} />`}
    <button class="icon" aria-label=${say(words, "settings")} aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>
      <span class="dots" aria-hidden="true"></span>
    </button>
    ${open && html`<div class="drawer"><${Settings} page=${page} deeds=${deeds} /></div>`}
  </header>`;
}

/** Score, trump, tricks. @param {{words: any, view: any}} props */
function Facts({ words, view }) {
  const mine = sideOf(view.seat ?? 0);
  return html`<div class="facts">
    <${Side} words=${words} name="we" points=${view.score[mine]} tricks=${view.tricks[mine]} />
    <div class="trump">
      <small>${say(words, "trump")}</small>
      ${view.trump
        ? html`<span role="img" aria-label=${say(words, `suit_${view.trump}`)}><${SuitMark} suit=${view.trump} /></span>`
        : html`<span class="none">؟</span>`}
    </div>
    <${Side} words=${words} name="they" points=${view.score[1 - mine]} tricks=${view.tricks[1 - mine]} />
  </div>`;
}

/** Tricks that win a round (H15). */
const SEVEN = 7;

/** @param {{words: any, name: string, points: number, tricks: number}} props */
const Side = ({ words, name, points, tricks }) =>
  html`<div class=${`side ${name}`}>
    <span>${say(words, name)} <b aria-label=${say(words, "points", { points })}>${say(words, "number", { number: points })}</b></span>
    <span class="won-tricks" role="img" aria-label=${say(words, "tricks", { count: tricks })}>
      ${Array.from({ length: SEVEN }, (_, at) => html`<i key=${at} data-won=${String(at < tricks)}></i>`)}
    </span>
  </div>`;

/** @param {{words: any, view: any, state: any, sitting: any}} props */
function Mine({ words, view, state, sitting }) {
  const mine = mayAct(view, state);
  const held = state.scene.sitting.some((/** @type {any} */ one) => one.seat === view.seat && one.control === "house");
  return html`<section class="mine" data-turn=${String(mine)}>
    <p class="told" role="status">${told(words, view, state)}</p>
    ${held && html`<button class="deed back" onClick=${sitting.ask}>${say(words, "take_back")}</button>`}
    <div class="line">
      <${Plate} words=${words} view=${view} sitting=${state.scene.sitting} seat=${view.seat} turn=${mine} />
      <${Clock} words=${words} known=${mine ? state.scene : { left: null }} />
      <button
        class="hint"
        disabled=${!mine}
        aria-pressed=${String(Boolean(state.advice))}
        aria-busy=${String(state.asking)}
        onClick=${sitting.hint}
      >
        ${say(words, "hint")}
      </button>
    </div>
    <${Hand} words=${words} view=${view} state=${state} play=${sitting.play} />
    <p class="unseen" aria-live="polite" dir=${directionOf(words)}>${spoken(words, view, state.news)}</p>
  </section>`;
}

/** The one line over my cards: why not, what the master says, whose turn it is.
 * @param {any} words @param {any} view @param {any} state */
function told(words, view, state) {
  if (state.no) return html`<span class="no">${refusal(words, state.no)}</span>`;
  if (state.advice) return html`<${Advice} words=${words} advice=${state.advice} />`;
  if (state.asking) return say(words, "master_thinks");
  return turnText(words, view, state);
}

/** Why, and what the numbers on the cards are. @param {{words: any, advice: any}} props */
function Advice({ words, advice: { reason: why, candidates = [] } }) {
  const numbers = numbersMislead(candidates) ? "chance_is_not_all" : "chance_is";
  return html`<span class="advice">
    ${reason(words, why)}${candidates.length > 0 && html`<small>${say(words, numbers)}</small>`}
  </span>`;
}

/** What a screen reader is told of what the others do. @param {any} words @param {any} view @param {any} news */
function spoken(words, view, news) {
  const body = news?.body;
  if (body?.type === "card_played" && news.seat !== view.seat)
    return `${seatName(words, news.seat, view.seat)}: ${cardName(words, body.card)}`;
  if (body?.type === "trick_taken") return say(words, "took_trick", { who: seatName(words, body.by, view.seat) });
  if (body?.type === "trump_chosen") return `${say(words, "trump")}: ${say(words, `suit_${body.suit}`)}`;
  return "";
}
