/**
 * The games that this page can show: how a view is after one more event, and after an action of ours
 * that has not been answered yet.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").View} View
 * @typedef {import("../../../../docs/schema/waraq.js").GameAction} GameAction
 * @typedef {import("../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("./hokm.js").Fact} Fact
 * @typedef {import("../../../../docs/schema/waraq.js").Options} Options
 * @typedef {{begun: (options: any, seat: number | null) => View,
 *   after: (view: any, fact: Fact, cards?: readonly string[]) => View,
 *   foreseen: (view: any, action: GameAction) => View,
 *   confirms: (body: Body, action: GameAction) => boolean}} Game
 */
import * as hand from "./hand/view.js";
import * as hokm from "./hokm.js";

/** @type {Record<string, Game>} */
const GAMES = { hand, hokm };

/** Can this page show that view? @param {{game: string}} view */
export const shown = (view) => Object.hasOwn(GAMES, view.game);

/** The view before anything was dealt. @param {Options} options @param {number | null} seat whose eyes */
export const begun = (options, seat) => GAMES[options.game].begun(options, seat);

/** @param {View} view @param {Fact} fact @param {readonly string[]} cards those that it put into the
 * viewer's hand */
export const after = (view, fact, cards) => GAMES[view.game].after(view, fact, cards);

/** The view as it will be if the table takes that action of the viewer's.
 * @param {View} view @param {GameAction} action */
export const foreseen = (view, action) => GAMES[view.game].foreseen(view, action);

/** Is this event that action's own? @param {View} view @param {Body} body @param {GameAction} action */
export const confirms = (view, body, action) => GAMES[view.game].confirms(body, action);
