/**
 * Us at one match: what is known folded, shown at a person's pace, and what we do said until it is
 * answered. A move of ours is shown at once; its event confirms it, a refusal takes it back.
 *
 * @typedef {import("./match.js").Known} Known
 * @typedef {import("./match.js").News} News
 * @typedef {import("./connection.js").Link} Link
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {import("../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {import("../../../../docs/schema/waraq.js").Action} Action
 * @typedef {import("../../../../docs/schema/waraq.js").Suggestion} Suggestion
 * @typedef {import("../../../../docs/schema/waraq.js").RoundScored} RoundScored
 * @typedef {import("../../../../docs/schema/waraq.js").HakemDrawn} HakemDrawn
 *
 * @typedef {{action: GameAction, move: number}} Pending
 * @typedef {{scene: Known, pending: Pending | null, no: string | null, advice: Suggestion | null,
 *   asking: boolean, round: RoundScored | null, draw: HakemDrawn | null, news: News | null,
 *   still: boolean}} State
 *   `scene`: what is shown. `no`: the code of the last refusal. `round`: a round that has just been
 *   scored. `draw`: how the first hakem was found. `still`: nothing waits to be shown.
 */
import { foreseen, whyNot } from "./hokm.js";
import { hear, nothing } from "./match.js";
import { nonce } from "./opening.js";
import { AGAIN, speaker } from "./speaker.js";
import { stage } from "./stage.js";

/** Milliseconds of silence after which we ask how the match stands. */
export const SILENCE = 6_000;
/** Times that advice is asked for before it is given up. */
const ADVICE_TRIES = 4;

/** Is it ours to do something now? The decision has its number, and nothing waits.
 * @param {import("./hokm.js").HokmView} view @param {State} state */
export const mayAct = (view, { still, pending, scene }) =>
  still && !pending && scene.move !== null && view.turn === view.seat;

/** @param {string} match @param {string} player @param {Link} link
 * @param {(state: State) => void} changed */
export function sit(match, player, link, changed) {
  let known = nothing(match);
  let asked = 0;
  let tries = 0;
  let heard = performance.now();
  /** @type {State} */
  let state = {
    scene: known,
    pending: null,
    no: null,
    advice: null,
    asking: false,
    round: null,
    draw: null,
    news: null,
    still: true,
  };
  const mouth = speaker((bytes) => link.say(match, bytes));
  const shows = stage(shown, () => set({ still: true }));
  const ticking = setInterval(tick, AGAIN / 4);

  /** @param {Partial<State>} change */
  function set(change) {
    state = { ...state, ...change };
    changed(state);
  }

  /** @param {News} news */
  function shown(news) {
    set({ scene: news.known, news, ...marks(news, state), still: false });
  }

  /** The seat that we own, if the house does not hold it: then every ask would take it back. */
  const held = () => known.sitting.some((one) => one.player === player && one.control === "house");

  function ask() {
    if (asked || known.over) return;
    asked = performance.now();
    link.ask(match);
  }

  function tick() {
    const now = performance.now();
    if (asked && now - asked > AGAIN) askAgain();
    else if (now - heard > SILENCE && !document.hidden && !held()) ask();
  }

  function askAgain() {
    asked = 0;
    mouth.again();
    if (state.asking) advise();
    ask();
  }

  function advise() {
    if (tries++ < ADVICE_TRIES) link.ask(match, "advice");
    else set({ asking: false, no: "fault" });
  }

  /** @param {Feed} message */
  function take(message) {
    heard = performance.now();
    mouth.hear(message);
    if (message.type === "snapshot") asked = 0;
    if (message.type === "advice" && message.move === known.move)
      set({ advice: message.suggestion, asking: false });
    if (message.type === "refused" && message.command === null) refused(message.code);
    const found = hear(known, message, heard);
    known = found.known;
    if (found.news) shows.put(found.news);
    if (found.ask && !held()) ask();
  }

  /** An ask was. @param {string} code */
  function refused(code) {
    asked = 0;
    if (code === "unknown_match") known = { ...known, over: known.over ?? "unknown" };
    set({ no: code, asking: false, scene: known.version ? state.scene : known });
  }

  /** @param {GameAction} action */
  async function act(action) {
    const { move } = known;
    if (state.pending || !state.still || move === null) return;
    set({ pending: { action, move }, no: null, advice: null, asking: false });
    const answer = await mouth.say(action, move);
    if (answer.type === "refused") set({ pending: null, no: answer.code });
    ask();
  }

  /** Open, mix in our randomness, start; the refusal's code, or null once the match has begun.
   * @param {Action} opening */
  async function open(opening) {
    const opened = await mouth.say(opening);
    if (opened.type === "refused") return opened.code;
    await mouth.say({ type: "add_nonce", nonce: nonce() });
    const begun = await mouth.say({ type: "start_match" });
    return begun.type === "refused" ? begun.code : null;
  }

  return {
    player,
    take,
    open,
    act,
    ask,
    /** The seat, from the house: any ask does. */
    takeBack: ask,
    /** What the person sees: the scene with our own move in it, if one waits for its answer.
     * @param {State} now */
    seen: ({ pending, scene }) =>
      pending && scene.view ? foreseen(scene.view, pending.action) : scene.view,
    /** A card that was touched: played, or why not. @param {string} card */
    play(card) {
      const view = state.scene.view;
      if (!view || state.pending) return;
      const no = mayAct(view, state) ? whyNot(view, card) : "not_your_turn";
      if (no) set({ no });
      else act({ type: "play_card", card });
    },
    hint() {
      if (state.asking || state.advice) return set({ advice: null, asking: false });
      tries = 0;
      set({ asking: true, no: null });
      advise();
    },
    /** Close what lies over the table. */
    goOn() {
      set({ round: null, draw: null });
      shows.skip();
    },
    /** Say again what has no answer, ask what was missed. */
    again() {
      asked = 0;
      mouth.again();
      if (!held()) ask();
    },
    leave: () => clearInterval(ticking),
  };
}

/** What that news opens or closes on the screen. @param {News} news @param {State} state
 * @returns {Partial<State>} */
function marks({ known, body }, { pending }) {
  const settled = pending && (body ? confirms(body, pending.action) : known.move !== pending.move);
  const change = settled ? { pending: null } : {};
  if (body === null) return change;
  const closed = { ...change, advice: null, asking: false };
  if (body.type === "hakem_drawn") return { ...closed, draw: body };
  if (body.type === "round_scored") return { ...closed, round: body };
  if (body.type === "five_dealt" || body.type === "trump_chosen")
    return { ...closed, round: null, draw: null };
  return closed;
}

/** Is this event the pending move's own? @param {import("./match.js").Body} body
 * @param {GameAction} action */
function confirms(body, action) {
  if (body.type === "card_played" && action.type === "play_card") return body.card === action.card;
  return body.type === "trump_chosen" && action.type === "choose_trump";
}
