/** A match again: the felt as it was, what happened there in words, the way through it. */
import { said, thought } from "../../play/past/said.js";
import { directionOf, refusal, say } from "../../play/words.js";
import { Bar } from "../bar.js";
import { eyesOf } from "./eyes.js";
import { html, useEffect } from "../h.js";
import { GAMES } from "../table.js";
import { Fan } from "./fan.js";
import { Ways } from "./ways.js";

/** Nobody can do anything here. */
const NOBODY = { player: "", act() {}, attempt() {}, hint() {}, ask() {}, goOn() {}, explain() {} };

/** What the felt is drawn from, as at the table. @param {any} state */
const stateOf = ({ frame: { news }, own }) => ({
  scene: news.known,
  news,
  pending: null,
  no: null,
  advice: null,
  asking: false,
  round: null,
  draw: null,
  ended: null,
  own,
  still: true,
});

/** @param {{page: any, deeds: any, room: any}} props */
export function Replay({ page, deeds, room }) {
  const { words, state, place } = page;
  useKeys(room);
  const back = () => deeds.back({ room: "table", match: place.match, code: null });
  const all = state?.story ? shownOf(page, room) : null;
  return html`<main class="table past" data-game=${all?.view?.game}>
    <${Bar} page=${page} deeds=${deeds} back=${back}>
      ${all?.view ? html`<${all.game.Facts} ...${all} />` : html`<h1>${say(words, "watch_again")}</h1>`}
    <//>
    <div class="felt" dir="ltr">
      ${all?.view
        ? html`<${all.game.Felt} ...${all} />`
        : html`<p class="dealing" dir=${directionOf(words)}>${all ? say(words, "before_deal") : waits(words, state)}</p>`}
      ${state?.own.looking && html`<${all?.game.Over} ...${all} />`}
    </div>
    ${all && html`<${Below} ...${all} room=${room} />`}
  </main>`;
}

/** Why there is nothing yet. @param {any} words @param {any} state */
function waits(words, state) {
  if (!state?.fault) return say(words, "fetching", { count: state?.count ?? 0 });
  if (state.fault === "silent" || state.fault === "other_game") return say(words, state.fault);
  return refusal(words, state.fault);
}

/** All that the game's parts are drawn from. @param {any} page @param {any} room */
function shownOf(page, room) {
  const { words, state } = page;
  const { story, frame } = state;
  const { view, sitting: seated } = frame.news.known;
  const dealt = story.stops[state.at].round > 0;
  const game = GAMES[view.game];
  const eyes = eyesOf(page, story.opened, story.seat, seated);
  const sitting = { ...NOBODY, keep: room.keep };
  return { words, view: dealt ? view : null, state: stateOf(state), sitting, who: eyes.who, eyes, open: frame.hands, game, past: state };
}

/** @param {any} room */
function useKeys(room) {
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      const chosen = /** @type {Element} */ (event.target).closest?.("select, .drawer");
      if (!chosen && !event.altKey && !event.ctrlKey && !event.metaKey && room.press(event.key)) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [room]);
}

/** Under the felt: what happened, whose seat is at the bottom, the way through.
 * @param {any} props */
function Below({ words, view, state, who, eyes, open, game, past, room }) {
  const seat = view?.seat ?? null;
  return html`<section class="mine">
    <p class="told" role="status" dir=${directionOf(words)}>${happened(eyes, past.frame)}</p>
    ${seat !== null && html`<div class="line" dir="ltr">
      <${game.Seat} words=${words} view=${view} scene=${state.scene} who=${who} seat=${seat} turn=${view.turn === seat} />
      <${Fan} words=${words} cards=${open ? open[seat] : view.hand} trump=${view.trump ?? null} count=${view.left[seat]} />
    </div>`}
    <${Ways} words=${words} past=${past} room=${room} who=${who} view=${past.frame.news.known.view} />
  </section>`;
}

/** What happened since the stop before, and how long who did it took. @param {any} eyes @param {any} frame */
function happened(eyes, { events, before }) {
  const texts = events.map((/** @type {any} */ event) => said(eyes, event)).filter(Boolean);
  const took = thought(events[0], before);
  const after = took !== null && say(eyes.words, "after_seconds", { seconds: seconds(took) });
  return html`<span>${texts.join(" · ")} ${after && html`<small>${after}</small>`}</span>`;
}

/** @param {number} ms */
const seconds = (ms) => (ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1_000));
