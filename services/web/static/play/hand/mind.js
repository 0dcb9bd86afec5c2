/**
 * What a person at a table of Hand has in mind: how the cards lie before him, which are chosen, what
 * is looked at. The table knows nothing of it.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandView} HandView
 * @typedef {import("../../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {import("../../../../../docs/schema/waraq.js").Meld} Meld
 * @typedef {import("./arrangement.js").Arrangement} Arrangement
 * @typedef {{arrangement?: Arrangement, chosen?: readonly string[], lifted?: string | null,
 *   looking?: boolean, choice?: readonly GameAction[] | null}} Own
 *   As a sitting keeps it. `lifted`: the card that is drawn about. `looking`: at the fire pile.
 *   `choice`: actions of which one is to be chosen.
 * @typedef {{melds: readonly (readonly string[])[], value: number, no: string | null}} Laying
 *   Melds that could be laid together, what they are worth, and why they may not be.
 * @typedef {{arrangement: Arrangement, cards: readonly string[], worths: readonly number[],
 *   chosen: readonly string[], alone: string | null, laying: Laying | null, grouped: number,
 *   throws: boolean, fitting: readonly number[], readings: readonly (readonly string[])[]}} Mind
 *   `worths`: of each group as a meld, 0 if it is none. `alone`: the card that is chosen by itself;
 *   `throws`: it may be thrown; `fitting`: ids of the melds where it can go. `grouped`: what the chosen
 *   melds, or else the groups, are worth. `readings`: all that the chosen cards can be as one meld.
 */
import { automatic, cardsOf, gathered, kept, sortedBy } from "./arrangement.js";
import { grouped, openable } from "./grouping.js";
import { whyNot } from "./legal.js";
import { MELD_SIZE, fits, readings, sum, swapOf } from "./melds.js";

/** How each hand was put in order of itself, so that it is worked out once. @type {WeakMap<object, Arrangement>} */
const begun = new WeakMap();

/** What was worked out last for each, so that the parts of a table need not do it again.
 * @type {WeakMap<Own, {view: HandView, mind: Mind}>} */
const known = new WeakMap();

/** @param {HandView} view @param {Own} own @returns {Mind} */
export function mindOf(view, own) {
  const last = known.get(own);
  if (last?.view === view) return last.mind;
  const mind = workedOut(view, own);
  known.set(own, { view, mind });
  return mind;
}

/** @param {HandView} view @param {Own} own @returns {Mind} */
function workedOut(view, own) {
  const arrangement = arrangementOf(view, own.arrangement);
  const chosen = (own.chosen ?? []).filter((card) => view.hand.includes(card));
  const alone = own.lifted ?? (chosen.length === 1 ? chosen[0] : null);
  const melds = arrangement.groups.map((cards) => readings(cards, view.options)[0] ?? null);
  const worths = melds.map((meld) => meld?.value ?? 0);
  const alike = readings(chosen, view.options);
  const made = alike.length ? alike.slice(0, 1) : togetherOf(chosen, view.options);
  const value = sum(made.map((meld) => meld.value));
  const chosenOnes = chosenLaying(view, chosen, made, value);
  const listed = melds.flatMap((meld) => (meld ? [meld.cards] : []));
  return {
    arrangement,
    cards: cardsOf(arrangement),
    worths,
    chosen,
    alone,
    laying: chosen.length ? chosenOnes : groupsLaying(view, listed, sum(worths)),
    grouped: chosenOnes ? chosenOnes.value : value || sum(worths),
    throws: alone !== null && !whyNot(view, { type: "discard", card: alone }),
    fitting: alone ? view.melds.filter((meld) => growths(meld, alone).length).map(({ id }) => id) : [],
    readings: alike.map(({ cards }) => cards),
  };
}

/** The melds that several cards make together, none if one is over.
 * @param {readonly string[]} cards @param {HandView["options"]} options */
function togetherOf(cards, options) {
  const { melds, loose } = grouped(cards, options);
  return loose.length ? [] : melds;
}

/** As he put it; of a hand that he never saw, by itself. @param {HandView} view
 * @param {Arrangement | undefined} arrangement */
function arrangementOf(view, arrangement) {
  if (arrangement && cardsOf(arrangement).some((card) => view.hand.includes(card))) return kept(arrangement, view.hand);
  const first = begun.get(view.hand) ?? byItself(view);
  begun.set(view.hand, first);
  return first;
}

/** The hand in its best melds; before the opening, if those are not enough for it and others are, in
 * those. @param {HandView} view @returns {Arrangement} */
export function byItself(view) {
  const { hand, options, bar, opened, seat } = view;
  const must = seat !== null && !opened[seat] && grouped(hand, options).value < bar;
  const opening = must ? openable(hand, view) : null;
  if (!opening) return automatic(hand, options);
  const first = sortedBy(hand, "suit");
  return opening.melds.reduce((now, { cards }) => gathered(now, cards), first);
}

/** @param {HandView} view @param {readonly string[]} chosen
 * @param {readonly {cards: readonly string[]}[]} made @param {number} value @returns {Laying | null} */
function chosenLaying(view, chosen, made, value) {
  if (chosen.length < MELD_SIZE) return null;
  const melds = made.length ? made.map(({ cards }) => cards) : [chosen];
  return { melds, value, no: whyNot(view, { type: "lay_melds", melds }) };
}

/** Only what may be laid: nobody asked. @param {HandView} view
 * @param {readonly (readonly string[])[]} melds @param {number} value @returns {Laying | null} */
const groupsLaying = (view, melds, value) =>
  melds.length && !whyNot(view, { type: "lay_melds", melds }) ? { melds, value, no: null } : null;

/** All that a card can do at that meld: laid off at either end, swapped for its joker.
 * @param {Meld} meld @param {string} card @returns {GameAction[]} */
export function growths(meld, card) {
  /** @type {GameAction[]} */
  const ends = fits(meld, card).map((end) => ({ type: "lay_off", meld: meld.id, card, end }));
  return swapOf(meld, card) ? [...ends, { type: "swap_joker", meld: meld.id, card }] : ends;
}
