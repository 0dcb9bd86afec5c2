/** Who is who to somebody who looks at a match that was. */
import { say } from "../../play/words.js";
import { whoIsWho } from "../names.js";

/** @param {import("../../play/words.js").Words} words @param {any} opened the body of `match_opened`
 * @param {number | null} seat that he had; who had none calls the seats by number
 * @returns {import("../../play/past/said.js").Eyes} */
export function eyesOf(words, { options }, seat) {
  const who = seat === null ? numbered(words) : whoIsWho(words, { game: options.game, options }, seat);
  const sides = options.game === "hokm" || options.variant.endsWith("partnership");
  return { words, who, mine: seat ?? 0, sides };
}

/** @param {import("../../play/words.js").Words} words @returns {(seat: number) => string} */
const numbered = (words) => (seat) => say(words, "seat_number", { number: seat + 1 });
