/** Who is who to somebody who looks at a match that was. */
import { inSides } from "../../play/seats.js";
import { calledAt, whoIsWho } from "../names.js";

/** @param {import("../../play/main.js").Page} page @param {any} opened the body of `match_opened`
 * @param {number | null} seat that he had @param {readonly any[]} sitting who sat where
 * @returns {import("../../play/past/said.js").Eyes & {who: import("../names.js").Who}} */
export function eyesOf(page, { options }, seat, sitting) {
  const { words } = page;
  const who = whoIsWho(words, { game: options.game, options }, seat, calledAt(page, sitting));
  return { words, who, mine: seat, sides: inSides(options) };
}
