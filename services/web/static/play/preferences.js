/** What this browser remembers of how a person likes the page. */
import { keep, kept } from "./kept.js";
import { LANGUAGES, spoken } from "./words.js";

/** @param {string} name @param {string} otherwise */
export const liked = (name, otherwise) => kept(name) ?? otherwise;

/** @param {string} name @param {string} value */
export const like = (name, value) => keep(name, value);

export function language() {
  const kept = liked("language", "");
  return LANGUAGES.find((one) => one === kept) ?? spoken(navigator.languages);
}

/** Two colours of suits, or four. */
export const colours = () => (liked("colours", "two") === "four" ? "four" : "two");

/** Our own light cards, or the classic ones. */
export const cards = () => (liked("cards", "light") === "classic" ? "classic" : "light");

/** Time to look at each card, or a quarter of it. */
export const pace = () => (liked("pace", "calm") === "quick" ? "quick" : "calm");
