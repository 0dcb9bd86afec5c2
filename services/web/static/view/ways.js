/** At home's end: the ways to the lists, and how many free matches are left today. */
import { say } from "../play/words.js";
import { html } from "./h.js";

/** What each leads to, by what it is called. */
const WAYS = { tables: "tables", standings: "standings", my_matches: "matches" };

/** @param {{page: import("../play/main.js").Page}} props */
export const Ways = ({ page: { words, left } }) =>
  html`${left && html`<p class="note left">${left.left ? say(words, "left_today", { count: left.left }) : say(words, "none_left")}</p>`}
    <nav class="ways" aria-label=${say(words, "ways")}>
      ${Object.entries(WAYS).map(([key, room]) => html`<a href=${`#${room}`}>${say(words, key)}</a>`)}
    </nav>`;
