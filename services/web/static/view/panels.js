/** What lies over the felt: trump to be named, the draw for the hakem, a round's end, the match's. */
import { sideOf } from "../play/hokm.js";
import { SUITS } from "../play/cards.js";
import { cardName, directionOf, refusal, say } from "../play/words.js";
import { Face, SuitMark } from "./card.js";
import { html } from "./h.js";
import { seatName } from "./seats.js";

/** Cards of the draw that are shown, the ace the last. */
const DRAWN = 6;

/** @param {{words: any, name: string, children?: any}} props */
const Panel = ({ words, name, children }) =>
  html`<section class=${`over ${name}`} dir=${directionOf(words)} aria-live="polite">${children}</section>`;

/** The panel that lies there now, if any. @param {any} props */
export function Over({ words, view, state, sitting, deeds }) {
  const { scene, round, draw } = state;
  if (round && scene.over !== "unknown")
    return html`<${Round} words=${words} view=${view} round=${round} goOn=${sitting.goOn} />`;
  if (scene.over) return html`<${End} words=${words} view=${view} over=${scene.over} deeds=${deeds} />`;
  const mine = scene.sitting.find((/** @type {any} */ one) => one.player === sitting.player)?.seat;
  if (draw) return html`<${Drawn} words=${words} draw=${draw} mine=${mine ?? 0} goOn=${sitting.goOn} />`;
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

/** @param {{words: any, draw: any, mine: number, goOn: () => void}} props */
const Drawn = ({ words, draw: { shown, hakem }, mine, goOn }) =>
  html`<${Panel} words=${words} name="drawn">
    <h2>${say(words, "first_ace", { who: seatName(words, hakem, mine) })}</h2>
    <div class="drawn-cards" dir="ltr">
      ${shown.slice(-DRAWN).map(
        (/** @type {string} */ card) =>
          html`<div class="card" role="img" aria-label=${cardName(words, card)}><${Face} card=${card} /></div>`,
      )}
    </div>
    <button class="deed quiet" onClick=${goOn}>${say(words, "go_on")}</button>
  <//>`;

/** @param {{words: any, view: any, round: any, goOn: () => void}} props */
function Round({ words, view, round, goOn }) {
  const { side, kind, points } = round.score;
  const ours = side === sideOf(view?.seat ?? 0);
  return html`<${Panel} words=${words} name=${ours ? "won" : "lost-round"}>
    <h2>${say(words, ours ? "round_ours" : "round_theirs")}</h2>
    <p class="tricks-of">${say(words, "tricks_were", tricksOf(view))}</p>
    <p class="why">${say(words, `way_${kind}`)}<b>${say(words, "plus", { points })}</b></p>
    <${Score} words=${words} view=${view} score=${round.totals} />
    <button class="deed" onClick=${goOn}>${say(words, "go_on")}</button>
  <//>`;
}

/** @param {any} view */
function tricksOf(view) {
  const mine = sideOf(view?.seat ?? 0);
  return { ours: view?.tricks[mine] ?? 0, theirs: view?.tricks[1 - mine] ?? 0 };
}

/** @param {{words: any, view: any, over: string, deeds: any}} props */
function End({ words, view, over, deeds }) {
  const ours = view && view.winner === sideOf(view.seat ?? 0);
  const played = over === "ended" && view;
  const text = over === "unknown" ? refusal(words, "unknown_match") : say(words, over === "other_game" ? over : "abandoned");
  return html`<${Panel} words=${words} name=${played && ours ? "won end" : "end"}>
    <h2>${played ? say(words, ours ? "match_ours" : "match_theirs") : text}</h2>
    ${played && html`<${Score} words=${words} view=${view} score=${view.score} />`}
    <button class="deed" onClick=${deeds.goHome}>${say(words, "new_match")}</button>
  <//>`;
}

/** @param {{words: any, view: any, score: readonly number[]}} props */
export function Score({ words, view, score }) {
  const mine = sideOf(view?.seat ?? 0);
  return html`<dl class="score">
    <div><dt>${say(words, "we")}</dt><dd>${say(words, "number", { number: score[mine] })}</dd></div>
    <div><dt>${say(words, "they")}</dt><dd>${say(words, "number", { number: score[1 - mine] })}</dd></div>
  </dl>`;
}

/** Whose turn it is, as a line. @param {any} words @param {any} view @param {any} state */
export function turnText(words, view, state) {
  if (state.scene.over || !view || view.turn === null) return "";
  const mine = view.turn === view.seat;
  if (view.phase === "choosing_trump")
    return mine ? say(words, "you_are_hakem") : say(words, "hakem_chooses", { who: seatName(words, view.turn, view.seat) });
  if (mine) return say(words, "your_turn");
  return say(words, "turn_of", { who: seatName(words, view.turn, view.seat) });
}
