/** How others come to the table: a link to copy, or to share. */
import { addressOf } from "../../play/places.js";
import { say } from "../../play/words.js";
import { html, useRef, useState } from "../h.js";

/** @param {string} match @param {string | null} code */
const linkTo = (match, code) => `${location.origin}/${addressOf({ room: "table", match, code })}`;

/** @param {{words: any, state: any, code: string | null}} props */
export function Invitation({ words, state: { scene, opened }, code }) {
  const kinds = new Set(opened.seats.map((/** @type {any} */ one) => one.filled_by));
  if (kinds.has("invited") && code === null) return html`<p class="code-gone">${say(words, "code_gone")}</p>`;
  return html`<${Link} words=${words} link=${linkTo(scene.match, kinds.has("invited") ? code : null)} />`;
}

/** Without https there is no clipboard but the old way, which takes what is marked. @param {string} text */
const copies = (text) =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(() => true, () => false)
    : Promise.resolve(document.execCommand("copy"));

/** @param {{words: any, link: string}} props */
function Link({ words, link }) {
  const [copied, setCopied] = useState(false);
  /** @type {{current: HTMLInputElement | null}} */
  const field = useRef(null);
  const copy = async () => {
    field.current?.select();
    setCopied(await copies(link));
  };
  const invitation = { title: say(words, "title"), text: say(words, "come_and_play"), url: link };
  const share = () => navigator.share(invitation).catch(() => null);
  return html`<div class="invitation">
    <label for="link">${say(words, "invite_by")}</label>
    <input id="link" class="link" dir="ltr" readonly value=${link} ref=${field} onFocus=${() => field.current?.select()} />
    <button class="deed quiet copy" onClick=${copy}>${say(words, copied ? "copied" : "copy")}</button>
    ${"share" in navigator && html`<button class="deed quiet share" onClick=${share}>${say(words, "share")}</button>`}
    <p class="unseen" role="status">${copied ? say(words, "copied") : ""}</p>
  </div>`;
}
