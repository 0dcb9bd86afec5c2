/** A table before its first deal: seats as they fill, what is played, how others come to it. */
import { againstMasks } from "../../play/again.js";
import { waits } from "../../play/opening.js";
import { refusal, say, sayKind } from "../../play/words.js";
import { Bar } from "../bar.js";
import { html } from "../h.js";
import { SaidAloud, Stickers } from "../stickers.js";
import { freeSeats } from "../watching.js";
import { Chairs } from "./chairs.js";
import { Invitation } from "./invitation.js";
import { rulesOf } from "./rules.js";

/** Is it shown? Not where nobody is waited for, neither for a guest nor for the host who would start from
 * his own seat. @param {any} state */
export const inLobby = ({ scene, opened }) =>
  scene.version > 0 && !scene.begun && !scene.over && opened !== null && (waits(opened.seats) || !sits(scene, opened.owner));

/** @param {any} scene @param {string} player */
const sits = ({ sitting }, player) => sitting.some((/** @type {any} */ one) => one.player === player);

/** @param {any} props */
export function Lobby(props) {
  const { page, deeds, words, state, sitting, who, known } = props;
  const { opened } = state;
  const owner = opened.owner === page.me;
  const rules = rulesOf(words, opened.options, opened.seats);
  return html`<main class="table lobby">
    <${Bar} page=${page} deeds=${deeds}><h1 class="lobby-game">${sayKind(words, `game_${known.game}`, known.game)}</h1><//>
    <div class="felt" dir="ltr"><${Chairs} ...${props} /></div>
    <section class="mine">
      <p class="told" role="status">
        ${state.no ? html`<span class="no">${refusal(words, state.no)}</span>` : waitsFor(props, owner)}
      </p>
      <ul class="table-rules">${rules.map((rule) => html`<li key=${rule}>${rule}</li>`)}</ul>
      ${owner && waits(opened.seats) && html`<${Invitation} words=${words} state=${state} code=${sitting.code} />`}
      <${Deeds} ...${props} owner=${owner} />
      ${owner && !isFull(state) && html`<${Instead} words=${words} opened=${opened} busy=${page.busy} deeds=${deeds} />`}
      <${SaidAloud} words=${words} said=${state.scene.said} who=${who} />
    </section>
  </main>`;
}

/** Start, for the host; get up, for a guest. @param {any} props */
function Deeds({ words, deeds, state, sitting, known, owner, who }) {
  const seated = known.seat !== null;
  const { doing } = state;
  return html`<div class="line">
    ${owner &&
    html`<button class="deed start" disabled=${doing || !isFull(state)} onClick=${sitting.start}>
      ${say(words, "start_match")}
      ${!isFull(state) && html`<small>${say(words, "not_here", { who: missing(words, state, who) })}</small>`}
    </button>`}
    ${!owner &&
    seated &&
    html`<button class="deed quiet get-up" disabled=${doing} onClick=${sitting.getUp}>${say(words, "get_up")}</button>`}
    ${!seated && state.no === "wrong_code" && html`<button class="deed to-home" onClick=${deeds.goHome}>${say(words, "home")}</button>`}
    ${seated && html`<${Stickers} words=${words} state=${state} sitting=${sitting} />`}
  </div>`;
}

/** Nobody comes: another table, against masks. @param {{words: any, opened: any, busy: boolean, deeds: any}} props */
const Instead = ({ words, opened, busy, deeds }) =>
  html`<div class="instead-of">
    <small>${say(words, "no_friend")}</small>
    <button class="deed quiet open-masks" disabled=${busy} onClick=${() => deeds.begin(againstMasks(opened.options))}>
      ${say(words, "open_masks")}
    </button>
  </div>`;

/** Who has not come. @param {any} words @param {any} state @param {any} who */
const missing = (words, { scene }, who) =>
  scene.sitting.filter(isFree).map((/** @type {any} */ one) => who(one.seat)).join(say(words, "comma"));

/** @param {any} one */
const isFree = ({ player, control }) => player === null && control !== "house";

/** @param {any} state */
const isFull = ({ scene }) => !scene.sitting.some(isFree);

/** Who is missing, and who can do something about it. @param {any} props @param {boolean} owner */
function waitsFor({ words, state, sitting, known }, owner) {
  if (isFull(state)) return say(words, owner ? "all_here" : known.seat === null ? "table_full" : "host_starts");
  if (known.seat === null && !owner)
    return say(words, freeSeats(state, sitting).length ? "choose_seat" : "for_friends");
  return say(words, "waits_for", { count: state.scene.sitting.filter(isFree).length });
}
