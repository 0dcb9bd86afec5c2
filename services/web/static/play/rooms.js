/**
 * What goes on in each place, as long as one is there. Each room tells its state whenever that
 * changes; home has none.
 *
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {{session: import("./door.js").Session, link: import("./connection.js").Link,
 *   meet: (players: readonly string[]) => void}} House
 *   `meet`: learns what they are called, for `page.names`
 * @typedef {{take?: (message: Feed) => void, again?: (here?: boolean) => void, touched?: () => void,
 *   leave: () => void}} Room
 *   `take`: what was heard of this place's match. `again`: there is a new connection, or (`here`)
 *   somebody looks at the page again. `touched`: he touched it.
 * @typedef {(place: any, house: House, changed: (state: any) => void) => Room} Open
 */
import { codeOf } from "./invitation.js";
import { open as list } from "./lists/listing.js";
import { open as check } from "./past/checking.js";
import { open as replay } from "./past/watching.js";
import { Sitting } from "./sitting.js";

/** @type {Open} */
function table({ match, code }, { session, link, meet }, changed) {
  /** @param {import("./sitting.js").State} state */
  const told = (state) => {
    changed(state);
    meet(state.scene.sitting.flatMap(({ player }) => player ?? []));
  };
  return new Sitting(match, session.player, link, told, code ?? codeOf(match));
}

/** @type {Partial<Record<Place["room"], Open>>} */
const ROOMS = { check, matches: list, player: list, replay, standings: list, table, tables: list };

/** @param {Place} place @param {House} house @param {(state: any) => void} changed
 * @returns {Room | null} */
export const opened = (place, house, changed) => ROOMS[place.room]?.(place, house, changed) ?? null;
