/** The page as a whole: the line when the connection is lost, and where one is. */
import { directionOf, say, trouble } from "../play/words.js";
import { html, render } from "./h.js";
import { Home } from "./home.js";
import { later } from "./later.js";
import { Table } from "./table.js";

/** What is drawn in each place, home apart. @type {Partial<Record<string, any>>} */
const ROOMS = {
  check: later(async () => (await import("./past/check.js")).Check),
  replay: later(async () => (await import("./past/replay.js")).Replay),
  table: Table,
};

/** @param {import("../play/main.js").Page} page @param {any} deeds @param {any} room */
export function draw(page, deeds, room) {
  const root = document.documentElement;
  root.lang = page.words.language;
  root.dir = directionOf(page.words);
  root.dataset.colours = page.colours;
  document.title = say(page.words, "title");
  render(html`<${App} page=${page} deeds=${deeds} room=${room} />`, document.body);
}

/** @param {{page: import("../play/main.js").Page, deeds: any, room: any}} props */
function App({ page, deeds, room }) {
  const { words } = page;
  const Room = ROOMS[page.place.room];
  return html`<div class="lost" role="status" hidden=${page.up}>${page.up ? "" : say(words, "lost")}</div>
    ${page.trouble && html`<p class="trouble" role="alert">${trouble(words, page.trouble)}</p>`}
    ${Room && room
      ? html`<${Room} page=${page} deeds=${deeds} room=${room} />`
      : html`<${Home} page=${page} deeds=${deeds} />`}`;
}
