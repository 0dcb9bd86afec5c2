/**
 * Where one can be on the page, and its address: what stands after the `#`, which goes to no server.
 *
 * @typedef {{room: "home"} | {room: "table", match: string, code: string | null}
 *   | {room: "replay" | "check", match: string} | {room: "tables"} | {room: "standings"}
 *   | {room: "matches"} | {room: "player", player: string}} Place
 *   `code`: that of the invitation by which one came to the table.
 */
const TABLE = /^#(m_[0-9a-f]{32})(?:\/sit\/([0-9A-Za-z]{1,64}))?$/;
const PAST = /^#(m_[0-9a-f]{32})\/(replay|check)$/;
const PLAYER = /^#(u_[0-9a-z]{8,28})$/;
const LIST = /^#(tables|standings|matches)$/;
/** @type {Place} */
export const HOME = { room: "home" };

/** The place with that address; home, if there is none. @param {string} hash @returns {Place} */
export function placeOf(hash) {
  const table = TABLE.exec(hash);
  if (table) return { room: "table", match: table[1], code: table[2] ?? null };
  const past = PAST.exec(hash);
  if (past) return { room: /** @type {"replay"} */ (past[2]), match: past[1] };
  const player = PLAYER.exec(hash);
  if (player) return { room: "player", player: player[1] };
  const list = LIST.exec(hash);
  return list ? { room: /** @type {"tables"} */ (list[1]) } : HOME;
}

/** @param {Place} place */
export function addressOf(place) {
  if (place.room === "home") return "";
  if (place.room === "table") return `#${place.match}${place.code ? `/sit/${place.code}` : ""}`;
  if (place.room === "player") return `#${place.player}`;
  return "match" in place ? `#${place.match}/${place.room}` : `#${place.room}`;
}

/** The match that is looked at there. @param {Place} place */
export const matchOf = (place) => ("match" in place ? place.match : null);
