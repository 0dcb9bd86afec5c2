/** What lies over the felt in Hokm: trump to be named, the draw for the hakem, a round's end. */
import { SUITS } from "../../play/cards.js";
import { drawnBy, sideOf } from "../../play/hokm.js";
import { cardName, directionOf, say } from "../../play/words.js";
import { Face, SuitMark } from "../card.js";
import { html } from "../h.js";
import { sideName } from "../names.js";
import { Panel } from "../panels.js";

/** Cards of the draw that are shown, the ace the last. */
const DRAWN = 6;

/** The panel that lies there now, if any. @param {any} props */
export function Over({ words, view, state, sitting, who }) {
  const { round, draw } = state;
  if (round) return html`<${Round} words=${words} view=${view} round=${round} goOn=${sitting.goOn} />`;
  if (draw) return html`<${Drawn} words=${words} draw=${draw} who=${who} goOn=${sitting.goOn} />`;
  if (view?.phase === "choosing_trump" && view.turn === view.seat && !view.trump)
    return html`<${Trump} words=${words} advice=${state.advice} act=${sitting.act} />`;
  return null;
}

/** @param {{words: any, advice: any, act: (action: any) => void}} props */
const Trump = ({ words, advice, act }) =>
  html`<${Panel} words=${words} name="naming">
    <h2>${say(words, "name_trump")}</h2>
    <div class="suits" dir="ltr">
      ${SUITS.map(
        (suit) =>
          html`<button
            class="suit"
            data-suit=${suit}
            data-best=${String(advice?.actions[0].suit === suit)}
            onClick=${() => act({ type: "choose_trump", suit })}
          >
            <${SuitMark} suit=${suit} /><span dir="auto">${say(words, `suit_${suit}`)}</span>
          </button>`,
      )}
    </div>
  <//>`;

/** @param {{words: any, draw: any, who: (seat: number) => string, goOn: () => void}} props */
const Drawn = ({ words, draw: { shown, hakem }, who, goOn }) =>
  html`<${Panel} words=${words} name="drawn" close=${goOn}>
    <h2>${say(words, "first_ace", { who: who(hakem) })}</h2>
    <p class="fewest">${say(words, "first_ace_rule")}</p>
    <div class="drawn-cards" dir=${directionOf(words)}>
      ${drawnBy(shown, hakem)
        .slice(-DRAWN)
        .map(
          ({ card, seat }) =>
            html`<figure key=${card} data-ace=${String(seat === hakem && card.startsWith("A"))}>
              <div class="card" role="img" aria-label=${cardName(words, card)}><${Face} card=${card} /></div>
              <figcaption dir="auto">${who(seat)}</figcaption>
            </figure>`,
        )}
    </div>
    <button class="deed quiet" onClick=${goOn}>${say(words, "go_on")}</button>
  <//>`;

/** @param {{words: any, view: any, round: any, goOn: () => void}} props */
function Round({ words, view, round, goOn }) {
  const { side, kind, points } = round.score;
  const ours = side === sideOf(view?.seat ?? 0);
  return html`<${Panel} words=${words} name=${ours ? "won" : "lost-round"} close=${goOn}>
    <h2>${say(words, ours ? "round_ours" : "round_theirs")}</h2>
    <p class="tricks-of">${say(words, "tricks_were", tricksOf(view))}</p>
    <p class="why">${say(words, `way_${kind}`)}<b dir="ltr">${say(words, "plus", { points })}</b></p>
    <${Score} words=${words} view=${view} score=${round.totals} />
    <button class="deed" onClick=${goOn}>${say(words, "go_on")}</button>
  <//>`;
}

/** @param {any} view */
function tricksOf(view) {
  const mine = sideOf(view?.seat ?? 0);
  return { ours: view?.tricks[mine] ?? 0, theirs: view?.tricks[1 - mine] ?? 0 };
}

/** @param {{words: any, view: any, score: readonly number[]}} props */
export function Score({ words, view, score }) {
  const mine = sideOf(view?.seat ?? 0);
  return html`<dl class="score">
    <div><dt>${sideName(words, view, mine)}</dt><dd>${say(words, "number", { number: score[mine] })}</dd></div>
    <div><dt>${sideName(words, view, 1 - mine)}</dt><dd>${say(words, "number", { number: score[1 - mine] })}</dd></div>
  </dl>`;
}
