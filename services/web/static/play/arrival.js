/**
 * What must be here before a place can be entered: the rooms, who we are, and for a match the broker.
 *
 * @typedef {import("./places.js").Place} Place
 * @typedef {{rooms: Promise<unknown>, known: Promise<unknown>, linked: Promise<unknown>}} Needs
 */
import { addressOf, matchOf } from "./places.js";

/** The place that is wanted, once it can be entered; null if another is wanted by then.
 * @param {() => Place} wanted @param {Needs} needs @returns {Promise<Place | null>} */
export async function reached(wanted, { rooms, known, linked }) {
  const place = wanted();
  if (place.room === "home") return place;
  await Promise.all([rooms, known, matchOf(place) ? linked : null]);
  return addressOf(wanted()) === addressOf(place) ? place : null;
}
