/**
 * A view of Hokm after one more event. Whose cards may be played is not worked out here: the next
 * snapshot has it.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").HokmView} HokmView
 * @typedef {import("../../../../docs/schema/waraq.js").Event} Event
 * @typedef {import("../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {Pick<Event, "seat" | "body">} Fact
 */
import { RANKS, rankOf, suitOf } from "./cards.js";
import { FOUR, next } from "./seats.js";

/** @param {number} seat */
export const sideOf = (seat) => seat % 2;

/** Whose each card of the draw was: dealt round the table, the last to the hakem (H5).
 * @param {readonly string[]} shown @param {number} hakem */
export const drawnBy = (shown, hakem) =>
  shown.map((card, at) => ({ card, seat: (hakem + FOUR * shown.length - (shown.length - 1 - at)) % FOUR }));

/** The card that takes the trick as it lies: the highest trump, else the highest of the led suit (H14);
 * null of an empty one.
 * @param {readonly {card: string}[]} trick @param {string | null} trump @returns {string | null} */
export function winning(trick, trump) {
  const cards = trick.map(({ card }) => card);
  const suit = cards.some((card) => suitOf(card) === trump) ? trump : cards[0] && suitOf(cards[0]);
  const able = cards.filter((card) => suitOf(card) === suit);
  return able.toSorted((one, other) => RANKS.indexOf(rankOf(other)) - RANKS.indexOf(rankOf(one)))[0] ?? null;
}

/** The view before anything was dealt: nobody is hakem yet.
 * @param {HokmView["options"]} options @param {number | null} seat @returns {HokmView} */
export const begun = (options, seat) => ({
  game: "hokm",
  options,
  phase: "choosing_trump",
  round: 0,
  hakem: -1,
  trump: null,
  turn: null,
  trick: [],
  earlier: [],
  tricks: [0, 0],
  score: [0, 0],
  left: [0, 0, 0, 0],
  seat,
  hand: [],
  playable: [],
  winner: null,
});

/** @param {HokmView} view @param {Fact} fact @param {readonly string[]} cards those that it put
 * into the viewer's hand @returns {HokmView} */
export function after(view, fact, cards = []) {
  const held = cards.length ? { ...view, hand: [...view.hand, ...cards] } : view;
  return { ...changed(held, fact, cards), playable: [] };
}

/** @param {HokmView} view @param {Fact} fact @param {readonly string[]} cards @returns {HokmView} */
function changed(view, { seat, body }, cards) {
  switch (body.type) {
    case "hakem_drawn":
      return { ...view, hakem: body.hakem };
    case "five_dealt":
      return dealt(view, body.round, body.hakem, cards);
    case "trump_chosen":
      return { ...view, trump: body.suit };
    case "rest_dealt":
      return { ...view, phase: "playing", turn: view.hakem, left: [13, 13, 13, 13] };
    case "card_played":
      return seat === null ? view : played(view, seat, body.card);
    case "trick_taken":
      return taken(view, body.by, body.tricks);
    case "round_ended":
      return { ...view, phase: "scoring", turn: null };
    case "round_scored":
      return { ...view, score: /** @type {[number, number]} */ (body.totals) };
    case "match_ended":
      return over(view, /** @type {0 | 1} */ (body.winner));
    case "match_abandoned":
      return over(view, null);
    default:
      return view;
  }
}

/** @param {HokmView} view @param {number} round @param {number} hakem
 * @param {readonly string[]} hand @returns {HokmView} */
const dealt = (view, round, hakem, hand) => ({
  ...view,
  phase: "choosing_trump",
  round,
  hakem,
  trump: null,
  turn: hakem,
  trick: [],
  earlier: [],
  tricks: [0, 0],
  left: [5, 5, 5, 5],
  hand,
});

/** @param {HokmView} view @param {number} seat @param {string} card @returns {HokmView} */
function played(view, seat, card) {
  const left = view.left.map((count, at) => count - Number(at === seat));
  return {
    ...view,
    trick: [...view.trick, { seat, card }],
    left: /** @type {HokmView["left"]} */ (/** @type {unknown} */ (left)),
    turn: view.trick.length === FOUR - 1 ? null : next(seat),
    hand: seat === view.seat ? view.hand.filter((one) => one !== card) : view.hand,
  };
}

/** @param {HokmView} view @param {number} by @param {HokmView["tricks"]} tricks
 * @returns {HokmView} */
const taken = (view, by, tricks) => ({
  ...view,
  trick: [],
  earlier: [...view.earlier, view.trick],
  tricks,
  turn: by,
});

/** @param {HokmView} view @param {0 | 1 | null} winner @returns {HokmView} */
const over = (view, winner) => ({ ...view, phase: "match_over", turn: null, winner });

/** The view as it will be if the table takes that action of the viewer's.
 * @param {HokmView} view @param {GameAction} action @returns {HokmView} */
export function foreseen(view, action) {
  const { seat } = view;
  if (action.type === "play_card")
    return after(view, { seat, body: { type: "card_played", card: action.card } });
  if (action.type === "choose_trump")
    return after(view, { seat, body: { type: "trump_chosen", suit: action.suit } });
  return view;
}

/** Why the viewer may not play that card now: a refusal's code, or null if he may.
 * @param {HokmView} view @param {string} card @returns {string | null} */
export function whyNot(view, card) {
  if (view.phase !== "playing") return "wrong_phase";
  if (view.turn !== view.seat) return "not_your_turn";
  return view.playable.includes(card) ? null : "must_follow_suit";
}

/** Is this event that action's own? @param {import("../../../../docs/schema/waraq.js").Body} body
 * @param {GameAction} action */
export function confirms(body, action) {
  if (body.type === "card_played" && action.type === "play_card") return body.card === action.card;
  return body.type === "trump_chosen" && action.type === "choose_trump";
}
