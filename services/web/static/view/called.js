/**
 * A person's name, so that nobody is taken for a seat: what the page itself calls seats and sides, in any of
 * its languages, stands in quotes where it is somebody's name.
 */

/** As `words/` has them; a test holds them together. */
export const SEAT_WORDS = [
  "شما", "حریف راست", "یار", "حریف چپ", "حریف", "روبه‌رو", "حاکم", "ما",
  "أنت", "الخصم الأيمن", "شريكك", "الخصم الأيسر", "الخصم", "المقابل", "الحاكم", "نحن",
  "you", "right opponent", "partner", "left opponent", "opponent", "opposite", "hakem", "us", "them",
];
/** A seat by its number, or a stranger by his id. */
const NUMBERED = /^(صندلی|المقعد|seat|بازیکن|لاعب|player)(| ?\p{N}{1,2}| [0-9a-z]{6})$/u;

/** Letters that look alike are one, what is not seen is nothing. @param {string} name */
const plain = (name) =>
  name.normalize("NFKD").replace(/[\p{M}\u200c\u200d\u0640]/gu, "").replace(/ي|ى/g, "ی").replace(/ك/g, "ک").replace(/\s+/g, " ").trim().toLowerCase();

const PLAIN = new Set(SEAT_WORDS.map(plain));

/** @param {string} name */
const isSeatWord = (name) => PLAIN.has(plain(name)) || NUMBERED.test(plain(name));

/** What he is called where only people are told of. @param {string} name */
export const quoted = (name) => (isSeatWord(name) ? `«${name}»` : name);

/** What who sits there is called: the seat's own word before a name that could be one.
 * @param {string} name @param {string} where */
export const calledThere = (name, where) => (isSeatWord(name) ? `${where} «${name}»` : name);
