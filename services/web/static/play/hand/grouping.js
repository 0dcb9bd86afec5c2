/**
 * A hand of Hand put into melds by itself, and whether it can open.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").HandOptions} HandOptions
 * @typedef {import("../../../../../docs/schema/waraq.js").HandView} HandView
 * @typedef {import("./melds.js").Reading} Reading
 * @typedef {{melds: readonly Reading[], loose: readonly string[], value: number, left: number}} Grouping
 *   `value`: what the melds are worth on the table. `left`: what the loose cards would cost.
 */
import { fits, freed, heldValue, readingOf, sum, swapOf } from "./melds.js";
import { bestMelds } from "./search.js";

/** The melds that leave the least value loose; ties: the fewest cards, then the most valuable melds.
 * @param {readonly string[]} hand @param {HandOptions} options @returns {Grouping} */
export const grouped = (hand, options) =>
  groupingOf(hand, bestMelds(hand, options).melds ?? [], options);

/** @param {readonly string[]} hand @param {readonly (readonly string[])[]} listed
 * @param {HandOptions} options @returns {Grouping} */
function groupingOf(hand, listed, options) {
  const melds = listed.map((cards) => readingOf(cards, options));
  const loose = hand.filter((card) => !listed.some((cards) => cards.includes(card)));
  return { melds, loose, value: sum(melds.map(({ value }) => value)), left: sum(loose.map(heldValue)) };
}

/** An opening of that hand: melds worth `view.bar` at least after which the turn can end (N14, N18);
 * of all the one that leaves the least value. Null if there is none.
 * @param {readonly string[]} hand @param {HandView} view its `taken` is the card from the fire that may
 * not be thrown @returns {Grouping | null} */
export function openable(hand, view) {
  const best = opening(hand, view);
  if (best === null || canEnd(best, view)) return best;
  const others = hand.filter((card) => card !== view.taken).map((kept) => openingWithout(hand, kept, view));
  return others.reduce((least, one) => (one && (!least || one.left < least.left) ? one : least), null);
}

/** @param {readonly string[]} hand @param {HandView} view @returns {Grouping | null} */
function opening(hand, { options, bar, taken }) {
  const { melds } = bestMelds(hand, options, bar, undefined, taken);
  return melds && groupingOf(hand, melds, options);
}

/** The same with one card that is kept to be thrown.
 * @param {readonly string[]} hand @param {string} kept @param {HandView} view @returns {Grouping | null} */
function openingWithout(hand, kept, view) {
  const found = opening(hand.filter((card) => card !== kept), view);
  return found && groupingOf(hand, found.melds.map(({ cards }) => cards), view.options);
}

/** Can the turn end after that opening? Nothing is left, or something to throw; the card that was taken
 * alone must find a place. @param {Grouping} opening @param {HandView} view */
function canEnd({ melds, loose }, view) {
  if (loose.length === 0 || loose.some((card) => card !== view.taken)) return true;
  const laid = melds.map(({ kind, cards }) => ({ id: 0, owner: 0, kind, cards }));
  return findsPlace(loose[0], [...view.melds, ...laid]);
}

/** Can that last card go to the table, and with it a joker that it frees?
 * @param {string} card @param {readonly import("./melds.js").Meld[]} melds */
function findsPlace(card, melds) {
  if (melds.some((meld) => fits(meld, card).length)) return true;
  return melds.some((meld) => {
    const joker = swapOf(meld, card);
    if (joker === null) return false;
    const swapped = { ...meld, cards: freed(meld.cards, card) };
    return [swapped, ...melds.filter((one) => one !== meld)].some((one) => fits(one, joker).length);
  });
}
