/** My cards in their groups: each a button, in rows as the screen is wide; by pointer or by keys. */
import { rowsOf } from "../../play/hand/rows.js";
import { cardName, say } from "../../play/words.js";
import { Face } from "../card.js";
import { html } from "../h.js";
import { useLow, useMiddle, useNarrow } from "../narrow.js";
import { useDrag } from "./drag.js";
import { useKeys } from "./keys.js";

/** Cards that a row takes, the loosest first that leaves two rows: on a phone, on a larger screen, on a desk. */
const [FEW, SOME, ALL] = [[8.75, 9.75, 11, 13], [9.5, 11, 13], [99]];
const ROWS = 2;

/** @param {readonly (readonly string[])[]} groups @param {readonly number[]} rooms */
function rowsIn(groups, rooms) {
  const all = rooms.map((room) => rowsOf(groups, room));
  return all.find((rows) => rows.length <= ROWS) ?? all[all.length - 1];
}

function useRooms() {
  const [narrow, middle, low] = [useNarrow(), useMiddle(), useLow()];
  return low ? ALL : narrow ? FEW : middle ? SOME : ALL;
}

/** @param {any} props */
export function Cards({ words, view, mind, marked, deeds }) {
  const keys = useKeys(mind.cards, deeds);
  const { drag, press, wasDragged } = useDrag(deeds);
  const [rooms, desk] = [useRooms(), !useMiddle()];
  /** @param {string} card */
  const choose = (card) => wasDragged() || deeds.choose(card);
  return html`<div
    class="hand rummy"
    dir="ltr"
    role="group"
    aria-label=${say(words, "your_cards")}
    ref=${keys.hand}
    data-drop="end"
    data-dragging=${String(Boolean(drag))}
    onKeyDown=${keys.pressed}
    onFocusIn=${keys.noted}
    onFocusOut=${keys.left}
    onPointerDown=${press}
  >
    ${rowsIn(mind.arrangement.groups, rooms).map(
      (row, at) =>
        html`<div class="row" key=${at}>
          ${row.map(
            (part) =>
              html`<${Group} key=${part.group} words=${words} part=${part} worth=${mind.worths[part.group]}>
                ${part.cards.map(
                  (card) =>
                    html`<${Held}
                      key=${card}
                      words=${words}
                      card=${card}
                      small=${!desk}
                      chosen=${mind.chosen.includes(card)}
                      best=${marked.cards.includes(card)}
                      fresh=${card === view.drawn || card === view.taken || view.must_place.includes(card)}
                      by=${drag?.card === card ? drag.by : null}
                      side=${sideOf(drag, card)}
                      stop=${card === keys.stop}
                      choose=${choose}
                    />`,
                )}
              <//>`,
          )}
        </div>`,
    )}
  </div>`;
}

/** On which side of a card the one that is drawn about would be put. @param {import("./drag.js").Drag | null} drag
 * @param {string} card */
function sideOf(drag, card) {
  const [side, beside] = drag?.over?.split(":") ?? [];
  return beside === card ? side : "";
}

/** @param {{words: any, part: import("../../play/hand/rows.js").Part, worth: number, children?: any}} props */
function Group({ words, part, worth, children }) {
  const name = worth ? say(words, "meld_worth", { worth }) : say(words, "loose");
  return html`<div class="bunch" role="group" aria-label=${name} data-meld=${String(worth > 0)} data-drop=${`group:${part.group}`}>
    ${children}
    ${worth > 0 && part.last && html`<span class="worth" aria-hidden="true">${say(words, "number", { number: worth })}</span>`}
  </div>`;
}

/** @param {{words: any, card: string, small: boolean, chosen: boolean, best: boolean, fresh: boolean,
 *   by: {x: number, y: number} | null, side: string, stop: boolean, choose: (card: string) => void}} props */
const Held = ({ words, card, small, chosen, best, fresh, by, side, stop, choose }) =>
  html`<div class="slot">
    <button
      class="card"
      data-card=${card}
      data-held=${card}
      data-best=${String(best)}
      data-new=${String(fresh)}
      data-dragged=${String(Boolean(by))}
      data-side=${side}
      aria-pressed=${String(chosen)}
      tabindex=${stop ? 0 : -1}
      style=${by ? { transform: `translate(${by.x}px, ${by.y}px) rotate(3deg)` } : {}}
      onClick=${() => choose(card)}
    >
      <span class="unseen">${cardName(words, card)}</span>
      <${Face} card=${card} small=${small} />
    </button>
  </div>`;
