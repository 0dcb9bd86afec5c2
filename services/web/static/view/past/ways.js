/** The way through a match: a slider, steps, rounds and tricks, whose eyes. */
import { parts, rounds } from "../../play/past/jumps.js";
import { digits, say } from "../../play/words.js";
import { html } from "../h.js";

/** @param {any} props */
export function Ways({ words, past, room, who, view }) {
  const { story, at, playing } = past;
  const last = story.stops.length - 1;
  return html`<div class="ways">
    <div class="time" dir="ltr">
      <button class="icon play" aria-label=${say(words, playing ? "pause" : "play_on")} onClick=${room.play}>
        <span class=${playing ? "bars" : "wedge"} aria-hidden="true"></span>
      </button>
      <button class="icon step" aria-label=${say(words, "step_back")} disabled=${at === 0} onClick=${() => room.press("ArrowLeft")}>
        <span class="wedge behind" aria-hidden="true"></span>
      </button>
      <input type="range" min="0" max=${last} value=${at} aria-label=${say(words, "moment")}
        aria-valuetext=${say(words, "moment_of", { at: at + 1, count: last + 1 })}
        onInput=${(/** @type {any} */ event) => room.go(Number(event.target.value))} />
      <button class="icon step" aria-label=${say(words, "step_on")} disabled=${at === last} onClick=${() => room.press("ArrowRight")}>
        <span class="wedge on" aria-hidden="true"></span>
      </button>
    </div>
    <div class="jumps">
      <${Rounds} words=${words} story=${story} at=${at} go=${room.go} />
      <${Parts} words=${words} story=${story} at=${at} go=${room.go} game=${view.game} />
      <${Eyes} words=${words} past=${past} who=${who} look=${room.look} />
    </div>
  </div>`;
}

/** One of several, chosen. @param {{name: string, label: string, value: string | number, choose: (value: string) => void,
 *   children?: any}} props */
const Choice = ({ name, label, value, choose, children }) =>
  html`<select class=${`jump ${name}`} aria-label=${label} value=${String(value)}
    onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
    ${children}
  </select>`;

/** @param {{words: any, story: any, at: number, go: (at: number) => void}} props */
function Rounds({ words, story, at, go }) {
  const { round } = story.stops[at];
  const marks = rounds(story.stops);
  return html`<${Choice} name="round" label=${say(words, "jump_round")} value=${round}
    choose=${(/** @type {string} */ value) => go(marks.find(({ number }) => number === Number(value))?.at ?? 0)}>
    ${marks.map(({ number }) => html`<option key=${number} value=${String(number)} selected=${number === round}>
      ${say(words, number ? "round_number" : "beginning", { number })}
    </option>`)}
  <//>`;
}

/** @param {{words: any, story: any, at: number, go: (at: number) => void, game: string}} props */
function Parts({ words, story, at, go, game }) {
  const { round, part } = story.stops[at];
  const marks = parts(story.stops, round);
  const name = game === "hokm" ? "trick_number" : "turn_number";
  return html`<${Choice} name="part" label=${say(words, game === "hokm" ? "jump_trick" : "jump_turn")} value=${part}
    choose=${(/** @type {string} */ value) => go(marks.find(({ number }) => number === Number(value))?.at ?? 0)}>
    ${marks.map(({ number }) => html`<option key=${`${round} ${number}`} value=${String(number)} selected=${number === part}>
      ${number ? say(words, name, { number }) : "–"}
    </option>`)}
  <//>`;
}

/** Whose eyes: of another seat only in a round that is revealed.
 * @param {{words: any, past: any, who: (seat: number) => string, look: (viewer: any) => void}} props */
function Eyes({ words, past, who, look }) {
  const { story, at, frame } = past;
  const shut = !story.revealed.has(story.stops[at].round);
  const seats = story.opened.seats.map((/** @type {any} */ one) => one.seat).filter((/** @type {number} */ seat) => seat !== story.seat);
  return html`<${Choice} name="eyes" label=${say(words, "whose_eyes")} value=${frame.viewer}
    choose=${(/** @type {string} */ value) => look(/^\d$/.test(value) ? Number(value) : value)}>
    ${story.seat !== null && html`<option value="mine" selected=${frame.viewer === "mine"}>${say(words, "as_me")}</option>`}
    <option value="public" selected=${frame.viewer === "public"}>${say(words, "as_anybody")}</option>
    <option value="all" disabled=${shut} selected=${frame.viewer === "all"}>${say(words, "all_open")}</option>
    ${seats.map((/** @type {number} */ seat) => html`<option value=${String(seat)} disabled=${shut} selected=${frame.viewer === seat}>
      ${say(words, "as_seat", { who: who(seat) })}
    </option>`)}
  <//>`;
}
