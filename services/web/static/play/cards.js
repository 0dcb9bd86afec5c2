/** Cards as the page shows them: in what order, and how they are called. */

/** Left to right: black and red in turn. */
export const SUITS = /** @type {const} */ (["S", "H", "C", "D"]);
export const RANKS = "23456789TJQKA";

/** What both copies of a card are in Hand: its rank and suit, `JK` of a joker. @param {string} card */
export const faceOf = (card) => card.slice(0, 2);
export const JOKER = "JK";
/** @param {string} card */
export const isJoker = (card) => faceOf(card) === JOKER;
/** A joker has none, and is one by itself. @param {string} card */
export const rankOf = (card) => (isJoker(card) ? JOKER : card[0]);
/** A joker has none. @param {string} card @returns {"S" | "H" | "D" | "C"} */
export const suitOf = (card) => /** @type {"S"} */ (isJoker(card) ? "" : card[1]);
/** What stands in a card's corner. @param {string} card */
export const indexOf = (card) => (rankOf(card) === "T" ? "10" : rankOf(card));
const MARKS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** In a line of text: `A♠`; a joker `JK`. @param {string} card */
export const short = (card) => (isJoker(card) ? JOKER : `${indexOf(card)}${MARKS[suitOf(card)]}\ufe0e`);

/** Trumps first, then the suits, in each the highest first.
 * @param {readonly string[]} cards @param {string | null} trump */
export function inOrder(cards, trump = null) {
  const suits = trump ? [trump, ...turnedTo(trump)] : SUITS;
  /** @param {string} card */
  const key = (card) => suits.indexOf(suitOf(card)) * 100 - RANKS.indexOf(rankOf(card));
  return [...cards].sort((a, b) => key(a) - key(b));
}

/** The suits after that one, so that red and black still lie in turn. @param {string} suit */
function turnedTo(suit) {
  const at = SUITS.indexOf(/** @type {"S"} */ (suit));
  return [...SUITS.slice(at + 1), ...SUITS.slice(0, at)];
}
