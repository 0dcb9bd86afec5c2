/** My cards: each a button, in two rows where the screen is narrow. */
import { percentOf } from "../../play/advice.js";
import { whyNot } from "../../play/hokm.js";
import { mayAct } from "../../play/sitting.js";
import { inOrder } from "../../play/cards.js";
import { cardName, say } from "../../play/words.js";
import { Face } from "../card.js";
import { findPlace, isAdrift } from "../focus.js";
import { html, useEffect, useRef } from "../h.js";
import { isClassic } from "../pictures.js";
import { useLow, useNarrow } from "../narrow.js";

/** Cards that a row takes on a narrow screen. */
const ROW = 7;

/** @param {readonly string[]} cards @param {boolean} narrow */
function rowsOf(cards, narrow) {
  if (!narrow || cards.length <= ROW) return [cards];
  const half = Math.ceil(cards.length / 2);
  return [cards.slice(0, half), cards.slice(half)];
}

/** Where the keyboard was before its card went to the table, or the hand to the next round.
 * @param {readonly string[]} cards */
function useFocusKept(cards) {
  /** @type {{current: HTMLElement | null}} */
  const hand = useRef(null);
  const at = useRef(-1);
  useEffect(() => {
    if (at.current < 0 || !isAdrift()) return;
    if (cards.length === 0) return findPlace();
    buttonsOf(hand.current)[Math.min(at.current, cards.length - 1)]?.focus();
  }, [cards.join()]);
  /** @param {FocusEvent} event */
  const noted = (event) => (at.current = buttonsOf(hand.current).indexOf(/** @type {any} */ (event.target)));
  return { hand, noted };
}

/** @param {HTMLElement | null} hand @returns {HTMLButtonElement[]} */
const buttonsOf = (hand) => [...(hand?.querySelectorAll("button") ?? [])];

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };

/** @param {KeyboardEvent} event */
function step(event) {
  const by = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
  if (!by) return;
  const buttons = buttonsOf(/** @type {HTMLElement} */ (event.currentTarget));
  const at = buttons.indexOf(/** @type {any} */ (document.activeElement)) + by;
  buttons[Math.max(0, Math.min(buttons.length - 1, at))]?.focus();
  event.preventDefault();
}

/** @param {{words: any, view: any, state: any, play: (card: string) => void}} props */
export function Cards({ words, view, state, play }) {
  const cards = inOrder(view.hand, view.trump);
  const { hand, noted } = useFocusKept(cards);
  const [narrow, low] = [useNarrow(), useLow()];
  const rows = rowsOf(cards, narrow && !low);
  const choosing = mayAct(view, state) && view.phase === "playing";
  return html`<div
    class="hand"
    dir="ltr"
    role="group"
    aria-label=${say(words, "your_cards")}
    ref=${hand}
    onFocusIn=${noted}
    onKeyDown=${step}
  >
    ${rows.map(
      (row) =>
        html`<div class="row">
          ${row.map(
            (card) =>
              html`<${Held}
                key=${card}
                words=${words}
                card=${card}
                small=${narrow && isClassic()}
                no=${choosing && whyNot(view, card)}
                may=${choosing && !whyNot(view, card)}
                advice=${state.advice}
                play=${play}
              />`,
          )}
        </div>`,
    )}
  </div>`;
}

/** @param {{words: any, card: string, small: boolean, no: any, may: boolean, advice: any, play: (card: string) => void}} props */
function Held({ words, card, small, no, may, advice, play }) {
  const found = advice?.candidates?.find((/** @type {any} */ one) => one.card === card);
  const best = advice?.actions[0].card === card;
  const chance = found && say(words, "percent", { percent: percentOf(found) });
  return html`<div class="slot">
    <button
      class="card"
      data-card=${card}
      data-may=${String(may)}
      data-no=${String(Boolean(no))}
      data-best=${String(best)}
      aria-disabled=${String(Boolean(no))}
      onClick=${() => play(card)}
    >
      <span class="unseen">${cardName(words, card)} ${chance}</span>
      <${Face} card=${card} small=${small} />
      ${chance && html`<span class="chance" data-equal=${String(best || found.equal)} aria-hidden="true">${chance}</span>`}
    </button>
  </div>`;
}
