/**
 * A view of Hand after one more event, and after an action of ours that has not been answered yet.
 * It says what the table's own view would (services/rules/hand/view.py) wherever the table rests.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandView} HandView
 * @typedef {import("../../../../../docs/schema/waraq.js").HandOptions} HandOptions
 * @typedef {import("../../../../../docs/schema/waraq.js").Meld} Meld
 * @typedef {import("../../../../../docs/schema/waraq.js").MeldsLaid} MeldsLaid
 * @typedef {import("../../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {import("../../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("../hokm.js").Fact} Fact
 */
import { inSides, next } from "../seats.js";
import { endOf, extended, freed, isSaudi, read, sum, swapOf, valueOf } from "./melds.js";

/** What the first opening of a round must be worth (N14, N16). */
const BAR = 51;
/** Cards that a seat is dealt; the starter gets one more (N4). */
const PACKET = 14;
/** Cards of the pack (N2). */
const PACK = 106;
const SIDES = 2;

/** How many are scored: seats, or two sides. @param {HandOptions} options */
const unitsOf = (options) => (inSides(options) ? SIDES : options.seats);

/** The seat itself, or its side. @param {HandOptions} options @param {number} seat */
export const unitOf = (options, seat) => (inSides(options) ? seat % SIDES : seat);

/** Nothing is done in this turn. */
const NOTHING = { must_open: false, must_place: [], taken: null, drawn: null };

/** The view before anything was dealt: nobody is on turn, all cards are one pack. What `after` makes of
 * it and of the first deal's events is the table's own view. @param {HandOptions} options
 * @param {number | null} seat null of who watches @returns {HandView} */
export function begun(options, seat) {
  const units = Array.from({ length: unitsOf(options) }, (_, unit) => unit);
  return {
    game: "hand",
    options,
    ...freshTable(options),
    round: 0,
    dealer: 0,
    turn: null,
    stock: PACK,
    left: Array.from({ length: options.seats }, () => 0),
    totals: units.map(() => 0),
    contenders: units,
    seat,
    hand: [],
    winner: null,
  };
}

/** A table on which nobody has done anything. @param {HandOptions} options */
const freshTable = ({ seats }) => ({
  ...NOTHING,
  phase: /** @type {const} */ ("discard_first"),
  bar: BAR,
  opened: Array.from({ length: seats }, () => false),
  melds: [],
  fire: [],
  tosses: [],
  reshuffles: 0,
});

/** A new round; of the old one only totals and contenders stay. @param {HandView} view
 * @param {number} round @param {number} dealer @param {readonly string[]} hand @returns {HandView} */
function dealt(view, round, dealer, hand) {
  const { seats } = view.options;
  const starter = next(dealer, seats);
  return {
    ...view,
    ...freshTable(view.options),
    round,
    dealer,
    turn: starter,
    stock: PACK - PACKET * seats - 1,
    left: view.left.map((_, seat) => PACKET + Number(seat === starter)),
    hand,
  };
}

// After an event -------------------------------------------------------------------------------

/** @param {HandView} view @param {Fact} fact @param {readonly string[]} cards those that it put into
 * the viewer's hand @returns {HandView} */
export function after(view, { seat, body }, cards = []) {
  return seat !== null && seat === view.turn ? afterMove(view, seat, body, cards) : afterRule(view, body, cards);
}

/** What a seat on turn did. @param {HandView} view @param {number} seat @param {Body} body
 * @param {readonly string[]} cards @returns {HandView} */
function afterMove(view, seat, body, cards) {
  switch (body.type) {
    case "card_drawn":
      return drawn(view, seat, body.stock, cards);
    case "fire_taken":
      return fireTaken(view, seat, body.card);
    case "melds_laid":
      return meldsLaid(view, seat, body);
    case "card_laid_off":
      return laidOff(view, seat, body);
    case "joker_swapped":
      return swapped(view, seat, body);
    case "card_discarded":
      return discarded(view, seat, body.card);
    default:
      return afterRule(view, body, cards);
  }
}

/** What came of itself. @param {HandView} view @param {Body} body @param {readonly string[]} cards
 * @returns {HandView} */
