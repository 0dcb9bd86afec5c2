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
