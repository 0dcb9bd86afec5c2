/**
 * The page's words in one language, and those of every client: refusals, the master's reasons and
 * stickers, which are the service's own files (schemas/texts).
 *
 * @typedef {Record<string, string>} Texts
 * @typedef {{language: string, own: Texts, refusals: Texts, reasons: Texts, stickers: Texts}} Words
 */
import { isJoker, rankOf, short, suitOf } from "./cards.js";

export const LANGUAGES = /** @type {const} */ (["fa", "ar", "en"]);
/** Digits are the language's own. @type {Record<string, string>} */
const NUMBERS = { fa: "fa-IR", ar: "ar-u-nu-arab", en: "en" };
const [ISOLATE, LTR, POP] = ["\u2068", "\u2066", "\u2069"];
const MINUS = "\u2212";

/** @param {string} language @param {(path: string) => Promise<any>} read @returns {Promise<Words>} */
export async function load(language, read) {
  const texts = ["", "reasons/", "stickers/"].map((folder) => `texts/${folder}${language}.json`);
  const all = [`words/${language}.json`, ...texts].map(read);
  const [own, refusals, reasons, stickers] = await Promise.all(all);
  return { language, own, refusals, reasons, stickers };
}

/** What is left of `languages` that we speak, else Persian. @param {readonly string[]} languages */
export function spoken(languages) {
  const ours = /** @type {readonly string[]} */ (LANGUAGES);
  return languages.map((one) => one.slice(0, 2)).find((one) => ours.includes(one)) ?? "fa";
}

/** @param {Words} words */
export const directionOf = (words) => (words.language === "en" ? "ltr" : "rtl");

/** For `Intl`: the language with its digits. @param {Words} words */
export const localeOf = (words) => NUMBERS[words.language];

/** @param {Words} words @param {number} number */
export const digits = (words, number) => new Intl.NumberFormat(localeOf(words)).format(number);

/** A sentence with its values, each in an isolate of its own.
 * @param {Words} words @param {string} key @param {Record<string, string | number>} values */
export function say(words, key, values = {}) {
  const text = own(words.own, key);
  if (text === undefined) throw new Error(`no words for ${key}`);
  return filled(text, (name) => put(words, values[name]));
}

/** What the service may call by a newer code than this page knows: then it is said as the code is.
 * @param {Words} words @param {string} key @param {string} code */
export const sayKind = (words, key, code) => own(words.own, key) ?? `${ISOLATE}${code}${POP}`;

/** A text that was written, not what every object has (`constructor`).
 * @param {Texts} texts @param {string} key @returns {string | undefined} */
const own = (texts, key) => (Object.hasOwn(texts, key) ? texts[key] : undefined);

/** The sticker in words; nothing for one that is newer than this page. @param {Words} words @param {string} sticker */
export const stickerText = (words, sticker) => own(words.stickers, sticker) ?? "";

/** @param {Words} words @param {string | number} value */
const put = (words, value) =>
  typeof value === "number" ? signed(words, value) : `${ISOLATE}${value}${POP}`;

/** A minus stands at the left of its digits in every language. @param {Words} words @param {number} number */
const signed = (words, number) =>
  number < 0 ? `${LTR}${MINUS}${digits(words, -number)}${POP}` : digits(words, number);

/** @param {string} text @param {(name: string) => string} value */
const filled = (text, value) => text.replace(/\{(\w+)\}/g, (_, name) => value(name));

/** Why the table said no. A code that is newer than this page is said as a fault.
 * @param {Words} words @param {string} code */
export const refusal = (words, code) => own(words.refusals, code) ?? words.refusals.fault;

/** Why no table was opened: the table's refusal, or what is ours to say.
 * @param {Words} words @param {string} code */
export const trouble = (words, code) => own(words.own, code) ?? refusal(words, code);

/** Why the master would do so. @param {Words} words @param {{why: string, cards: readonly string[]}} reason */
export function reason(words, { why, cards }) {
  const text = own(words.reasons, why) ?? "";
  if (cards.length === 0) return text.replace(/: ?\{cards\}/, "");
  return filled(text, () => inLine(cards));
}

/** Cards in a line of text, from left to right in every language. @param {readonly string[]} cards */
export const inLine = (cards) => `${LTR}${cards.map(short).join(" ")}${POP}`;

/** What a side of two is called by who sits at `mine`, and by who looks on (null).
 * @param {Words} words @param {number} side @param {number | null} mine */
export function sideText(words, side, mine) {
  if (mine === null) return say(words, "side_seats", { one: side + 1, other: side + 3 });
  return say(words, side === mine % 2 ? "we" : "they");
}

/** What a card is called: «آس پیک». @param {Words} words @param {string} card */
export const cardName = (words, card) =>
  isJoker(card)
    ? words.own.joker
    : words.own.card_name
        .replace("{rank}", words.own[`rank_${rankOf(card)}`])
        .replace("{suit}", words.own[`suit_${suitOf(card)}`]);
