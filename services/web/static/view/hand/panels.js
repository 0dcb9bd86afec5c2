/** What lies over the felt in Hand: one of several things to choose, the whole fire pile, a round's end. */
import { extended, freed } from "../../play/hand/melds.js";
import { sharesOf } from "../../play/hand/reckoning.js";
import { unitOf } from "../../play/hand/view.js";
import { inSides } from "../../play/seats.js";
import { cardName, directionOf, inLine, say } from "../../play/words.js";
import { Face } from "../card.js";
import { html } from "../h.js";
import { Panel } from "../panels.js";
import { tied, unitName } from "./lines.js";

/** The panel that lies there now, if any. @param {any} props */
export function Over(props) {
  const { state, mind } = props;
  if (state.round) return html`<${Round} ...${props} />`;
  if (mind.choice) return html`<${Choice} ...${props} />`;
  if (state.own.looking) return html`<${Pile} ...${props} />`;
  return null;
}

/** Which end, which reading, the card or the joker. @param {any} props */
const Choice = ({ words, view, mind, deeds }) =>
  html`<${Panel} words=${words} name="choosing" close=${deeds.close}>
    <h2>${say(words, "which_way")}</h2>
    ${mind.choice.map(
      (/** @type {any} */ action) =>
        html`<button class="deed way" onClick=${() => deeds.take(action)}>
          <span>${wayText(words, action)}</span>
          <span class="laid" dir="ltr">${then(view, action).map((card) => html`<span key=${card} class="card" aria-hidden="true"><${Face} card=${card} small=${true} /></span>`)}</span>
        </button>`,
    )}
    <button class="deed quiet" onClick=${deeds.close}>${say(words, "not_now")}</button>
  <//>`;

/** @param {any} words @param {any} action */
function wayText(words, action) {
  if (action.type === "swap_joker") return say(words, "way_swap");
  if (action.type === "lay_melds") return inLine(action.melds.flat());
  return say(words, action.end === null ? "way_add" : action.end === "low" ? "way_low" : "way_high");
}

/** The cards of the meld as it will lie. @param {any} view @param {any} action @returns {readonly string[]} */
function then(view, action) {
  if (action.type === "lay_melds") return action.melds.flat();
  const { cards } = view.melds.find((/** @type {any} */ meld) => meld.id === action.meld);
  return action.type === "swap_joker" ? freed(cards, action.card) : extended(cards, action.card, action.end);
}

/** The whole fire pile, the top first, and who threw each (N28). @param {any} props */
function Pile({ words, view, who, deeds }) {
  const lying = view.tosses.filter((/** @type {any} */ toss) => toss.taken_by === null && view.fire.includes(toss.card));
  return html`<${Panel} words=${words} name="whole-fire" close=${deeds.close}>
    <h2>${say(words, "fire_pile", { count: view.fire.length })}</h2>
    <ol class="thrown" dir=${directionOf(words)}>
      ${lying.toReversed().map(
        (/** @type {any} */ { seat, card }, /** @type {number} */ at) =>
          html`<li key=${card} data-newest=${String(at === 0)}>
            <span class="unseen">${cardName(words, card)}</span>
            <span class="card" aria-hidden="true"><${Face} card=${card} small=${true} /></span>
            <small dir="auto">${at === 0 && html`<em>${say(words, "newest")}</em> `}${who(seat)}</small>
          </li>`,
      )}
    </ol>
    <button class="deed" onClick=${deeds.close}>${say(words, "close")}</button>
  <//>`;
}

/** Who went out, what it cost each and why, all penalties so far (N40 to N46). @param {any} props */
function Round({ words, view, state, who, sitting }) {
  const { round, ended } = state;
  const out = ended?.result.went_out ?? null;
  const ours = out !== null && unitOf(view.options, out) === unitOf(view.options, view.seat ?? 0);
  const goes = round.round >= view.options.rounds && view.contenders.length > 1;
  return html`<${Panel} words=${words} name=${ours ? "won reckoning" : "reckoning"} close=${sitting.goOn}>
    <h2>${outText(words, view, ended?.result, round.score.void, who)}</h2>
    <table>
      <thead>
        <tr><th></th><th>${say(words, "this_round")}</th><th>${say(words, "total")}</th></tr>
      </thead>
      ${round.totals.map(
        (/** @type {number} */ total, /** @type {number} */ unit) =>
          html`<tbody key=${unit}>
            <tr>
              <th scope="row">${unitName(words, view, who, unit)}</th>
              <td><bdi>${say(words, "number", { number: round.score.penalties[unit] })}</bdi></td>
              <td><b><bdi>${say(words, "number", { number: total })}</bdi></b></td>
            </tr>
            ${ended && html`<${Shares} words=${words} view=${view} result=${ended.result} unit=${unit} who=${who} />`}
          </tbody>`,
      )}
    </table>
    <p class="fewest">${say(words, "fewest_win")}</p>
    ${goes && html`<p class="tie">${say(words, "tie_break_of", { who: tied(words, view, who) })}</p>`}
    <button class="deed" onClick=${sitting.goOn}>${say(words, "go_on")}</button>
  <//>`;
}

/** @param {any} words @param {any} view @param {any} result @param {boolean} nobody @param {any} who */
function outText(words, view, result, nobody, who) {
  if (nobody) return say(words, "round_void");
  if (!result) return say(words, "round_over");
  if (result.went_out === view.seat) return say(words, result.hand ? "you_hand" : "you_out");
  return say(words, result.hand ? "hand_of" : "out_of", { who: who(result.went_out) });
}

/** How a unit's penalty came about, a line for each of its seats. @param {any} props */
const Shares = ({ words, view, result, unit, who }) =>
  sharesOf(view.options, result)
    .filter(({ seat }) => unitOf(view.options, seat) === unit)
    .map(
      ({ seat, way, penalty, cards }) =>
        html`<tr class="share" key=${seat}>
          <td colspan="3">
            ${inSides(view.options) && html`<b>${who(seat)}:</b> `}
            ${say(words, seat === view.seat ? `mine_${way}` : `way_${way}`)}${way === "cards" && ` ${inLine(cards)}`}
            ${result.hand && penalty > 0 && ` ${say(words, "doubled")}`}
            ${inSides(view.options) && html` <bdi>(${say(words, "number", { number: penalty })})</bdi>`}
          </td>
        </tr>`,
    );

/** Everybody's penalties, the lowest first. @param {any} props */
export function Totals({ words, view, who }) {
  const units = [...view.totals.keys()].sort((one, other) => view.totals[one] - view.totals[other]);
  return html`<dl class="score totals">
    ${units.map(
      (unit) =>
        html`<div key=${unit} data-won=${String(unit === view.winner)}>
          <dt>${unitName(words, view, who, unit)}</dt>
          <dd><bdi>${say(words, "number", { number: view.totals[unit] })}</bdi></dd>
        </div>`,
    )}
  </dl>`;
}