function afterRule(view, body, cards) {
  switch (body.type) {
    case "hand_dealt":
      return dealt(view, body.round, body.dealer, cards);
    case "cards_shuffled":
      return body.label === "deal" ? view : reshuffled(view, body.cards);
    case "round_ended":
      return { ...view, ...NOTHING, phase: "scoring", turn: null };
    case "round_scored":
      return { ...view, totals: body.totals, contenders: contenders(view, body.totals) };
    case "match_ended":
      return { ...over(view), contenders: [body.winner], winner: body.winner };
    case "match_abandoned":
      return over(view);
    default:
      return view;
  }
}

/** @param {HandView} view @param {number} seat @param {number} stock @param {readonly string[]} cards
 * @returns {HandView} */
const drawn = (view, seat, stock, cards) => ({
  ...view,
  ...NOTHING,
  phase: "act",
  stock,
  left: counted(view, seat, 1),
  hand: [...view.hand, ...cards],
  drawn: cards[0] ?? null,
});

/** @param {HandView} view @param {number} seat @param {string} card @returns {HandView} */
function fireTaken(view, seat, card) {
  const last = view.tosses[view.tosses.length - 1];
  return {
    ...view,
    ...NOTHING,
    phase: "act",
    fire: view.fire.slice(0, -1),
    tosses: [...view.tosses.slice(0, -1), { ...last, taken_by: seat }],
    left: counted(view, seat, 1),
    hand: seat === view.seat ? [...view.hand, card] : view.hand,
    taken: card,
    must_open: !view.opened[seat],
  };
}

/** @param {HandView} view @param {number} seat @param {MeldsLaid} body @returns {HandView} */
function meldsLaid(view, seat, { first_id, melds, value, opening }) {
  const laid = melds.map((cards, at) => ({ id: first_id + at, owner: seat, kind: kindOf(cards), cards }));
  const now = put(view, seat, melds.flat(), [...view.melds, ...laid]);
  if (!opening) return now;
  return {
    ...now,
    bar: isSaudi(view.options) ? value + 1 : view.bar,
    opened: openedWith(view, seat),
    must_open: false,
  };
}

/** @param {readonly string[]} cards */
const kindOf = (cards) => read(cards)?.kind ?? "run";

/** By seat, who has opened once that one has: in Saudi partnership its side with it (N17).
 * @param {HandView} view @param {number} seat */
function openedWith({ options, opened }, seat) {
  const together = options.variant === "saudi_partnership";
  /** @param {number} other */
  const opens = (other) => other === seat || (together && unitOf(options, other) === unitOf(options, seat));
  return opened.map((was, other) => was || opens(other));
}

/** @param {HandView} view @param {number} seat
 * @param {{meld: number, card: string, end: "low" | "high" | null}} body @returns {HandView} */
function laidOff(view, seat, { meld, card, end }) {
  return put(view, seat, [card], withMeld(view, meld, ({ cards }) => extended(cards, card, end)));
}

/** The joker comes into the hand (N22). @param {HandView} view @param {number} seat
 * @param {{meld: number, card: string, joker: string}} body @returns {HandView} */
function swapped(view, seat, { meld, card, joker }) {
  const melds = withMeld(view, meld, ({ cards }) => freed(cards, card));
  const now = put(view, seat, [card], melds);
  return {
    ...now,
    left: counted(now, seat, 1),
    hand: seat === view.seat ? [...now.hand, joker] : now.hand,
    must_place: [...now.must_place, joker],
  };
}

/** @param {HandView} view @param {number} id @param {(meld: Meld) => readonly string[]} change */
const withMeld = (view, id, change) =>
  view.melds.map((meld) => (meld.id === id ? { ...meld, cards: change(meld) } : meld));

/** Cards went to the table. @param {HandView} view @param {number} seat @param {readonly string[]} gone
 * @param {readonly Meld[]} melds @returns {HandView} */
const put = (view, seat, gone, melds) => ({
  ...without(view, seat, gone),
  melds,
  must_place: view.must_place.filter((joker) => !gone.includes(joker)),
});

/** @param {HandView} view @param {number} seat @param {readonly string[]} gone @returns {HandView} */
const without = (view, seat, gone) => ({
  ...view,
  left: counted(view, seat, -gone.length),
  hand: seat === view.seat ? view.hand.filter((card) => !gone.includes(card)) : view.hand,
});

