/** What is said while there are no words yet: the page's texts could not be loaded. In every language. */
import { html, render } from "./h.js";

const SAID = [
  { language: "fa", dir: "rtl", text: "صفحه باز نشد؛ شاید اینترنت قطع است. خودمان دوباره تلاش می‌کنیم.", again: "دوباره" },
  { language: "ar", dir: "rtl", text: "تعذّر فتح الصفحة؛ ربما انقطع الإنترنت. سنحاول من جديد تلقائيًا.", again: "من جديد" },
  { language: "en", dir: "ltr", text: "The page could not be opened; you may be offline. We will try again by ourselves.", again: "Again" },
];

/** @param {() => void} again try now */
export function drawAway(again) {
  render(html`<${Away} again=${again} />`, document.body);
}

/** @param {{again: () => void}} props */
const Away = ({ again }) =>
  html`<main class="away" role="alert">
    <h1 lang="fa" dir="rtl">ورق</h1>
    ${SAID.map(({ language, dir, text }) => html`<p lang=${language} dir=${dir}>${text}</p>`)}
    <button class="deed" onClick=${again}>
      ${SAID.map((one, at) => html`${at > 0 && " · "}<bdi lang=${one.language}>${one.again}</bdi>`)}
    </button>
  </main>`;
