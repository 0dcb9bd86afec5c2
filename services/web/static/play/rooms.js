/**
 * What goes on in each place, as long as one is there. Each room tells its state whenever that
 * changes; home has none.
 *
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {{session: import("./door.js").Session, link: import("./connection.js").Link,
 *   meet: (players: readonly string[]) => void}} House
 *   `meet`: learns what they are called, for `page.names`
 * @typedef {{take?: (message: Feed) => void, again?: () => void, leave: () => void}} Room
 *   `take`: what was heard of this place's match. `again`: there is a new connection, or somebody
 *   looks at the page again.
 * @typedef {(place: any, house: House, changed: (state: any) => void) => Room} Open
 */
import { insist } from "./insist.js";
import { codeOf } from "./invitation.js";
import { Sitting } from "./sitting.js";

const list = later(async () => (await import("./lists/listing.js")).open);

/** @type {Partial<Record<Place["room"], Open>>} */
const ROOMS = {
  check: later(async () => (await import("./past/checking.js")).open),
  matches: list,
  player: list,
  replay: later(async () => (await import("./past/watching.js")).open),
  standings: list,
  table: ({ match, code }, { session, link, meet }, changed) => {
    /** @param {import("./sitting.js").State} state */
    const told = (state) => {
      changed(state);
      meet(state.scene.sitting.flatMap(({ player }) => player ?? []));
    };
    return new Sitting(match, session.player, link, told, code ?? codeOf(match));
  },
  tables: list,
};

/** What few go to is loaded when somebody does, until it could be. @param {() => Promise<Open>} load @returns {Open} */
function later(load) {
  return (place, house, changed) => {
    let left = false;
    /** @type {Room & {it: Room | null}} `it`: the room itself, once it is here */
    const room = { it: null, take: (message) => room.it?.take?.(message), again, leave };
    function again() {
      if (room.it) room.it.again?.();
      else insist(async () => (left ? null : load()), () => undefined).then(enter);
    }
    /** @param {Open | null} open */
    function enter(open) {
      if (!open || left || room.it) return;
      room.it = open(place, house, changed);
      room.it.again?.();
    }
    function leave() {
      left = true;
      room.it?.leave();
    }
    return room;
  };
}

/** @param {Place} place @param {House} house @param {(state: any) => void} changed
 * @returns {Room | null} */
export const opened = (place, house, changed) => ROOMS[place.room]?.(place, house, changed) ?? null;
