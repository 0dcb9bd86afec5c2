/**
 * The numbers of the master's look (H21): the chance of the round with each card that he weighed.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Candidate} Candidate
 */

/** @param {Candidate} candidate */
export const percentOf = ({ chance }) => Math.round(chance / 10);

/** Would another card be better by its number, or as good and is not called so? The number is of
 * the round; the choice is by the match and by what is never done (docs/clients.md).
 * @param {readonly Candidate[]} candidates the advised one first */
export const numbersMislead = ([first, ...others]) =>
  others.some((one) => percentOf(one) > percentOf(first) - Number(!one.equal));
