/**
 * Us at one match: what is known folded, shown at a person's pace, and what we do said until it is
 * answered. A move of ours is shown at once; its event confirms it, a refusal takes it back.
 *
 * @typedef {import("./match.js").Known} Known
 * @typedef {import("./match.js").News} News
 * @typedef {import("./connection.js").Link} Link
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {import("../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {import("../../../../docs/schema/waraq.js").View} View
 * @typedef {import("../../../../docs/schema/waraq.js").Action} Action
 * @typedef {import("../../../../docs/schema/waraq.js").Suggestion} Suggestion
 * @typedef {import("../../../../docs/schema/waraq.js").RoundScored} RoundScored
 * @typedef {import("../../../../docs/schema/waraq.js").RoundEnded} RoundEnded
 * @typedef {import("../../../../docs/schema/waraq.js").HakemDrawn} HakemDrawn
 * @typedef {import("../../../../docs/schema/waraq.js").MatchOpened} MatchOpened
 * @typedef {import("./stickers.js").StickerId} StickerId
 *
 * @typedef {{action: GameAction, move: number}} Pending
 * @typedef {{scene: Known, pending: Pending | null, no: string | null, advice: Suggestion | null,
 *   asking: boolean, round: RoundScored | null, ended: RoundEnded | null, draw: HakemDrawn | null,
 *   news: News | null, lapse: import("./lapse.js").Lapse | null, still: boolean, opened: MatchOpened | null,
 *   doing: boolean, said: import("./stickers.js").Said, resting: boolean, hushed: boolean, asleep: boolean, own: any}} State
 *   `scene`: what is shown. `no`: the code of the last refusal, or why nothing was said. `round`: a round
 *   that has just been scored, `ended`: how it ended. `draw`: how the first hakem was found. `still`:
 *   nothing waits to be shown. `opened`: what the table is, asked where it matters. `doing`: something about
 *   seats waits for its answer. `said`: stickers that are seen now, `hushed` if none are to be; `resting`: we
 *   just showed one. `asleep`: our time ran out, and nobody has touched the page since. `own`: what the person has in mind, as the game keeps it.
 */
import { AGAIN, SILENCE, adviser, asker, refusesAsk } from "./asker.js";
import { confirms, foreseen } from "./games.js";
import { lapsed } from "./lapse.js";
import { hear, nothing } from "./match.js";
import { nonce, waits } from "./opening.js";
import { pace } from "./preferences.js";
import { safely } from "./safely.js";
import { speaker } from "./speaker.js";
import { stage } from "./stage.js";
import { REST, bubbles, hush, hushed } from "./stickers.js";

/** Milliseconds between two looks at what has no answer yet. */
const TICK = 500;
const clock = () => performance.now();

/** Is it our turn, as far as the view tells? @param {View} view */
export const ours = (view) => view.seat !== null && view.turn === view.seat;

/** Is it ours to do something now? The decision has its number, and nothing waits.
 * @param {View} view @param {State} state */
export const mayAct = (view, { still, pending, scene }) => still && !pending && scene.move !== null && ours(view);

/** What the person sees: the scene with our own move in it, if one waits for its answer.
 * @param {State} state @returns {View | null} */
export const seen = ({ pending, scene }) =>
  pending && scene.view ? foreseen(scene.view, pending.action) : scene.view;

/** @param {Known} scene @returns {State} */
const begun = (scene) => ({
  scene,
  pending: null,
  no: null,
  advice: null,
  asking: false,
  round: null,
  ended: null,
  draw: null,
  news: null,
  lapse: null,
  still: true,
  opened: null,
  doing: false,
  said: {},
  resting: false,
  hushed: hushed(scene.match),
  asleep: false,
  own: {},
});

export class Sitting {
  #known;
  #state;
  #changed;
  #mouth;
  #asker;
  #adviser;
  #stage;
  #bubbles;
  #link;
  #ticking;
  #starting = false;

