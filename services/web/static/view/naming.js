/** A name of one's own, which others see at the table. */
import { LONGEST } from "../play/names.js";
import { say } from "../play/words.js";
import { html, useRef } from "./h.js";

/** @param {{page: import("../play/main.js").Page, deeds: any}} props */
export function Naming({ page: { words, names, me, naming }, deeds }) {
  /** @type {{current: HTMLInputElement | null}} */
  const field = useRef(null);
  /** @param {Event} event */
  const rename = (event) => {
    event.preventDefault();
    deeds.rename(field.current?.value ?? "");
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
      value=${names[me ?? ""] ?? ""}
    />
    <button class="deed quiet" disabled=${me === null || naming === "wait"}>${say(words, "keep")}</button>
    <p role="status">${naming === null ? "" : say(words, naming)}</p>
  </form>`;
}
