/** Below the felt for who has no seat: that he looks on, and where he may sit down. */
import { refusal, say } from "../play/words.js";
import { html } from "./h.js";

/** Seats that nobody owns and that somebody may take: with a code those of the invited, too.
 * @param {any} state @param {{player: string, code: string | null}} sitting */
export const freeSeats = ({ scene, opened }, { player: me, code }) =>
  scene.sitting.filter((/** @type {any} */ { seat, player }) => {
    const kind = player === null && opened?.seats[seat].filled_by;
    return kind === "anyone" || (kind === "invited" && code !== null) || (kind === "owner" && opened.owner === me);
  });

/** @param {any} props `line`: whose turn it is, or what was done */
export function Watching({ words, state, sitting, who, line = "" }) {
  return html`<section class="mine watching">
    <p class="told" role="status">
      ${state.no ? html`<span class="no">${refusal(words, state.no)}</span>` : html`<span>${say(words, "watching")}${line && html`<small class="whose-turn">${line}</small>`}</span>`}
    </p>
    ${freeSeats(state, sitting).map(
      (/** @type {any} */ { seat }) =>
        html`<button key=${seat} class="deed quiet sit" disabled=${state.doing} onClick=${() => sitting.sit(seat)}>
          ${say(words, "sit_at", { who: who(seat) })}
        </button>`,
    )}
  </section>`;
}
