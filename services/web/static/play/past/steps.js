/**
 * The steps of a check (verify.js) as a person reads them: what was found wrong, and the rest in
 * groups, of each kind of step one line.
 *
 * @typedef {{step: string, version: number, ok: boolean | null, detail: string}} Step
 * @typedef {{ok: boolean, whole: boolean, match: string, events: number, over: boolean,
 *   firstBad: Step | null, steps: readonly Step[]}} Report
 * @typedef {{step: string, ok: boolean | null, steps: readonly Step[]}} Line
 * @typedef {{name: "log" | "seals" | "round", round: number, ok: boolean | null, lines: readonly Line[]}} Group
 *   `round`: 0 of what is about the match as a whole.
 * @typedef {import("../../../../../docs/schema/waraq.js").Happened} Happened
 */
/** What is said of the match's secret; the nonces are mixed with it. */
const SEALS = new Set(["nonces", "secret"]);
/** What is said of a round. */
const ROUND = new Set(["reveal", "seal", "seed", "pack", "seat", "shown", "dealer", "play", "cards"]);

/** Of several: one that does not hold, else one that cannot be told, else all hold.
 * @param {readonly {ok: boolean | null}[]} all */
function okOf(all) {
  if (all.some(({ ok }) => ok === false)) return false;
  return all.every(({ ok }) => ok === true) ? true : null;
}

/** What does not hold, the first event first. @param {Report} report @returns {Step[]} */
export const wrongOf = ({ steps }) =>
  steps.filter(({ ok }) => ok === false).sort((one, other) => one.version - other.version);

/** How many steps hold, do not, cannot be told. @param {Report} report */
export function countsOf({ steps }) {
  /** @param {boolean | null} wanted */
  const count = (wanted) => steps.filter(({ ok }) => ok === wanted).length;
  return { held: count(true), wrong: count(false), open: count(null) };
}

/** The log, what was sealed, each round. @param {Report} report @param {readonly Happened[]} messages
 * @returns {Group[]} */
export function groupsOf(report, messages) {
  /** @type {Map<string, Step[]>} */
  const found = new Map([["log", []], ["seals", []]]);
  let round = 0;
  for (const step of report.steps) {
    if (ROUND.has(step.step)) round = roundOf(messages, step.version) || round;
    const key = keyOf(step, round);
    found.set(key, [...(found.get(key) ?? []), step]);
  }
  return [...found].filter(([, steps]) => steps.length).map(([key, steps]) => grouped(key, steps));
}

/** @param {Step} step @param {number} round */
function keyOf({ step }, round) {
  if (SEALS.has(step)) return "seals";
  return round > 0 && ROUND.has(step) ? `round ${round}` : "log";
}

/** @param {string} key @param {readonly Step[]} steps @returns {Group} */
function grouped(key, steps) {
  const [name, round = "0"] = key.split(" ");
  const kinds = [...new Set(steps.map(({ step }) => step))];
  const lines = kinds.map((kind) => lineOf(kind, steps.filter(({ step }) => step === kind)));
  return { name: /** @type {Group["name"]} */ (name), round: Number(round), ok: okOf(steps), lines };
}

/** @param {string} step @param {readonly Step[]} steps @returns {Line} */
const lineOf = (step, steps) => ({ step, ok: okOf(steps), steps });

/** The round that was shuffled last up to that version, 0 before the first.
 * @param {readonly Happened[]} messages @param {number} version */
function roundOf(messages, version) {
  let round = 0;
  for (const { event } of messages)
    if (event.version <= version && event.body.type === "cards_shuffled") round = event.body.round;
  return round;
}
