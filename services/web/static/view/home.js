/** Home: a game is chosen, a match come back to. */
import { LEVELS, TARGETS } from "../play/opening.js";
import { liked, like } from "../play/preferences.js";
import { digits, say } from "../play/words.js";
import { Face } from "./card.js";
import { html, useState } from "./h.js";
import { Mask } from "./masks.js";
import { Settings } from "./settings.js";
import { Ways } from "./ways.js";

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
export function Home({ page, deeds }) {
  const { words } = page;
  const [level, setLevel] = useState(liked("level", "white"));
  const [target, setTarget] = useState(Number(liked("target", "2")));
  /** @param {Event} event */
  const begin = (event) => {
    event.preventDefault();
    like("level", level);
    like("target", String(target));
    deeds.begin({ options: { game: "hokm", target }, level });
  };
  return html`<main class="home">
    <header class="masthead">
      <div class="spread" aria-hidden="true">
        ${["KH", "AS", "QD"].map((card) => html`<div class="card"><${Face} card=${card} /></div>`)}
      </div>
      <h1>${say(words, "title")}</h1>
      <p>${say(words, "invites")}</p>
    </header>
    <${Running} page=${page} deeds=${deeds} />
    <form class="panel" onSubmit=${begin}>
      <fieldset class="levels">
        <legend>${say(words, "choose_level")}</legend>
        ${LEVELS.map((one) => html`<${Level} words=${words} level=${one} chosen=${level} choose=${setLevel} />`)}
      </fieldset>
      <fieldset class="targets">
        <legend>${say(words, "choose_target")}</legend>
        ${TARGETS.map((one) => html`<${Target} words=${words} target=${one} chosen=${target} choose=${setTarget} />`)}
      </fieldset>
      <button class="deed begin" disabled=${page.busy}>${say(words, page.busy ? "wait" : "begin")}</button>
    </form>
    <${Settings} page=${page} deeds=${deeds} />
    <${Ways} page=${page} />
  </main>`;
}

/** @param {{words: any, level: string, chosen: string, choose: (level: string) => void}} props */
const Level = ({ words, level, chosen, choose }) =>
  html`<label class="level">
    <input type="radio" name="level" value=${level} checked=${level === chosen} onChange=${() => choose(level)} />
    <${Mask} level=${level} />
    <strong>${say(words, `level_${level}`)}</strong>
    <small>${say(words, `about_${level}`)}</small>
  </label>`;

/** @param {{words: any, target: number, chosen: number, choose: (target: number) => void}} props */
const Target = ({ words, target, chosen, choose }) =>
  html`<label class="target">
    <input type="radio" name="target" value=${target} checked=${target === chosen} onChange=${() => choose(target)} />
    <span>${say(words, target === 1 ? "one_round" : "to_points", { points: target })}</span>
  </label>`;

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
const Running = ({ page: { words, running }, deeds }) =>
  running.length === 0
    ? null
    : html`<section class="panel running">
        <h2>${say(words, "running")}</h2>
        ${running.map(
          ({ match, score }) =>
            html`<button class="deed quiet" onClick=${() => deeds.go({ room: "table", match, code: null })}>
              ${say(words, "go_on_with", { score: scoreText(words, score) })}
            </button>`,
        )}
      </section>`;

/** @param {any} words @param {readonly number[]} score */
const scoreText = (words, score) => [score[0] ?? 0, score[1] ?? 0].map((one) => digits(words, one)).join(" – ");
