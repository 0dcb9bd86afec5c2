/** The page's title, which who looks at another page still sees. */
import { ours, seen } from "./sitting.js";
import { say } from "./words.js";

/** That it is our turn, if we look elsewhere; else the page's name.
 * @param {import("./main.js").Page} page @param {boolean} hidden */
export function titleOf({ words, place, state }, hidden) {
  const view = hidden && place.room === "table" && state?.scene ? seen(state) : null;
  return view && ours(view) && state.still && !state.pending && !state.scene.over ? `● ${say(words, "your_turn")}` : say(words, "title");
}