  /** @param {string} match @param {string} player @param {Link} link
   * @param {(state: State) => void} changed @param {string | null} code of the invitation */
  constructor(match, player, link, changed, code = null) {
    this.player = player;
    this.code = code;
    this.#link = link;
    this.#known = nothing(match);
    this.#state = begun(this.#known);
    this.#changed = safely(changed);
    this.#mouth = speaker((bytes) => link.say(match, bytes), clock);
    const silence = () => (this.#seated() ? SILENCE : AGAIN);
    this.#asker = asker(() => link.ask(match), () => this.#wants(), clock, silence);
    this.#adviser = adviser(() => link.ask(match, "advice"), () => this.#unadvised(), clock);
    this.#stage = stage((news) => this.#show(news), () => this.#set({ still: true }), () => pace() === "quick");
    this.#bubbles = bubbles((said) => this.#set({ said }));
    this.#ticking = setInterval(() => this.#tick(), TICK);
  }

  /** Whatever was heard of this match. @param {Feed} message */
  take(message) {
    this.#mouth.hear(message);
    this.#asker.hear(message);
    if (message.type === "advice" && message.move === this.#known.move)
      this.#advised(message.suggestion);
    if (message.type === "refused" && refusesAsk(message)) this.#refused(message.code);
    if (message.type === "sticker") this.#bubbles.put(message.seat, message.sticker);
    this.#doze(message);
    this.#learn(message);
    const { known, news, ask } = hear(this.#known, message, clock());
    this.#known = known;
    if (news) this.#stage.put(news);
    if (ask && this.#wants()) this.#asker.now();
    if (message.type === "snapshot") this.#startAgain();
  }

  /** Open, mix in our randomness, and start if nobody else is to come; the refusal's code, or null
   * once that is done.
   * @param {import("../../../../docs/schema/waraq.js").OpenMatch} opening */
  async open(opening) {
    this.#starting = true;
    const opened = await this.#mouth.say(opening);
    if (opened.type === "refused") return opened.code;
    await this.#mouth.say({ type: "add_nonce", nonce: nonce() });
    if (waits(opening.seats)) return null;
    const started = await this.#mouth.say({ type: "start_match" });
    return started.type === "refused" ? started.code : null;
  }

  /** Sit down there, and mix in our randomness before the start. @param {number} seat */
  sit = async (seat) => {
    const sat = await this.#attempt({ type: "take_seat", seat, code: this.code });
    if (sat && !this.#known.begun) this.#mouth.say({ type: "add_nonce", nonce: nonce() });
  };

  /** True once we have left the seat. */
  getUp = () => this.#attempt({ type: "leave_seat" });

  start = () => this.#attempt({ type: "start_match" }, this.#known.move);

  /** @param {StickerId} sticker */
  show = (sticker) => {
    if (this.#state.resting) return;
    this.#link.ask(this.#known.match, "sticker", 0, sticker);
    this.#set({ resting: true });
    setTimeout(() => this.#set({ resting: false }), REST);
  };

  /** Hide the stickers of this table, or not any more. */
  hush = () => {
    const { match } = this.#known;
    hush(match, !this.#state.hushed);
    this.#set({ hushed: hushed(match) });
  };

  /** How does it stand? This takes our seat back from the house, too. */
  ask = () => {
    this.#set({ asleep: false });
    this.#asker.insist();
  };

  /** There is a new connection, or somebody looks at the page again. @param {boolean} here is somebody? */
  again(here = false) {
    this.#mouth.again();
    if (here) this.#set({ asleep: false });
    this.#renew();
  }

  /** Somebody is here. */
  touched() {
    if (!this.#state.asleep || this.#held()) return;
    this.#set({ asleep: false });
    this.#renew();
  }

  /** @param {GameAction} action */
  act = async (action) => {
    const { move } = this.#known;
    const { pending, still } = this.#state;
    if (pending || !still || move === null) return;
    this.#adviser.end();
    const mine = { action, move };
    this.#set({ pending: mine, no: null, advice: null, asking: false });
    const answer = await this.#mouth.say(action, move);
    const later = this.#state.pending !== null && this.#state.pending !== mine;
    if (answer.type === "refused" && !later) this.#set({ pending: null, no: answer.code });
    this.#renew();
  };

  /** It was touched: it is done, or it is said why not. On our turn, while that is still being shown or asked,
   * it is neither.
   * @param {GameAction} action @param {string | null} no why it may not be, if it were our turn */
  attempt = (action, no) => {
    const { scene, pending } = this.#state;
    if (!scene.view || pending) return;
    const may = mayAct(scene.view, this.#state);
    if (!may && ours(scene.view)) return;
    const why = may ? no : "not_your_turn";
    if (why) this.#set({ no: why });
    else this.act(action);
  };

  /** What the person has in mind, some of it anew. @param {any} change */
  keep = (change) => this.#set({ own: { ...this.#state.own, ...change } });

  /** Why nothing was said to the table. @param {string} no */
  explain = (no) => this.#set({ no });

  /** The master's look; a second time: enough of it. */
  hint = () => {
    const wanted = !this.#state.asking && !this.#state.advice;
    this.#set({ asking: wanted, advice: null, no: null });
    if (wanted) this.#adviser.begin();
    else this.#adviser.end();
  };

  /** Close what lies over the table. */
  goOn = () => {
    this.#set({ round: null, ended: null, draw: null });
    this.#stage.skip();
  };

  leave() {
    clearInterval(this.#ticking);
  }

  /** @param {Partial<State>} change */
  #set(change) {
    this.#state = { ...this.#state, ...change };
    this.#changed(this.#state);
  }

  /** @param {News} news */
  #show(news) {
    const lapse = lapsed(this.#state.lapse, news, this.#state.scene);
    this.#set({ scene: news.known, news, lapse, ...marks(news, this.#state), still: false });
  }

  /** Something about seats; a refusal is told. @param {Action} action @param {number | null} move */
  async #attempt(action, move = null) {
    if (this.#state.doing) return false;
    this.#set({ doing: true, no: null });
    const answer = await this.#mouth.say(action, move);
    const no = answer.type === "refused" ? answer.code : null;
    if (no === "wrong_code") this.code = null;
    this.#set({ doing: false, no });
    this.#renew();
    return no === null;
  }

  /** What is this table? Asked of one that has not begun, and by who does not sit there: the first
   * event says it. @param {Feed} message */
  #learn(message) {
    const { opened } = this.#state;
    if (opened) return;
    const first = message.type === "history" ? message.events[0] : message;
    if (first?.type === "event" && first.event.body.type === "match_opened")
      this.#set({ opened: first.event.body });
    if (message.type === "snapshot" && !message.over && (message.view?.seat ?? null) === null)
      this.#link.ask(message.match, "history");
  }

  /** A page that was left between opening and starting: the match is ours to start, if nobody else
   * is to come. */
  #startAgain() {
    const { begun, over, sitting } = this.#known;
    const alone = sitting.every(({ player, control }) => player === this.player || control === "house");
    if (this.#starting || begun || over || sitting[0]?.player !== this.player || !alone) return;
    this.#starting = true;
    this.#mouth.say({ type: "start_match" });
  }

  /** Does the house hold our seat? Then every ask would take it back, so none is made unasked. */
  #held() {
    const { sitting } = this.#known;
    return sitting.some((one) => one.player === this.player && one.control === "house");
  }

  #seated() {
    return this.#known.sitting.some((one) => one.player === this.player);
  }

  /** May it be asked unasked? Any ask would tell the table that we are here. */
  #wants() {
    return !document.hidden && !this.#state.asleep && !this.#known.over && !this.#held();
  }

  /** How does it stand, if that may be asked now? */
  #renew() {
    if (this.#wants()) this.#asker.anew();
  }

  /** Our time ran out: perhaps nobody is here, and the house is about to hold our seat. Until the page is
   * touched, or a command of ours is heard, it asks nothing. @param {Feed} message */
  #doze(message) {
    if (message.type !== "event" || message.event.version <= this.#known.version) return;
    const { body } = message.event;
    const mine = "seat" in body && this.#known.sitting.some((one) => one.player === this.player && one.seat === body.seat);
    const back = body.type === "control_changed" && mine && body.control === "owner";
    if (body.type === "turn_timed_out" && mine) this.#set({ asleep: true });
    else if (this.#state.asleep && (back || message.command !== null)) this.#set({ asleep: false });
  }

  #tick() {
    this.#mouth.tick();
    this.#asker.tick();
    this.#adviser.tick();
  }

  /** @param {Suggestion} advice */
  #advised(advice) {
    this.#adviser.end();
    if (this.#state.asking) this.#set({ advice, asking: false });
  }

  #unadvised() {
    this.#set({ asking: false, no: "fault" });
  }

  /** An ask was. @param {string} code */
  #refused(code) {
    this.#adviser.end();
    const gone = code === "unknown_match" && this.#known.version === 0;
    if (gone) this.#known = { ...this.#known, over: "unknown" };
    this.#set({ no: code, asking: false, ...(gone ? { scene: this.#known } : {}) });
  }
}

/** What that news opens or closes on the screen. @param {News} news @param {State} state
 * @returns {Partial<State>} */
function marks({ known, body }, { scene, pending }) {
  const confirmed = body && pending && known.view && confirms(known.view, body, pending.action);
  const settled = pending && (body ? confirmed : known.move !== pending.move);
  const change = settled ? { pending: null } : {};
  if (body === null) return known.begun === scene.begun ? change : { ...change, no: null };
  const closed = { ...change, no: null, advice: null, asking: false };
  if (body.type === "hakem_drawn") return { ...closed, draw: body };
  if (body.type === "round_ended") return { ...closed, ended: body };
  if (body.type === "round_scored") return { ...closed, round: body };
  if (["five_dealt", "trump_chosen", "hand_dealt"].includes(body.type))
    return { ...closed, round: null, ended: null, draw: null };
  return closed;
}
