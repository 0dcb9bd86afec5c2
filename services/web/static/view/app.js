/** The page as a whole: the line when the connection is lost, and where one is. */
import { directionOf, say, trouble } from "../play/words.js";
import { html, render } from "./h.js";
import { Home } from "./home.js";
import { chooseSet } from "./pictures.js";

/** The rooms, once they are here: `ROOMS` and `titleOf` of rooms.js. @type {any} */
let house = { ROOMS: {}, titleOf: null };

/** @param {typeof import("./rooms.js")} rooms */
export const furnish = (rooms) => void (house = rooms);

/** @param {import("../play/main.js").Page} page @param {any} deeds @param {any} room */
export function draw(page, deeds, room) {
  const root = document.documentElement;
  root.lang = page.words.language;
  root.dir = directionOf(page.words);
  root.dataset.colours = page.colours;
  chooseSet(page.cards, page.colours);
  document.title = house.titleOf?.(page, document.hidden) ?? say(page.words, "title");
  render(html`<${App} page=${page} deeds=${deeds} room=${room} />`, document.body);
}

/** @param {{page: import("../play/main.js").Page, deeds: any, room: any}} props */
function App({ page, deeds, room }) {
  const { words } = page;
  const Room = house.ROOMS[page.place.room];
  return html`<${Lost} page=${page} />
    ${page.trouble && html`<p class="trouble" role="alert">${trouble(words, page.trouble)}</p>`}
    ${Room && room
      ? html`<${Room} page=${page} deeds=${deeds} room=${room} />`
      : html`<${Home} page=${page} deeds=${deeds} />`}`;
}

/** That we could not come in, or that the connection is lost. @param {{page: import("../play/main.js").Page}} props */
function Lost({ page: { words, up, shut } }) {
  const text = shut
    ? say(words, shut.code === "too_many" ? "too_many" : "not_in", { seconds: shut.seconds })
    : say(words, "lost");
  return html`<div class="lost" role="status" hidden=${up && !shut}>
    ${shut || !up ? text : ""}
    ${shut && html`<button onClick=${shut.again}>${say(words, "try_again")}</button>`}
  </div>`;
}
