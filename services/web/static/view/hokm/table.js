/** A table of Hokm: seats round the felt counter-clockwise, I at the bottom (H2). */
import { suitOf } from "../../play/cards.js";
import { sideOf, whyNot } from "../../play/hokm.js";
import { FOUR, place } from "../../play/seats.js";
import { cardName, say } from "../../play/words.js";
import { SuitMark } from "../card.js";
import { Fronts } from "../fronts.js";
import { html } from "../h.js";
import { sideName } from "../names.js";
import { Mine as Below } from "../mine.js";
import { Backs, Plate, others } from "../seats.js";
import { Cards } from "./cards.js";
import { Over, Score } from "./panels.js";
import { Trick } from "./trick.js";

/** Milliseconds that a turn has: to name trump, to play. @type {Record<string, number>} */
const WHOLE = { choosing_trump: 45_000, playing: 25_000 };

/** @param {any} view */
const won = (view) => view.winner === sideOf(view.seat ?? 0);

/** @param {any} words @param {any} view */
const text = (words, view) => say(words, won(view) ? "match_ours" : "match_theirs");

/** @param {any} props */
const EndScore = ({ words, view }) => html`<${Score} words=${words} view=${view} score=${view.score} />`;

export const hokm = { Facts, Felt, Mine, Over, Score: EndScore, Seat, line: turnText, won, text };

/** @param {any} props `open`: everybody's cards, where all lie open */
function Felt({ words, view, state, who, open = null }) {
  return html`${others(FOUR, view.seat).map(
      (seat) => html`<${Seat} key=${seat} words=${words} view=${view} scene=${state.scene} who=${who} seat=${seat} turn=${view.turn === seat}>
        ${open ? html`<${Fronts} words=${words} cards=${open[seat]} />` : html`<${Backs} words=${words} count=${view.left[seat]} />`}
      <//>`,
    )}
    <${Trick} words=${words} view=${view} news=${state.news} who=${who} />`;
}

/** @param {any} props */
function Seat({ view, seat, words, ...rest }) {
  const crowned = seat === view.hakem;
  const note = crowned ? say(words, "hakem") : "";
  return html`<${Plate} words=${words} seat=${seat} at=${place(seat, view.seat)} crowned=${crowned} note=${note} ...${rest} />`;
}

/** Score, trump, tricks. @param {any} props */
function Facts({ words, view }) {
  const mine = sideOf(view.seat ?? 0);
  return html`<div class="facts">
    <${Side} words=${words} name="we" called=${sideName(words, view, mine)} points=${view.score[mine]} tricks=${view.tricks[mine]} />
    <div class="trump">
      <small>${say(words, "trump")}</small>
      ${view.trump
        ? html`<span role="img" aria-label=${say(words, `suit_${view.trump}`)}><${SuitMark} suit=${view.trump} /></span>`
        : html`<span class="none">—</span>`}
    </div>
    <${Side} words=${words} name="they" called=${sideName(words, view, 1 - mine)} points=${view.score[1 - mine]} tricks=${view.tricks[1 - mine]} />
  </div>`;
}

/** Tricks that win a round (H15). */
const SEVEN = 7;

/** @param {{words: any, name: string, called: string, points: number, tricks: number}} props */
const Side = ({ words, name, called, points, tricks }) =>
  html`<div class=${`side ${name}`}>
    <span>${called} <b aria-label=${say(words, "points", { points })}>${say(words, "number", { number: points })}</b></span>
    <span class="won-tricks" role="img" aria-label=${say(words, "tricks", { count: tricks })}>
      ${Array.from({ length: SEVEN }, (_, at) => html`<i key=${at} data-won=${String(at < tricks)}></i>`)}
    </span>
  </div>`;

/** @param {any} props */
function Mine({ words, view, state, sitting, who }) {
  /** @param {string} card */
  const play = (card) => sitting.attempt({ type: "play_card", card }, whyNot(view, card));
  const turn = view.turn === view.seat && state.still;
  return html`<${Below}
    words=${words}
    view=${view}
    state=${state}
    sitting=${sitting}
    line=${turnText(words, view, state, who)}
    whole=${WHOLE[view.phase] ?? WHOLE.playing}
    spoken=${spoken(words, view, state.news, who)}
    plate=${html`<${Seat} words=${words} view=${view} scene=${state.scene} who=${who} seat=${view.seat} turn=${turn} />`}
  >
    <${Cards} words=${words} view=${view} state=${state} play=${play} />
  <//>`;
}

/** Whose turn it is, as a line. @param {any} words @param {any} view @param {any} state @param {any} who */
function turnText(words, view, state, who) {
  if (state.scene.over || view.turn === null) return "";
  if (view.phase === "choosing_trump") return namingText(words, view, who);
  return view.turn === view.seat ? playText(words, view) : say(words, "turn_of", { who: who(view.turn) });
}

/** Until trump is named, and from then on until all have their cards. @param {any} words @param {any} view @param {any} who */
function namingText(words, view, who) {
  if (view.trump) return say(words, "was_trump_chosen", { who: who(view.hakem), suit: say(words, `suit_${view.trump}`) });
  return view.turn === view.seat ? say(words, "you_are_hakem") : say(words, "hakem_chooses", { who: who(view.turn) });
}

/** What my turn asks of me: any card, or the suit that was led (H12). @param {any} words @param {any} view */
function playText(words, view) {
  if (view.trick.length === 0) return say(words, "your_lead");
  const led = suitOf(view.trick[0].card);
  const holds = view.hand.some((/** @type {string} */ card) => suitOf(card) === led);
  return say(words, holds ? "your_follow" : "your_throw", { suit: say(words, `suit_${led}`) });
}

/** What a screen reader is told of what the others do.
 * @param {any} words @param {any} view @param {any} news @param {any} who */
function spoken(words, view, news, who) {
  const body = news?.body;
  if (body?.type === "card_played" && news.seat !== view.seat)
    return `${who(news.seat)}: ${cardName(words, body.card)}`;
  if (body?.type === "trick_taken") return say(words, "took_trick", { who: who(body.by) });
  if (body?.type === "trump_chosen") return `${say(words, "trump")}: ${say(words, `suit_${body.suit}`)}`;
  return "";
}
