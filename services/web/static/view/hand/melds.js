/** Everybody's melds on the felt, by whose they are: each a button that a chosen card is laid off on. */
import { indexOf, isJoker, suitOf } from "../../play/cards.js";
import { standsFor } from "../../play/hand/melds.js";
import { place } from "../../play/seats.js";
import { cardName, say } from "../../play/words.js";
import { Face, SuitMark } from "../card.js";
import { html, useEffect, useRef } from "../h.js";

/** How large cards lie there, of their full size: the first with which all melds have room, else the last. */
const SIZES = [1.25, 1.1, 1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.54];
/** From which on whose they are stands beside them, not above. */
const TIGHT = 0.84;

/** @param {any} props */
export function Melds(props) {
  const { words, view, who } = props;
  const { seats } = view.options;
  const owners = Array.from({ length: seats }, (_, step) => step)
    .map((step) => [...Array(seats).keys()].find((seat) => place(seat, view.seat, seats) === (step + 1) % seats))
    .filter((seat) => view.melds.some((/** @type {any} */ meld) => meld.owner === seat));
  const lying = useRoom(`${view.melds.map((/** @type {any} */ meld) => meld.cards.length)}`);
  useShown(lying, `${props.mind.fitting} ${props.state.news?.known.version}`);
  return html`<div class="melds" ref=${lying} role="group" aria-label=${say(words, "melds")}>
    ${owners.map(
      (seat) =>
        html`<div key=${seat} class="of" data-mine=${String(seat === view.seat)}>
          <span class="whose" dir="auto">${who(seat ?? 0)}</span>
          ${view.melds
            .filter((/** @type {any} */ meld) => meld.owner === seat)
            .map((/** @type {any} */ meld) => html`<${Lying} key=${meld.id} meld=${meld} ...${props} />`)}
        </div>`,
    )}
  </div>`;
}

/** Cards are as large as all melds have room. @param {string} cause when anew, besides where the room changes */
function useRoom(cause) {
  /** @type {{current: HTMLElement | null}} */
  const lying = useRef(null);
  useEffect(() => {
    const melds = lying.current;
    if (!melds) return undefined;
    const watching = new ResizeObserver(() => fill(melds)); // once at the beginning, too
    watching.observe(melds);
    return () => watching.disconnect();
  }, [cause]);
  return lying;
}

/** @param {HTMLElement} melds */
function fill(melds) {
  for (const size of SIZES) {
    melds.style.setProperty("--size", String(size));
    melds.dataset.tight = String(size <= TIGHT);
    if (melds.scrollHeight <= melds.clientHeight) return;
  }
}

/** What lights up is brought into sight. @param {{current: HTMLElement | null}} lying @param {string} cause when anew */
function useShown(lying, cause) {
  useEffect(() => {
    lying.current?.querySelector('[data-fits="true"], [data-new="true"]')?.scrollIntoView({ block: "nearest" });
  }, [cause]);
}

/** @param {any} props */
function Lying({ words, who, meld, mind, marked, state, deeds }) {
  const fits = mind.fitting.includes(meld.id);
  return html`<button
    class="meld"
    data-drop=${`meld:${meld.id}`}
    data-fits=${String(fits)}
    data-best=${String(marked.meld === meld.id)}
    data-new=${String(isNew(meld, state.news?.body))}
    onClick=${() => deeds.meld(meld)}
  >
    <span class="unseen">${meldName(words, meld, who)}${fits ? ` ${say(words, "fits_here")}` : ""}</span>
    ${meld.cards.map(
      (/** @type {string} */ card) =>
        html`<span key=${card} class="card" aria-hidden="true">
          <${Face} card=${card} small=${true} />${isJoker(card) && meld.kind === "run" && html`<${Instead} card=${standsFor(meld)[0]} />`}
        </span>`,
    )}
  </button>`;
}

/** In a joker's corner the card that it stands for, as that would be read there. @param {{card: string}} props */
const Instead = ({ card }) =>
  html`<span class="instead" data-suit=${suitOf(card)}>${indexOf(card)}<${SuitMark} suit=${suitOf(card)} /></span>`;

/** @param {any} meld @param {any} body */
function isNew(meld, body) {
  if (body?.type === "melds_laid") return meld.id >= body.first_id;
  return (body?.type === "card_laid_off" || body?.type === "joker_swapped") && body.meld === meld.id;
}

/** What a meld is called. @param {any} words @param {any} meld @param {(seat: number) => string} who */
const meldName = (words, meld, who) =>
  say(words, meld.kind === "run" ? "run_of" : "set_of", {
    who: who(meld.owner),
    cards: meld.cards.map((/** @type {string} */ card) => lyingName(words, meld, card)).join(say(words, "comma")),
  });

/** @param {any} words @param {any} meld @param {string} card */
const lyingName = (words, meld, card) =>
  isJoker(card) && meld.kind === "run"
    ? say(words, "stands_for", { card: cardName(words, standsFor(meld)[0]) })
    : cardName(words, card);
