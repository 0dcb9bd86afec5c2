/** To leave the table for good: it is said what that means, and asked once more. */
import { say } from "../play/words.js";
import { html, useState } from "./h.js";

/** @param {any} props `sitting`: the room */
export function Leave({ words, deeds, sitting }) {
  const [asked, setAsked] = useState(false);
  const leave = async () => {
    if (await sitting.getUp()) deeds.goHome();
  };
  if (!asked)
    return html`<button class="choice leave" onClick=${() => setAsked(true)}>${say(words, "leave_table")}</button>`;
  return html`<div class="leaving" role="alert">
    <p>${say(words, "leave_means")}</p>
    <button class="deed" onClick=${() => setAsked(false)}>${say(words, "stay")}</button>
    <button class="deed quiet leave-now" onClick=${leave}>${say(words, "leave_now")}</button>
  </div>`;
}
