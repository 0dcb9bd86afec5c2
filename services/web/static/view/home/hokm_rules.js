/** The rules of a table of Hokm, in a fold: what a round is worth, and whose five cards are seen. */
import { MOST, PRESET, WORTHS } from "../../play/wishes.js";
import { say } from "../../play/words.js";
import { html, useState } from "../h.js";
import { Stepper } from "./choice.js";

/** @param {any} wish */
const isPreset = (wish) => WORTHS.every((one) => wish[one] === PRESET[one]);

/** @param {{words: any, wish: any, choose: (change: any) => void}} props */
export function HokmRules({ words, wish, choose }) {
  const [own, setOwn] = useState(!isPreset(wish));
  const toggle = () => {
    if (own) choose(PRESET);
    setOwn(!own);
  };
  return html`<details class="fold">
    <summary>${say(words, "rules")}</summary>
    <dl class="worths">
      ${WORTHS.map(
        (one) => html`<div key=${one}>
          <dt>${say(words, `way_${one}`)}<small>${say(words, `about_${one}`)}</small></dt>
          <dd>
            ${own
              ? html`<${Stepper}
                  words=${words}
                  label=${say(words, `way_${one}`)}
                  number=${wish[one]}
                  most=${MOST}
                  set=${(/** @type {number} */ number) => choose({ [one]: number })}
                />`
              : say(words, "number", { number: wish[one] })}
          </dd>
        </div>`,
      )}
    </dl>
    <label class="tick">
      <input type="checkbox" name="own" checked=${own} onChange=${toggle} />${say(words, "own_rules")}
    </label>
    <label class="tick">
      <input
        type="checkbox"
        name="five"
        checked=${wish.five === "yes"}
        onChange=${() => choose({ five: wish.five === "yes" ? "no" : "yes" })}
      />${say(words, "show_five")}
    </label>
  </details>`;
}
