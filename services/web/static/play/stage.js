/**
 * News shown one after the other, each for as long as a person needs to see it. What waits is
 * bounded: whoever comes back to a page that slept is shown how it stands.
 *
 * @typedef {import("./match.js").News} News
 * @typedef {(run: () => void, ms: number) => unknown} Timer
 */
import { safely } from "./safely.js";

/** News that may wait to be shown; if there are more, those before the last are shown at once. */
export const MOST_WAITING = 16;

/** Milliseconds that each is looked at before the next comes. */
const HOLDS = {
  hakem_drawn: 2600,
  five_dealt: 500,
  trump_chosen: 1100,
  rest_dealt: 300,
  card_played: 380,
  trick_taken: 520,
  round_scored: 6000,
  hand_dealt: 1400,
  card_drawn: 350,
  fire_taken: 800,
  melds_laid: 1300,
  card_laid_off: 800,
  joker_swapped: 900,
  card_discarded: 600,
};
/** The same for a trick's last card. */
const LAST_CARD = 950;
/** The same for a round's end of Hand, which has more to read. */
const RECKONING = 9000;
/** In Hand one does several things in a turn: what one did oneself holds up nothing. */
const OWN = 0;
/** What is shown quickly has this part of its time; what is to be read has all of it. */
const QUICK = 0.25;
const READ = ["hakem_drawn", "round_scored"];

/** @param {News} news @returns {number} */
export function holdOf({ known, body, seat }) {
  if (known.view?.game === "hand") return holdOfHand(known.view, body, seat);
  const trick = known.view?.trick ?? [];
  if (body?.type === "card_played" && trick.length === 4) return LAST_CARD;
  return HOLDS[/** @type {keyof typeof HOLDS} */ (body?.type)] ?? 0;
}

/** The same for who likes it quick. @param {News} news @returns {number} */
export const quickHoldOf = (news) => holdOf(news) * (READ.includes(news.body?.type ?? "") ? 1 : QUICK);

/** @param {{seat: number | null}} view @param {News["body"]} body @param {number | null} seat whose doing */
function holdOfHand(view, body, seat) {
  if (seat !== null && seat === view.seat) return OWN;
  return body?.type === "round_scored" ? RECKONING : (HOLDS[/** @type {keyof typeof HOLDS} */ (body?.type)] ?? 0);
}

/** @param {(news: News) => void} show @param {() => void} stilled nothing waits any more
 * @param {() => boolean} hurried does the person like it quick? @param {Timer} timer */
export function stage(show, stilled, hurried = () => false, timer = setTimeout) {
  /** @type {News[]} */
  let waiting = [];
  let holding = 0;
  let number = 0;
  const shown = safely(show);

  function step() {
    const news = waiting.shift();
    if (!news) return stilled();
    const hold = waiting.length >= MOST_WAITING ? 0 : (hurried() ? quickHoldOf : holdOf)(news);
    holding = hold ? ++number : 0;
    shown(news);
    if (hold) timer(done.bind(null, holding), hold);
    else step();
  }
  /** @param {number} which an older hold that was skipped says nothing */
  function done(which) {
    if (which !== holding) return;
    holding = 0;
    step();
  }
  return {
    /** @param {News} news */
    put(news) {
      waiting.push(news);
      if (!holding) step();
    },
    /** Show the next now. */
    skip: () => (holding ? done(holding) : undefined),
  };
}
