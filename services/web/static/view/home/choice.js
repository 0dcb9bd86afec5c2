/** How home asks: one of some, a number. */
import { say } from "../../play/words.js";
import { html } from "../h.js";

/**
 * One of some, each a tile.
 * @param {{words: any, name: string, legend: string, all: readonly any[], wish: any,
 *   choose: (change: any) => void, children: (one: any) => any}} props `children`: what stands on a tile
 */
export const Choice = ({ words, name, legend, all, wish, choose, children }) =>
  html`<fieldset class=${`choose many-${all.length}`}>
    <legend>${say(words, legend)}</legend>
    ${all.map(
      (one) =>
        html`<label class="tile" key=${one}>
          <input
            type="radio"
            name=${name}
            value=${one}
            checked=${one === wish[name]}
            onChange=${() => choose({ [name]: one })}
          />
          ${children(one)}
        </label>`,
    )}
  </fieldset>`;

/** A number, one more or one less.
 * @param {{words: any, label: string, number: number, most: number, set: (number: number) => void}} props */
export const Stepper = ({ words, label, number, most, set }) =>
  html`<div class="stepper" role="group" aria-label=${label}>
    <button type="button" aria-label=${say(words, "less")} disabled=${number <= 1} onClick=${() => set(number - 1)}>
      −
    </button>
    <output>${say(words, "number", { number })}</output>
    <button type="button" aria-label=${say(words, "more")} disabled=${number >= most} onClick=${() => set(number + 1)}>
      +
    </button>
  </div>`;
