/** Where seats are: the next one to play is the neighbour on the right (H2, N3). */

/** Seats of a table of Hokm. */
export const FOUR = 4;

/** How many sit at that table. @param {import("../../../../docs/schema/waraq.js").View | null} view */
export const seatsOf = (view) => (view?.game === "hand" ? view.options.seats : FOUR);

/** @param {number} seat @param {number} seats */
export const next = (seat, seats = FOUR) => (seat + 1) % seats;

/** Steps to the right from who sits at `mine`: of four, 0 is at the bottom, 1 right, 2 top, 3 left.
 * @param {number} seat @param {number | null} mine */
export const place = (seat, mine, seats = FOUR) => (seat - (mine ?? 0) + seats) % seats;

/** Do two sides play there, seats 0 and 2 against 1 and 3? @param {{game: string, variant?: string}} options of a
 * table, or what is wanted; not those of a game that is newer than this page */
export const inSides = ({ game, variant = "" }) => game === "hokm" || (game === "hand" && variant.endsWith("partnership"));

/** At which of the felt's four sides who comes after the one at the bottom is, by how many they are: of two
 * the other is across; of three they are right and left. @type {Record<number, number[]>} */
const AROUND = { 2: [0, 2], 3: [0, 1, 3], 4: [0, 1, 2, 3] };

/** The side of the felt that a seat is at: 0 the bottom, 1 right, 2 top, 3 left.
 * @param {number} seat @param {number | null} mine @param {number} seats */
export const edgeOf = (seat, mine, seats) => AROUND[seats][place(seat, mine, seats)];

/** Does the house play that seat? @param {readonly import("../../../../docs/schema/waraq.js").Sitting[]} sitting
 * @param {number | null} seat */
export const isHeld = (sitting, seat) => sitting.some((one) => one.seat === seat && one.control === "house");
