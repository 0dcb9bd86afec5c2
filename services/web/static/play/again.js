/**
 * The same table once more: what was played, as a wish that home would have sent.
 *
 * @typedef {import("./wishes.js").Wish} Wish
 * @typedef {import("../../../../docs/schema/waraq.js").Options} Options
 * @typedef {import("../../../../docs/schema/waraq.js").Sitting} Sitting
 */
import { changed, lastWish } from "./wishes.js";

/** By the same rules, with as many people and the masks that sat there.
 * @param {Options} options @param {readonly Sitting[]} sitting @param {string | null} me
 * @param {Wish} last what was wanted here last, where the table does not say it @returns {Wish} */
export function sameAgain(options, sitting, me, last = lastWish()) {
  const people = sitting.filter(({ player }) => player !== null && player !== me).length;
  const others = sitting.filter(({ seat, player }) => player === null && seat % 2 === 1);
  const level = others.find((one) => one.level)?.level ?? last.level;
  const company = people === 0 ? "masks" : last.company === "masks" ? "friend" : last.company;
  return changed({ ...last, ...rulesOf(options), level, company, guests: Math.max(1, people) }, {});
}

/** A new table of the same rules, against masks alone.
 * @param {Options} options @param {Wish} last @returns {Wish} */
export const againstMasks = (options, last = lastWish()) =>
  changed({ ...last, ...rulesOf(options), company: "masks" }, {});

/** @param {Options} options @returns {Partial<Wish>} */
function rulesOf(options) {
  if (options.game === "hand") return options;
  const { show_five_before_trump, ...rest } = options;
  return { ...rest, five: show_five_before_trump ? "yes" : "no" };
}
