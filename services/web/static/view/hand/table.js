/** A table of Hand: seats and melds on the felt, the two piles, my cards in groups below (N1 to N28). */
import { mindOf } from "../../play/hand/mind.js";
import { unitOf } from "../../play/hand/view.js";
import { inSides, isHeld } from "../../play/seats.js";
import { mayAct } from "../../play/sitting.js";
import { say } from "../../play/words.js";
import { html } from "../h.js";
import { Mine as Below } from "../mine.js";
import { sideName } from "../names.js";
import { Cards } from "./cards.js";
import { deedsAt } from "./deeds.js";
import { line, spoken, steps } from "./lines.js";
import { Melds } from "./melds.js";
import { Over as Panels, Totals } from "./panels.js";
import { Piles } from "./piles.js";
import { Seat, Seats } from "./seats.js";
import { Tools } from "./tools.js";

/** Milliseconds that a turn has, and with an opening owed (N50). */
const [TURN, DUTY] = [25_000, 60_000];

/** @param {any} view */
const won = (view) => view.winner === unitOf(view.options, view.seat ?? 0);

/** Who won. @param {any} words @param {any} view @param {any} who */
function text(words, view, who) {
  if (won(view)) return say(words, inSides(view.options) ? "match_ours" : "you_won");
  if (inSides(view.options)) return say(words, "match_theirs");
  return say(words, "won_by", { who: who(view.winner) });
}

/** @param {any} props */
const Score = (props) => html`<${Totals} ...${props} />`;

/** All that the parts of the table are drawn from. @param {any} props */
function around(props) {
  const { view, state, sitting } = props;
  const may = mayAct(view, state);
  const mind = { ...mindOf(view, state.own), choice: may ? state.own.choice : null };
  return { ...props, mind, may, marked: markedBy(state.advice), deeds: deedsAt(view, mind, sitting) };
}

/** What the master's first step goes with. @param {any} advice */
function markedBy(advice) {
  const first = advice?.actions[0];
  return {
    cards: first?.melds?.flat() ?? (first?.card ? [first.card] : []),
    stock: first?.type === "draw" && first.from === "stock",
    fire: first?.type === "discard" || (first?.type === "draw" && first.from === "fire"),
    meld: first?.meld ?? null,
  };
}

/** @param {any} props */
function Felt(props) {
  const all = around(props);
  return html`<${Seats} words=${all.words} view=${all.view} scene=${all.state.scene} who=${all.who} open=${all.open} />
    <${Melds} ...${all} />
    <${Piles} ...${all} />`;
}

/** Nothing before the first deal. @param {any} props */
const Over = (props) => (props.view ? html`<${Panels} ...${around(props)} />` : null);

/** Round, kind of Hand; of two sides, their penalties. @param {any} props */
function Facts({ words, view }) {
  const { round, options } = view;
  const late = round > options.rounds;
  const ours = unitOf(options, view.seat ?? 0);
  return html`<div class="facts">
    ${inSides(options) && html`<${Side} words=${words} view=${view} side=${ours} name="we" />`}
    <div class="round">
      <b>${late ? say(words, "tie_break") : say(words, "round_of", { round, rounds: options.rounds })}</b>
      <small>${say(words, `variant_${options.variant}`)}</small>
    </div>
    ${inSides(options) && html`<${Side} words=${words} view=${view} side=${1 - ours} name="they" />`}
  </div>`;
}

/** @param {{words: any, view: any, side: number, name: string}} props */
const Side = ({ words, view, side, name }) =>
  html`<div class=${`side ${name}`}>
    <span>${sideName(words, view, side)} <b><bdi>${say(words, "number", { number: view.totals[side] })}</bdi></b></span>
  </div>`;

/** Where they are not drawn their room is kept: nothing moves under a finger. */
const [ROOM_OF_TOOLS, ROOM_OF_CARDS] = [html`<div class="tools"></div>`, html`<div class="hand rummy"></div>`];

/** @param {any} props */
function Mine(props) {
  const all = around(props);
  const { words, view, state, sitting, who, may } = all;
  const plate = html`<${Seat} words=${words} view=${view} scene=${state.scene} who=${who} seat=${view.seat} />`;
  const over = state.round || state.scene.over;
  const held = isHeld(state.scene.sitting, view.seat);
  return html`<${Below}
    words=${words}
    view=${view}
    state=${state}
    sitting=${sitting}
    line=${line(words, view, state, who)}
    whole=${view.must_open ? DUTY : TURN}
    spoken=${spoken(words, view, state.news)}
    steps=${state.advice ? steps(words, state.advice.actions) : ""}
    plate=${plate}
  >
    ${over || held ? ROOM_OF_TOOLS : html`<${Tools} words=${words} view=${view} mind=${all.mind} deeds=${all.deeds} may=${may} />`}
    ${over ? ROOM_OF_CARDS : html`<${Cards} words=${words} view=${view} mind=${all.mind} marked=${all.marked} deeds=${all.deeds} />`}
  <//>`;
}

export const hand = { Facts, Felt, Mine, Over, Score, Seat, line, won, text };
