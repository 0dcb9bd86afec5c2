/** A name of one's own, which others see at the table. */
import { LONGEST } from "../play/names.js";
import { say } from "../play/words.js";
import { html, useRef, useState } from "./h.js";

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
export function Naming({ page: { words, names, me, naming }, deeds }) {
  /** @type {{current: HTMLInputElement | null}} */
  const field = useRef(null);
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  /** @param {Event} event */
  const rename = (event) => {
    event.preventDefault();
    deeds.rename(field.current?.value ?? "");
    setTyped(null);
  };
  return html`<form class="naming-me" onSubmit=${rename}>
    <label for="my-name">${say(words, "my_name")}</label>
    <input
      id="my-name"
      name="name"
      ref=${field}
      dir="auto"
      autocomplete="nickname"
      maxlength=${LONGEST}
      aria-describedby="name-letters"
      onInput=${() => setTyped(field.current?.value ?? "")}
      value=${typed ?? names[me ?? ""] ?? ""}
    />
    <button class="deed quiet" disabled=${me === null || naming === "wait"}>${say(words, "keep")}</button>
    <small id="name-letters" class="letters" hidden=${typed === null}>${say(words, "letters_of", { at: typed?.length ?? 0, most: LONGEST })}</small>
    <p role="status">${toldOf(words, naming, typed)}</p>
  </form>`;
}

/** That no more goes in, while it is typed; what came of the name. @param {any} words
 * @param {string | null} naming @param {string | null} typed */
function toldOf(words, naming, typed) {
  if (typed !== null) return typed.length < LONGEST ? "" : say(words, "name_full", { most: LONGEST });
  return naming === null ? "" : say(words, naming);
}
