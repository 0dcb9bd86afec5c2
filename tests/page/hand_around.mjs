/** Cards and views of Hand for the tests. */

/** @param {string} text such as "5H1 6H1" */
export const cards = (text) => (text ? text.split(" ") : []);

/** Melds on the table, of seat 1: "5H1 6H1 7H1, 9S1 9H1 9D1". @param {string} text */
export const melds = (text) =>
  text.split(", ").map((listed, at) => {
    const [one, other] = cards(listed).filter((card) => !card.startsWith("JK"));
    return { id: at + 1, owner: 1, kind: one[0] === other[0] ? "set" : "run", cards: cards(listed) };
  });

/** Seat 0 of four is on turn, has drawn, and holds that hand. @param {string} hand @param {object} given */
export const viewOf = (hand, given = {}) => ({
  game: "hand",
  options: { game: "hand", variant: "classic", seats: 4, rounds: 3 },
  phase: "act",
  round: 1,
  dealer: 3,
  turn: 0,
  bar: 51,
  opened: [false, false, false, false],
  melds: [],
  fire: ["2C1"],
  tosses: [{ seat: 3, card: "2C1", taken_by: null }],
  stock: 40,
  reshuffles: 0,
  left: [cards(hand).length, 14, 14, 14],
  must_open: false,
  must_place: [],
  taken: null,
  drawn: null,
  totals: [0, 0, 0, 0],
  contenders: [0, 1, 2, 3],
  seat: 0,
  hand: cards(hand),
  winner: null,
  ...given,
});
export const OPENED = { opened: [true, false, false, false] };
