/** The chairs round the felt before the first deal: who sits there, or a free one to sit down on. */
import { edgeOf } from "../../play/seats.js";
import { say, sayKind } from "../../play/words.js";
import { html } from "../h.js";
import { Mask, Person } from "../masks.js";
import { Bubble } from "../seats.js";
import { freeSeats } from "../watching.js";

/** @param {any} props */
export function Chairs(props) {
  const { sitting } = props.state.scene;
  return sitting.map(
    (/** @type {any} */ one) =>
      html`<${Chair} key=${one.seat} ...${props} one=${one} at=${edgeOf(one.seat, props.known.seat, sitting.length)} />`,
  );
}

/** @param {any} props */
function Chair({ words, state, sitting, who, known, one, at }) {
  const { seat, player, level } = one;
  const free = player === null && !level;
  if (known.seat === null && freeSeats(state, sitting).includes(one))
    return html`<button
      class=${`plate chair vacant at-${at}`}
      disabled=${state.doing}
      data-seat=${seat}
      onClick=${() => sitting.sit(seat)}
    >
      <${Empty} /><span class="names" dir="auto"><b>${say(words, "sit_here")}</b><small>${who(seat)}</small></span>
    </button>`;
  return html`<div class=${`plate chair at-${at}${free ? " empty" : ""}`} data-seat=${seat}>
    ${level ? html`<${Mask} level=${level} />` : free ? html`<${Empty} />` : html`<${Person} />`}
    <span class="names" dir="auto">
      <b><bdi>${who(seat)}</bdi></b>
      <small><bdi>${beside(words, state, who, one)}</bdi></small>
    </span>
    <${Bubble} words=${words} sticker=${state.scene.said[seat]} />
  </div>`;
}

/** What stands below who sits there. @param {any} words @param {any} state @param {any} who @param {any} one */
function beside(words, { opened }, who, { seat, player, level }) {
  if (level) return sayKind(words, `level_${level}`, level);
  if (player === null) return say(words, opened.seats[seat].filled_by === "invited" ? "for_friend" : "free");
  return who.beside(seat) || say(words, "sits");
}

const Empty = () =>
  html`<svg class="mask nobody" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="15" />
    <path d="M20 13V27M13 20H27" />
  </svg>`;
