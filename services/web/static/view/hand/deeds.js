/**
 * What a person may do at a table of Hand, by touch, drag or keys.
 *
 * @typedef {import("../../play/hand/mind.js").Own} Own
 * @typedef {import("../../../../../docs/schema/waraq.js").GameAction} GameAction
 */
import { gathered, moved, sortedBy, stepped } from "../../play/hand/arrangement.js";
import { whyNot } from "../../play/hand/legal.js";
import { byItself, growths } from "../../play/hand/mind.js";

/** @param {any} view @param {import("../../play/hand/mind.js").Mind} mind @param {any} sitting */
export function deedsAt(view, mind, sitting) {
  /** @param {Own} change */
  const keep = (change) => sitting.keep(change);
  /** @param {GameAction} action */
  const attempt = (action) => sitting.attempt(action, whyNot(view, action));
  /** Of several that may be done one is to be chosen. @param {readonly GameAction[]} actions */
  const either = (actions) => {
    const allowed = actions.filter((action) => !whyNot(view, action));
    if (allowed.length > 1) keep({ choice: allowed });
    else attempt(allowed[0] ?? actions[0]);
  };
  /** @param {any} meld @param {string} card */
  const grow = (meld, card) => {
    const all = growths(meld, card);
    either(all.length ? all : [{ type: "lay_off", meld: meld.id, card, end: null }]);
  };
  const chooseOne = () => sitting.explain("choose_one");

  return {
    /** @param {string} card */
    choose: (card) => keep({ chosen: mind.chosen.includes(card) ? mind.chosen.filter((one) => one !== card) : [...mind.chosen, card] }),
    chooseNone: () => keep({ chosen: [] }),
    gather: () => keep({ arrangement: gathered(mind.arrangement, mind.chosen) }),
    automatic: () => keep({ arrangement: byItself(view), chosen: [] }),
    /** @param {"suit" | "rank"} by */
    sort: (by) => keep({ arrangement: sortedBy(view.hand, by) }),
    /** @param {string} card @param {number} by */
    step: (card, by) => keep({ arrangement: stepped(mind.arrangement, card, by) }),
    /** @param {string | null} lifted */
    lift: (lifted) => keep({ lifted }),
    /** @param {string} card @param {string} target as drag.js names it */
    drop(card, target) {
      const [where, what] = target.split(":");
      if (where === "fire") attempt({ type: "discard", card });
      else if (where === "meld") grow(view.melds.find((/** @type {any} */ one) => one.id === Number(what)), card);
      else keep({ arrangement: put(mind.arrangement, card, where, what) });
    },
    stock: () => attempt({ type: "draw", from: "stock" }),
    fire() {
      if (view.phase === "draw") attempt({ type: "draw", from: "fire" });
      else if (mind.alone) attempt({ type: "discard", card: mind.alone });
      else chooseOne();
    },
    /** @param {string} card */
    discard: (card) => attempt({ type: "discard", card }),
    /** @param {any} meld */
    meld: (meld) => (mind.alone ? grow(meld, mind.alone) : chooseOne()),
    /** @param {import("../../play/hand/mind.js").Laying} laying */
    lay({ melds }) {
      const several = mind.readings.length > 1 ? mind.readings.map((cards) => [cards]) : [melds];
      either(several.map((each) => ({ type: "lay_melds", melds: each })));
    },
    look: () => keep({ looking: true }),
    close: () => keep({ looking: false, choice: null }),
    /** @param {GameAction} action */
    take(action) {
      keep({ choice: null });
      attempt(action);
    },
  };
}

/** @param {import("../../play/hand/arrangement.js").Arrangement} arrangement @param {string} card
 * @param {string} where `before` or `after` a card, `group`, `end` @param {string} what */
function put(arrangement, card, where, what) {
  const { groups } = arrangement;
  if (where === "end") return moved(arrangement, card, -1, 0);
  if (where === "group") return moved(arrangement, card, Number(what), groups[Number(what)].length);
  const group = groups.findIndex((cards) => cards.includes(what));
  return moved(arrangement, card, group, groups[group].indexOf(what) + Number(where === "after"));
}
