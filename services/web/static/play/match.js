/**
 * What is known of one match: a fold of snapshots and events, as docs/clients.md says. A snapshot
 * replaces all, the next event is applied, an older one dropped; after a gap a snapshot is needed.
 * A snapshot that is older than what is known came late, unless each one is: then the table's log was
 * put back from a copy, and what is known of later happened nowhere.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {import("../../../../docs/schema/waraq.js").Snapshot} Snapshot
 * @typedef {import("../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {import("../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("../../../../docs/schema/waraq.js").View} View
 * @typedef {import("../../../../docs/schema/waraq.js").Sitting} Sitting
 *
 * @typedef {{match: string, version: number, move: number | null, left: number | null,
 *   at: number, sitting: readonly Sitting[], begun: boolean, view: View | null,
 *   over: string | null, older: number}} Known
 *   `over`: how the match ended; `other_game` and `unknown` where this page cannot show it.
 *   `older`: so many snapshots in a row were older than what is known.
 *   `begun`: the match was started; before that there is no view.
 *   `version`: 0 before anything was heard. `move`: null until a snapshot names the decision. `left`: the
 *   ms that whoever is on turn had at `at`, in ms of this page's own clock; null if nobody is.
 * @typedef {{known: Known, body: Body | null, seat: number | null}} News
 *   Something new as it stood then; `body`: the event that brought it, null for a snapshot.
 * @typedef {{known: Known, news: News | null, ask: boolean}} Heard
 */
import { after, shown } from "./games.js";

/** The strength at which the house holds a person's seat. @type {import("../../../../docs/schema/waraq.js").Level} */
const STAND_IN = "chrome";

/** So many older snapshots in a row are believed. */
export const BELIEVED = 3;

/** @param {string} match @returns {Known} */
export const nothing = (match) => ({
  match,
  version: 0,
  move: null,
  left: null,
  at: 0,
  sitting: [],
  begun: false,
  view: null,
  over: null,
  older: 0,
});

/** @param {Known} known @param {Feed} message @param {number} at ms @returns {Heard} */
export function hear(known, message, at) {
  if (message.type === "snapshot") return replaced(known, message, at);
  if (message.type === "event") return happened(known, message, at);
  return { known, news: null, ask: false };
}

/** @param {Known} known @param {Snapshot} message @param {number} at @returns {Heard} */
function replaced(known, message, at) {
  const older = message.version < known.version ? known.older + 1 : 0;
  if (older > 0 && older < BELIEVED) return { known: { ...known, older }, news: null, ask: true };
  const { match, version, move, sitting } = message;
  const left = message.due === null ? null : message.due - message.now;
  const view = message.view && shown(message.view) ? message.view : null;
  const over = message.view && !view ? "other_game" : (message.over ?? null);
  const begun = message.view !== null;
  const next = { match, version, move, left, at, sitting, begun, view, over, older: 0 };
  return { known: next, news: { known: next, body: null, seat: null }, ask: false };
}

/** @param {Known} known @param {Happened} message @param {number} at @returns {Heard} */
function happened(known, message, at) {
  const { event, cards } = message;
  if (event.version <= known.version) return { known, news: null, ask: false };
  if (known.version === 0 || event.version > known.version + 1)
    return { known, news: null, ask: true };
  const next = {
    ...known,
    version: event.version,
    move: null,
    left: null,
    at,
    sitting: seated(known, event.body),
    begun: known.begun || event.body.type === "match_started",
    view: known.view && after(known.view, event, cards),
    over: ended(event.body) ?? known.over,
    older: 0,
  };
  return { known: next, news: { known: next, body: event.body, seat: event.seat }, ask: !next.over };
}

/** @param {Body} body */
function ended(body) {
  if (body.type === "match_ended") return "ended";
  return body.type === "match_abandoned" ? body.reason : null;
}

/** Who sits where after it. The house plays for who gets up once the match has begun, and for whom it
 * holds the seat, at the strength of a partner (H20).
 * @param {Known} known @param {Body} body @returns {readonly Sitting[]} */
function seated({ sitting, begun }, body) {
  /** @param {number} seat @param {"house" | "owner"} control @param {Partial<Sitting>} change */
  const changed = (seat, control, change = {}) => {
    const held = { control, level: control === "house" ? STAND_IN : null, ...change };
    return sitting.map((one) => (one.seat === seat ? { ...one, ...held } : one));
  };
  if (body.type === "seat_taken") return changed(body.seat, "owner", { player: body.player });
  if (body.type === "seat_left") return changed(body.seat, begun ? "house" : "owner", { player: null });
  if (body.type === "control_changed") return changed(body.seat, body.control);
  return sitting;
}
