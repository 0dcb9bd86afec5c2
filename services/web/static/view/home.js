/** Home: a game is chosen, a match come back to. */
import { scoreText } from "../play/results.js";
import { say } from "../play/words.js";
import { Face } from "./card.js";
import { html } from "./h.js";
import { Form } from "./home/form.js";
import { Languages, Settings } from "./settings.js";
import { Ways } from "./ways.js";

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
export const Home = ({ page, deeds }) =>
  html`<main class="home">
    <${Languages} page=${page} deeds=${deeds} />
    <header class="masthead">
      <div class="spread" aria-hidden="true">
        ${["KH", "AS", "QD"].map((card) => html`<div class="card"><${Face} card=${card} /></div>`)}
      </div>
      <h1>${say(page.words, "title")}</h1>
      <p>${say(page.words, "invites")}</p>
    </header>
    <${Running} page=${page} deeds=${deeds} />
    <${Form} page=${page} deeds=${deeds} />
    <${Settings} page=${page} deeds=${deeds} apart=${true} />
    <${Ways} page=${page} />
  </main>`;

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
const Running = ({ page: { words, running, me }, deeds }) =>
  running.length === 0
    ? null
    : html`<section class="panel running">
        <h2>${say(words, "running")}</h2>
        ${running.map(
          (line) =>
            html`<button class="deed quiet" onClick=${() => deeds.go({ room: "table", match: line.match, code: null })}>
              ${say(words, `game_${line.game}`)} · ${say(words, "go_on_with", { score: scoreText(words, line, me ?? "") })}
            </button>`,
        )}
      </section>`;
