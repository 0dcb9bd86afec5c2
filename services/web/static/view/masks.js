/** The mask of a level, behind which the house plays (H20). */
import { html } from "./h.js";

const FACE = "M20 4C30 4 36 9 36 18C36 29 29 37 20 37C11 37 4 29 4 18C4 9 10 4 20 4Z";
const EYES = "M9 17C12 13 17 14 18 18C15 21 11 21 9 17ZM31 17C28 13 23 14 22 18C25 21 29 21 31 17Z";
const MOUTH = "M14 27C17 30 23 30 26 27C23 28.6 17 28.6 14 27Z";

/** @param {{level: string}} props */
export const Mask = ({ level }) =>
  html`<svg class="mask" data-level=${level} viewBox="0 0 40 40" aria-hidden="true">
    <path class="mask-face" d=${FACE} />
    <path class="mask-hole" d=${EYES} />
    <path class="mask-hole" d=${MOUTH} />
  </svg>`;

/** Who plays without a mask. */
export const Person = () =>
  html`<svg class="mask" viewBox="0 0 40 40" aria-hidden="true">
    <circle class="person" cx="20" cy="15" r="7.5" />
    <path class="person" d="M5 36C6 27 12 24 20 24C28 24 34 27 35 36Z" />
  </svg>`;

/** The hakem's sign. */
export const Crown = () =>
  html`<svg class="crown" viewBox="0 0 24 20" aria-hidden="true">
    <path d="M3 17L1 4L8 9L12 1L16 9L23 4L21 17Z" />
  </svg>`;
