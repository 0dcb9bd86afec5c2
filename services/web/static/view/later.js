/** What is drawn where few go: loaded when somebody does. */
import { insist } from "../play/insist.js";
import { say } from "../play/words.js";
import { html, useEffect, useState } from "./h.js";

/** @param {() => Promise<any>} load what is drawn there */
export const later = (load) => (/** @type {any} */ props) => html`<${Later} load=${load} ...${props} />`;

/** @param {any} props */
function Later({ load, page, deeds, room }) {
  const [Room, setRoom] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let left = false;
    insist(async () => (left ? null : load()), () => undefined).then((found) => left || setRoom(() => found));
    return () => {
      left = true;
    };
  }, []);
  const here = Room && room.it;
  return here
    ? html`<${Room} page=${page} deeds=${deeds} room=${room.it} />`
    : html`<main class="home"><p role="status">${say(page.words, "wait")}</p></main>`;
}
