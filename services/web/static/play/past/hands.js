/**
 * Everybody's cards in the rounds that are revealed: dealt from the pack that `round_revealed` told
 * to all, less what was played since. Of a round that is not revealed nothing is known here.
 *
 * @typedef {import("../../../../../docs/schema/waraq.js").Happened} Happened
 * @typedef {import("../../../../../docs/schema/waraq.js").Body} Body
 * @typedef {import("../../../../../docs/schema/waraq.js").Options} Options
 * @typedef {{hokmDeal: (pack: readonly string[], hakem: number) => string[][],
 *   handDeal: (pack: readonly string[], dealer: number, seats: number) => {hands: string[][], stock: string[]}}} Deals
 *   those of verify.js
 * @typedef {{hands: readonly (readonly string[])[], stock: readonly string[], hakem: number | null}} Open
 *   After an event: each seat's cards in the order it got them, the stock from its front. `hakem`: who alone
 *   may see his own yet (H10), null once each seat may.
 * @typedef {{dealt: string[][], packs: ReadonlyMap<string, readonly string[]>}} Dealing
 *   `dealt`: the whole hands of a round of Hokm. `packs`: those of the round by their labels.
 */

/** What lies open after each event, null where nothing is known.
 * @param {readonly Happened[]} messages @param {Options} options @param {Deals} deals
 * @returns {(Open | null)[]} */
export function opened(messages, options, deals) {
  const packs = packsOf(messages);
  /** @type {Open | null} */
  let open = null;
  let dealing = /** @type {Dealing} */ ({ dealt: [], packs: new Map() });
  return messages.map(({ event: { seat, body } }) => {
    if (body.type === "five_dealt" || body.type === "hand_dealt") {
      dealing = { dealt: [], packs: packs.get(body.round) ?? new Map() };
      open = dealt(body, options, dealing, deals);
    } else if (open) open = after(open, seat, body, dealing);
    return open;
  });
}

/** The packs of each revealed round, by label. @param {readonly Happened[]} messages
 * @returns {Map<number, Map<string, readonly string[]>>} */
function packsOf(messages) {
  /** @type {Map<number, string[]>} */
  const labels = new Map();
  const packs = new Map();
  for (const { event: { body } } of messages) {
    if (body.type === "cards_shuffled")
      labels.set(body.round, [...(labels.get(body.round) ?? []), body.label]);
    if (body.type === "round_revealed")
      packs.set(body.round, new Map((labels.get(body.round) ?? []).map((label, at) => [label, body.packs[at] ?? []])));
  }
  return packs;
}

/** @param {import("../../../../../docs/schema/waraq.js").FiveDealt
 *   | import("../../../../../docs/schema/waraq.js").HandDealt} body
 * @param {Options} options @param {Dealing} dealing @param {Deals} deals @returns {Open | null} */
function dealt(body, options, dealing, { hokmDeal, handDeal }) {
  const pack = dealing.packs.get("deal");
  if (!pack) return null;
  if (body.type === "hand_dealt")
    return { ...handDeal(pack, body.dealer, "seats" in options ? options.seats : 0), hakem: null };
  dealing.dealt = hokmDeal(pack, body.hakem);
  const shown = "show_five_before_trump" in options && options.show_five_before_trump;
  return { hands: dealing.dealt.map((cards) => cards.slice(0, 5)), stock: [], hakem: shown ? null : body.hakem };
}

/** @param {Open} open @param {number | null} seat @param {Body} body @param {Dealing} dealing
 * @returns {Open} */
function after(open, seat, body, { dealt, packs }) {
  switch (body.type) {
    case "trump_chosen":
      return { ...open, hakem: null };
    case "rest_dealt":
      return { ...open, hands: dealt };
    case "cards_shuffled":
      return { ...open, stock: packs.get(body.label) ?? [] };
    case "card_drawn":
      return { ...moved(open, seat, [], open.stock.slice(0, 1)), stock: open.stock.slice(1) };
    case "fire_taken":
      return moved(open, seat, [], [body.card]);
    case "joker_swapped":
      return moved(open, seat, [body.card], [body.joker]);
    case "melds_laid":
      return moved(open, seat, body.melds.flat(), []);
    case "card_played":
    case "card_laid_off":
    case "card_discarded":
      return moved(open, seat, [body.card], []);
    default:
      return open;
  }
}

/** @param {Open} open @param {number | null} seat @param {readonly string[]} gone
 * @param {readonly string[]} come @returns {Open} */
const moved = (open, seat, gone, come) => ({
  ...open,
  hands: open.hands.map((cards, at) => (at === seat ? [...cards.filter((one) => !gone.includes(one)), ...come] : cards)),
});

/** The cards of its own that a seat sees then. @param {Open | null} open @param {number} seat */
const inSight = (open, seat) => (open && (open.hakem === null || open.hakem === seat) ? open.hands[seat] : []);

/** The cards that an event brought into a seat's own sight, as its player was told them.
 * @param {readonly (Open | null)[]} all @param {Body} body of the event @param {number} at its place
 * @param {number} seat @returns {readonly string[]} */
export function brought(all, body, at, seat) {
  const now = inSight(all[at], seat);
  if (body.type === "five_dealt" || body.type === "hand_dealt") return now;
  const had = inSight(all[at - 1] ?? null, seat);
  return now.filter((card) => !had.includes(card));
}
