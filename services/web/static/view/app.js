/** The page as a whole: the line when the connection is lost, and where one is. */
import { directionOf, say, trouble } from "../play/words.js";
import { html, render } from "./h.js";
import { Home } from "./home.js";
import { Table } from "./table.js";

/** @param {import("../play/main.js").Page} page @param {any} deeds @param {any} sitting */
export function draw(page, deeds, sitting) {
  const root = document.documentElement;
  root.lang = page.words.language;
  root.dir = directionOf(page.words);
  root.dataset.colours = page.colours;
  document.title = say(page.words, "title");
  render(html`<${App} page=${page} deeds=${deeds} sitting=${sitting} />`, document.body);
}

/** @param {{page: import("../play/main.js").Page, deeds: any, sitting: any}} props */
function App({ page, deeds, sitting }) {
  const { words } = page;
  return html`<div class="lost" role="status" hidden=${page.up}>${page.up ? "" : say(words, "lost")}</div>
    ${page.trouble && html`<p class="trouble" role="alert">${trouble(words, page.trouble)}</p>`}
    ${page.at && sitting
      ? html`<${Table} page=${page} deeds=${deeds} sitting=${sitting} />`
      : html`<${Home} page=${page} deeds=${deeds} />`}`;
}
