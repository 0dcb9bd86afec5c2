/** What is drawn in each place, home apart. */
import { MyMatches } from "./lists/matches.js";
import { OnePlayer } from "./lists/player.js";
import { Standings } from "./lists/standings.js";
import { Tables } from "./lists/tables.js";
import { Check } from "./past/check.js";
import { Replay } from "./past/replay.js";
import { Table } from "./table.js";

export { titleOf } from "../play/title.js";

/** @type {Partial<Record<string, any>>} */
export const ROOMS = {
  check: Check,
  matches: MyMatches,
  player: OnePlayer,
  replay: Replay,
  standings: Standings,
  table: Table,
  tables: Tables,
};
