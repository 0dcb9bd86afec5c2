/** My side of the table in every game: what is said to me, the clock, the hint, my cards. */
import { numbersMislead } from "../play/advice.js";
import { keyOf } from "../play/lapse.js";
import { isHeld } from "../play/seats.js";
import { mayAct } from "../play/sitting.js";
import { cardName, directionOf, reason, say, trouble } from "../play/words.js";
import { Clock } from "./clock.js";
import { useFocusOnTurn } from "./focus.js";
import { html } from "./h.js";
import { Stickers } from "./stickers.js";

/** @param {{words: any, view: any, state: any, sitting: any, line: any, whole: number, spoken: string,
 *   steps?: string, plate: any, children?: any}} props
 *   `line`: whose turn it is. `whole`: ms that a turn has. `spoken`: for who reads by ear. `steps`: what
 *   the master would do next. */
export function Mine({ words, view, state, sitting, line, whole, spoken, steps = "", plate, children }) {
  const mine = mayAct(view, state);
  useFocusOnTurn(mine);
  const held = isHeld(state.scene.sitting, view.seat);
  return html`<section class="mine" data-turn=${String(mine)}>
    <p class="told" role="status">${told(words, state, line, steps)}</p>
    ${(held || state.asleep) && html`<button class="deed back" onClick=${sitting.ask}>${say(words, "take_back")}</button>`}
    <div class="line">
      ${plate}
      <${Clock} words=${words} known=${mine ? state.scene : { left: null }} whole=${whole} />
      <${Hint} words=${words} may=${mine} state=${state} hint=${sitting.hint} />
      <${Stickers} words=${words} state=${state} sitting=${sitting} />
    </div>
    ${children}
    <p class="unseen" aria-live="polite" dir=${directionOf(words)}>${spoken}</p>
  </section>`;
}

/** @param {{words: any, may: boolean, state: any, hint: () => void}} props */
const Hint = ({ words, may, state, hint }) =>
  html`<button
    class="hint"
    disabled=${!may}
    aria-pressed=${String(Boolean(state.advice))}
    aria-busy=${String(state.asking)}
    onClick=${hint}
  >
    ${say(words, "hint")}
  </button>`;

/** The one line over my cards: why not, what the master says, whose turn it is.
 * @param {any} words @param {any} state @param {any} line @param {string} steps */
function told(words, state, line, steps) {
  if (state.no) return html`<span class="no">${trouble(words, state.no)}</span>`;
  if (state.advice) return html`<${Advice} words=${words} advice=${state.advice} steps=${steps} />`;
  if (state.asking) return say(words, "master_thinks");
  return state.lapse ? html`<${Lapsed} words=${words} state=${state} line=${line} />` : line;
}

/** That the house played for me; on my turn besides what I may do.
 * @param {{words: any, state: any, line: any}} props */
function Lapsed({ words, state: { lapse, scene }, line }) {
  const values = { card: lapse.card ? cardName(words, lapse.card) : "", suit: lapse.suit ? say(words, `suit_${lapse.suit}`) : "" };
  const mine = scene.view?.turn === scene.view?.seat;
  return html`<span class="lapsed">${say(words, keyOf(lapse), values)}${mine && line && html`<small>${line}</small>`}</span>`;
}

/** Why, what the numbers on the cards are, what comes next.
 * @param {{words: any, advice: any, steps: string}} props */
function Advice({ words, advice: { reason: why, candidates = [] }, steps }) {
  const numbers = numbersMislead(candidates) ? "chance_is_not_all" : "chance_is";
  return html`<span class="advice">
    ${reason(words, why)}${candidates.length > 0 && html`<small>${say(words, numbers)}</small>`}${steps && html`<small>${steps}</small>`}
  </span>`;
}
