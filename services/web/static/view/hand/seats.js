/** Who sits round a table of Hand: name, cards held, opened or not, total. */
import { edgeOf, inSides } from "../../play/seats.js";
import { say } from "../../play/words.js";
import { Fronts } from "../fronts.js";
import { html } from "../h.js";
import { Plate, others } from "../seats.js";

/** Round the felt as it is seen: left, across, right. @param {any} props `open`: everybody's cards, where all
 * lie open */
export const Seats = ({ view, open = null, ...rest }) =>
  html`<div class="seats">
    ${others(view.options.seats, view.seat)
      .toReversed()
      .map((seat) => html`<${Seat} key=${seat} view=${view} seat=${seat} open=${open?.[seat]} ...${rest} />`)}
  </div>`;

/** A plate. @param {{words: any, view: any, scene: any, who: (seat: number) => string, seat: number,
 *   open?: readonly string[]}} props */
export function Seat({ words, view, scene, who, seat, open }) {
  const alone = !inSides(view.options);
  return html`<${Plate}
    words=${words}
    scene=${scene}
    who=${who}
    seat=${seat}
    at=${edgeOf(seat, view.seat, view.options.seats)}
    turn=${view.turn === seat}
    note=${alone ? say(words, "points", { points: view.totals[seat] }) : ""}
  >
    <${Held} words=${words} count=${view.left[seat]} />
    ${open && html`<${Fronts} words=${words} cards=${open} />`}
    ${view.opened[seat] && html`<span class="opened" role="img" aria-label=${say(words, "has_opened")}></span>`}
  <//>`;
}

/** How many cards a seat holds. @param {{words: any, count: number}} props */
const Held = ({ words, count }) =>
  html`<span class="held" role="img" aria-label=${say(words, "cards_left", { count })}>
    <i></i><b>${say(words, "number", { number: count })}</b>
  </span>`;
