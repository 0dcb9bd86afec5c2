/** What is said over my cards in Hand: what I may do now, what the others do. */
import { inSides } from "../../play/seats.js";
import { cardName, inLine, say } from "../../play/words.js";
import { sideName } from "../names.js";

/** @param {any} words @param {any} view @param {any} state @param {any} who */
export function line(words, view, state, who) {
  if (state.scene.over) return "";
  const mine = view.turn === view.seat && view.seat !== null;
  const news = mine && state.still ? "" : newsText(words, view, state.news, who);
  if (news || view.turn === null) return news;
  return mine ? myTurn(words, view) : say(words, "turn_of", { who: who(view.turn) });
}

/** What my turn asks of me now (N5, N6, N18, N22, N7). @param {any} words @param {any} view */
function myTurn(words, view) {
  if (view.phase === "discard_first") return say(words, "discard_first");
  if (view.phase === "draw") return say(words, "draw_first");
  if (view.must_open) return say(words, "must_open", { bar: view.bar });
  if (view.must_place.length) return say(words, "must_place");
  if (view.taken) return say(words, "not_back", { card: cardName(words, view.taken) });
  return say(words, view.opened[view.seat] ? "act_opened" : "act");
}

/** What another did. @param {any} words @param {any} view @param {any} news @param {any} who */
function newsText(words, view, news, who) {
  const body = news?.body;
  if (!body || (news.seat !== null && news.seat === view.seat && body.type !== "turn_timed_out")) return "";
  const whose = { who: news.seat === null ? "" : who(news.seat) };
  switch (body.type) {
    case "hand_dealt":
      return dealt(words, view, who);
    case "cards_shuffled":
      return body.label === "deal" ? "" : say(words, "new_stock", { count: body.cards });
    case "turn_timed_out":
      return say(words, "time_up", { who: who(body.seat) });
    case "card_drawn":
      return say(words, "did_draw", whose);
    case "melds_laid":
      return say(words, body.opening ? "did_open" : "did_lay", { ...whose, worth: body.value });
    default:
      return withCard(words, body, whose);
  }
}

const WITH_CARD = { fire_taken: "did_take", card_laid_off: "did_lay_off", joker_swapped: "did_swap", card_discarded: "did_throw" };

/** @param {any} words @param {any} body @param {any} whose */
function withCard(words, body, whose) {
  const key = WITH_CARD[/** @type {keyof typeof WITH_CARD} */ (body.type)];
  return key ? say(words, key, { ...whose, card: cardName(words, body.card) }) : "";
}

/** A new round: who deals; after the last one, between whom the tie is broken (N46).
 * @param {any} words @param {any} view @param {any} who */
function dealt(words, view, who) {
  if (view.round > view.options.rounds) return say(words, "tie_break_of", { who: tied(words, view, who) });
  return say(words, "dealer_is", { round: view.round, who: who(view.dealer) });
}

/** Who can still win. @param {any} words @param {any} view @param {any} who */
export const tied = (words, view, who) =>
  view.contenders.map((/** @type {number} */ unit) => unitName(words, view, who, unit)).join(say(words, "comma"));

/** A seat, or a side. @param {any} words @param {any} view @param {any} who @param {number} unit */
export function unitName(words, view, who, unit) {
  return inSides(view.options) ? sideName(words, view, unit) : who(unit);
}

/** What a screen reader is told beside that line: the card that I drew, the cards of new melds.
 * @param {any} words @param {any} view @param {any} news */
export function spoken(words, view, news) {
  const body = news?.body;
  if (body?.type === "card_drawn" && view.drawn) return say(words, "you_drew", { card: cardName(words, view.drawn) });
  if (body?.type === "melds_laid" && news.seat !== view.seat)
    return body.melds.flat().map((/** @type {string} */ card) => cardName(words, card)).join(say(words, "comma"));
  return "";
}

/** The master's next steps in one line. @param {any} words @param {readonly any[]} actions */
export const steps = (words, actions) =>
  actions.map((action) => step(words, action)).join(say(words, "then"));

/** A meld that is not broken over two lines. @param {readonly string[]} cards */
const whole = (cards) => inLine(cards).replaceAll(" ", "\u00a0");

/** @param {any} words @param {any} action */
function step(words, action) {
  switch (action.type) {
    case "draw":
      return say(words, action.from === "stock" ? "do_stock" : "do_fire");
    case "lay_melds":
      return say(words, "do_lay", { cards: action.melds.map(whole).join(" / ") });
    case "lay_off":
      return say(words, "do_lay_off", { card: inLine([action.card]) });
    case "swap_joker":
      return say(words, "do_swap", { card: inLine([action.card]) });
    default:
      return say(words, "do_throw", { card: inLine([action.card]) });
  }
}
