/** Where things are, and all cards. */
import { fileURLToPath } from "node:url";
import { RANKS, SUITS } from "../../services/web/static/play/cards.js";
import { LEVELS } from "../../services/web/static/play/wishes.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const STATIC = here("../../services/web/static");
export const TEXTS = here("../../schemas/texts");
export const HOKM_LEVELS = LEVELS;
export const HAND_VARIANTS = ["classic", "partnership", "saudi", "saudi_partnership"];
export const pack = SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