/** @param {HandView} view @param {number} seat @param {number} more */
const counted = (view, seat, more) => view.left.map((count, at) => count + (at === seat ? more : 0));

/** The turn is over; with an empty hand so is the round, which its own event says.
 * @param {HandView} view @param {number} seat @param {string} card @returns {HandView} */
function discarded(view, seat, card) {
  const now = {
    ...without(view, seat, [card]),
    fire: [...view.fire, card],
    tosses: [...view.tosses, { seat, card, taken_by: null }],
  };
  if (now.left[seat] === 0) return now;
  return { ...now, ...NOTHING, phase: "draw", turn: next(seat, view.options.seats) };
}

/** The older cards of the fire are the stock now (N27). @param {HandView} view @param {number} cards
 * @returns {HandView} */
const reshuffled = (view, cards) => ({
  ...view,
  stock: cards,
  fire: view.fire.slice(-1),
  reshuffles: view.reshuffles + 1,
});

/** Who can still win (N46); that a third void tie-break ends the match is said by `match_ended`.
 * @param {HandView} view @param {readonly number[]} totals */
function contenders(view, totals) {
  if (view.round < view.options.rounds) return view.contenders;
  const lowest = Math.min(...view.contenders.map((unit) => totals[unit]));
  return view.contenders.filter((unit) => totals[unit] === lowest);
}

/** @param {HandView} view @returns {HandView} */
const over = (view) => ({ ...view, phase: "match_over", turn: null, must_open: false, drawn: null });

// Before the table has said so -----------------------------------------------------------------

/** The view as it will be if the table takes that action of the viewer's. A card drawn from the stock
 * is not known yet: it is counted in `left` and is not in `hand`.
 * @param {HandView} view @param {GameAction} action @returns {HandView} */
export function foreseen(view, action) {
  const body = bodyOf(view, action);
  return body ? after(view, { seat: view.seat, body }) : view;
}

/** The event that the action makes. @param {HandView} view @param {GameAction} action
 * @returns {Body | null} */
function bodyOf(view, action) {
  switch (action.type) {
    case "draw":
      return action.from === "stock"
        ? { type: "card_drawn", stock: view.stock - 1 }
        : { type: "fire_taken", card: view.fire[view.fire.length - 1] };
    case "lay_melds":
      return bodyOfMelds(view, action.melds);
    case "lay_off": {
      const { meld, card, end } = action;
      return { type: "card_laid_off", meld, card, end: endOf(meldOf(view, meld), card, end) };
    }
    case "swap_joker": {
      const { meld, card } = action;
      const joker = swapOf(meldOf(view, meld), card);
      return joker === null ? null : { type: "joker_swapped", meld, card, joker };
    }
    case "discard":
      return { type: "card_discarded", card: action.card };
    default:
      return null;
  }
}

/** @param {HandView} view @param {readonly (readonly string[])[]} melds @returns {Body} */
const bodyOfMelds = (view, melds) => ({
  type: "melds_laid",
  first_id: view.melds.length + 1,
  melds,
  value: sum(melds.map((cards) => valueOf(cards, view.options) ?? 0)),
  opening: view.seat !== null && !view.opened[view.seat],
});

/** @param {HandView} view @param {number} id */
const meldOf = (view, id) => view.melds[id - 1];

/** The event that confirms each action, and in what both must be alike.
 * @type {Record<string, {type: string, alike: readonly string[]}>} */
const CONFIRMED = {
  lay_melds: { type: "melds_laid", alike: ["melds"] },
  lay_off: { type: "card_laid_off", alike: ["meld", "card"] },
  swap_joker: { type: "joker_swapped", alike: ["meld", "card"] },
  discard: { type: "card_discarded", alike: ["card"] },
};

/** Is this event that action's own? @param {Body} body @param {GameAction} action */
export function confirms(body, action) {
  if (action.type === "draw") return body.type === (action.from === "stock" ? "card_drawn" : "fire_taken");
  const confirmed = CONFIRMED[action.type];
  if (body.type !== confirmed?.type) return false;
  /** @param {any} one @param {string} key */
  const text = (one, key) => JSON.stringify(one[key]);
  return confirmed.alike.every((key) => text(body, key) === text(action, key));
}
