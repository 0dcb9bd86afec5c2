/**
 * Where one may jump to in a story: its rounds, the tricks or turns of a round.
 *
 * @typedef {import("./story.js").Stop} Stop
 * @typedef {{number: number, at: number}} Mark `at`: the place of the stop where it begins
 */
/** @param {Stop} stop */
const roundOf = ({ round }) => round;
/** @param {Stop} stop */
const partOf = ({ part }) => part;

/** @param {readonly Stop[]} stops @param {(stop: Stop) => number} numberOf @returns {Mark[]} */
function marks(stops, numberOf) {
  const all = stops.map((stop, at) => ({ number: numberOf(stop), at }));
  return all.filter(({ number, at }) => at === 0 || number !== all[at - 1].number);
}

/** The rounds; 0 is what was before the first deal. @param {readonly Stop[]} stops */
export const rounds = (stops) => marks(stops, roundOf);

/** The tricks or turns of a round; 0 is what was before the first. @param {readonly Stop[]} stops
 * @param {number} round */
export function parts(stops, round) {
  const begin = stops.findIndex((stop) => stop.round === round);
  const own = stops.filter((stop) => stop.round === round);
  return marks(own, partOf).map(({ number, at }) => ({ number, at: at + begin }));
}

/** How far each key goes; `-` back. */
const KEYS = {
  ArrowLeft: "-stop",
  ArrowRight: "stop",
  ArrowUp: "-part",
  ArrowDown: "part",
  PageUp: "-round",
  PageDown: "round",
  Home: "-end",
  End: "end",
};

/** Where that key leads to from a stop; null if nowhere. @param {readonly Stop[]} stops
 * @param {number} at @param {string} key */
export function led(stops, at, key) {
  const way = KEYS[/** @type {keyof typeof KEYS} */ (key)];
  if (!way) return null;
  const [back, unit] = [way.startsWith("-"), way.replace("-", "")];
  if (unit === "stop") return bounded(stops, at + (back ? -1 : 1));
  if (unit === "end") return back ? 0 : stops.length - 1;
  return next(stops, at, back, unit === "round" ? roundOf : (stop) => 1e6 * roundOf(stop) + partOf(stop));
}

/** @param {readonly Stop[]} stops @param {number} at */
export const bounded = (stops, at) => Math.max(0, Math.min(stops.length - 1, at));

/** The next beginning that way, else the end. @param {readonly Stop[]} stops @param {number} at
 * @param {boolean} back @param {(stop: Stop) => number} numberOf */
function next(stops, at, back, numberOf) {
  const all = marks(stops, numberOf).map((mark) => mark.at);
  if (back) return all.filter((one) => one < at).at(-1) ?? 0;
  return all.find((one) => one > at) ?? stops.length - 1;
}
