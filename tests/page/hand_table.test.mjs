/** What a person at a table of Hand has in mind, his cards in rows, a round's reckoning. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { byItself, growths, mindOf } from "../../services/web/static/play/hand/mind.js";
import { sharesOf } from "../../services/web/static/play/hand/reckoning.js";
import { rowsOf } from "../../services/web/static/play/hand/rows.js";
import { holdOf } from "../../services/web/static/play/stage.js";
import { deedsAt } from "../../services/web/static/view/hand/deeds.js";

const OPTIONS = { game: "hand", variant: "classic", seats: 2, rounds: 3 };
const RUN = { id: 1, owner: 1, kind: "run", cards: ["5C1", "6C1", "JK2", "8C2"] };
const VIEW = {
  game: "hand",
  options: OPTIONS,
  phase: "act",
  turn: 0,
  seat: 0,
  bar: 51,
  opened: [true, true],
  melds: [RUN],
  fire: ["2S1"],
  must_open: false,
  must_place: [],
  taken: null,
  hand: ["7C2", "4C1", "9H1", "9D2", "9S1", "JK1"],
};
const groupsOf = (sizes) => sizes.map((size, at) => Array.from({ length: size }, (_, card) => `${at}.${card}`));
const lengths = (rows) => rows.map((row) => row.map(({ cards }) => cards.length));

/** A sitting that notes what is done at it. */
function noted() {
  const said = { kept: [], attempted: [], explained: [] };
  return {
    said,
    keep: (change) => said.kept.push(change),
    attempt: (action, no) => said.attempted.push([action, no]),
    explain: (code) => said.explained.push(code),
  };
}

/** What is done by a person with those things in mind. */
function done(view, own, act) {
  const sitting = noted();
  act(deedsAt(view, mindOf(view, own), sitting));
  return sitting.said;
}

// Rows -----------------------------------------------------------------------------------------

test("cards lie in as few rows as hold them, and a group is broken only where that saves a row", () => {
  assert.deepEqual(lengths(rowsOf(groupsOf([4, 4, 4, 3]), 7.5)), [[4], [4], [4, 3]]);
  assert.deepEqual(lengths(rowsOf(groupsOf([5, 5, 5]), 7.5)), [[5], [5], [5]]);
  assert.deepEqual(lengths(rowsOf(groupsOf([4, 4, 4, 3]), 99)), [[4, 4, 4, 3]]);
  assert.deepEqual(lengths(rowsOf(groupsOf([5, 6, 4]), 7.6)), [[5], [6], [4]]);
  assert.deepEqual(lengths(rowsOf(groupsOf([4, 4, 5, 2]), 7.5)), [[4], [4], [5, 2]]);
});

test("a group that is longer than a row is broken evenly, and its last part is known", () => {
  const rows = rowsOf(groupsOf([15]), 7.5);
  assert.deepEqual(lengths(rows), [[5], [5], [5]]);
  assert.deepEqual(rows.flat().map(({ last }) => last), [false, false, true]);
});

test("fifteen cards take three rows at most, however they are grouped, and each is there once", () => {
  for (const sizes of [[3, 3, 3, 3, 3], [6, 6, 3], [7, 7, 1], [4, 5, 6], [13, 2], [1, 14], [5, 4, 3, 2, 1]]) {
    const groups = groupsOf(sizes);
    const rows = rowsOf(groups, 7.5);
    assert.ok(rows.length <= 3, `${sizes}: ${rows.length} rows`);
    assert.deepEqual(rows.flat().flatMap(({ cards }) => cards), groups.flat());
  }
});

test("no cards are no rows", () => {
  assert.deepEqual(rowsOf([[]], 7.5), []);
});

// In mind --------------------------------------------------------------------------------------

test("a hand that was never put is grouped by itself, and stays as it was put", () => {
  const first = mindOf(VIEW, {}).arrangement;
  assert.deepEqual(first.groups[0].toSorted(), ["9D2", "9H1", "9S1", "JK1"]);
  const drawn = { ...VIEW, hand: [...VIEW.hand, "9C1"] };
  const { groups } = mindOf(drawn, { arrangement: first }).arrangement;
  assert.deepEqual(groups[0], first.groups[0]);
  assert.equal(groups.at(-1).at(-1), "9C1");
});

test("of a new round the cards are grouped anew", () => {
  const { arrangement } = mindOf(VIEW, {});
  const next = { ...VIEW, hand: ["KH1", "KS1", "KD2", "2C1"] };
  assert.deepEqual(mindOf(next, { arrangement }).worths, [30, 0]);
});

test("N14 before the opening the cards are grouped for it, if the cheapest grouping is not enough", () => {
  const hand = ["9C1", "9D1", "9H1", "TC1", "JC1", "QC1", "KC1", "2S1"];
  const closed = { ...VIEW, opened: [false, true], melds: [], hand, bar: 60 };
  const worth = (arrangement) => mindOf(closed, { arrangement }).grouped;
  assert.ok(worth(byItself(closed)) >= 60);
});

test("chosen cards that have gone are not chosen any more", () => {
  assert.deepEqual(mindOf(VIEW, { chosen: ["2H1", "9H1"] }).chosen, ["9H1"]);
});

test("three chosen cards that are no meld say so by the table's code", () => {
  const { laying, grouped } = mindOf(VIEW, { chosen: ["7C2", "4C1", "9H1"] });
  assert.deepEqual([laying.value, laying.no], [0, "not_a_meld"]);
  assert.equal(grouped, 0, "the meter tells the same as the button");
});

test("N14 what is chosen is held against the bar, and groups that are too low are not offered", () => {
  const closed = { ...VIEW, opened: [false, true] };
  const { laying, grouped } = mindOf(closed, { chosen: ["9H1", "9D2", "9S1"] });
  assert.deepEqual([laying.no, grouped], ["opening_too_low", 27]);
  assert.equal(mindOf(closed, {}).laying, null);
  assert.equal(mindOf(VIEW, {}).laying.value, 36);
});

test("N20 N21 a card that is chosen alone lights up the melds where it goes", () => {
  assert.deepEqual(mindOf(VIEW, { chosen: ["4C1"] }).fitting, [1]);
  assert.deepEqual(mindOf(VIEW, { chosen: ["7C2"] }).fitting, [1]);
  assert.deepEqual(mindOf(VIEW, { chosen: ["9H1"] }).fitting, []);
  assert.deepEqual(mindOf(VIEW, { chosen: ["4C1", "7C2"] }).fitting, []);
});

test("a card that is drawn about counts as chosen alone", () => {
  assert.deepEqual(mindOf(VIEW, { chosen: ["9H1", "9D2"], lifted: "4C1" }).fitting, [1]);
});

// Deeds ----------------------------------------------------------------------------------------

test("N20 a card that goes to one end only is laid off there", () => {
  const { attempted } = done(VIEW, { chosen: ["4C1"] }, (deeds) => deeds.meld(RUN));
  assert.deepEqual(attempted, [[{ type: "lay_off", meld: 1, card: "4C1", end: "low" }, null]]);
});

test("N20 where a card goes to both ends it is asked which", () => {
  const free = { ...RUN, cards: ["5C1", "6C1", "7C1"] };
  const { kept, attempted } = done({ ...VIEW, melds: [free] }, { chosen: ["JK1"] }, (deeds) => deeds.meld(free));
  assert.deepEqual(attempted, []);
  assert.deepEqual(kept[0].choice.map(({ end }) => end), ["low", "high"]);
});

test("N20 N21 where a card can be laid off or frees the joker it is asked what is meant", () => {
  const nines = { id: 1, owner: 1, kind: "set", cards: ["9C1", "9S2", "JK2"] };
  assert.deepEqual(growths(nines, "9H1").map(({ type }) => type), ["lay_off", "swap_joker"]);
  const { kept } = done({ ...VIEW, melds: [nines] }, { chosen: ["9H1"] }, (deeds) => deeds.meld(nines));
  assert.deepEqual(kept[0].choice.map(({ type }) => type), ["lay_off", "swap_joker"]);
});

test("a card that fits nowhere is not laid off, and it is said why", () => {
  const { attempted } = done(VIEW, { chosen: ["9H1"] }, (deeds) => deeds.meld(RUN));
  assert.deepEqual(attempted.map(([, no]) => no), ["does_not_fit"]);
});

test("N11 of a meld that can be read in two ways it is asked which", () => {
  const hand = ["5H1", "6H1", "JK1", "2S1"];
  const { kept } = done({ ...VIEW, hand }, { chosen: ["5H1", "6H1", "JK1"] }, (deeds) =>
    deeds.lay(mindOf({ ...VIEW, hand }, { chosen: ["5H1", "6H1", "JK1"] }).laying));
  assert.deepEqual(kept[0].choice.map(({ melds }) => melds[0]), [["5H1", "6H1", "JK1"], ["JK1", "5H1", "6H1"]]);
});

test("the fire pile is drawn from first, and thrown on after", () => {
  const draws = done({ ...VIEW, phase: "draw" }, { chosen: ["9H1"] }, (deeds) => deeds.fire());
  assert.deepEqual(draws.attempted, [[{ type: "draw", from: "fire" }, null]]);
  const throws = done(VIEW, { chosen: ["9H1"] }, (deeds) => deeds.fire());
  assert.deepEqual(throws.attempted, [[{ type: "discard", card: "9H1" }, null]]);
  assert.deepEqual(done(VIEW, {}, (deeds) => deeds.fire()).explained, ["choose_one"]);
});

test("N7 the card taken from the fire is not thrown back", () => {
  const { attempted } = done({ ...VIEW, taken: "9H1" }, { chosen: ["9H1"] }, (deeds) => deeds.discard("9H1"));
  assert.equal(attempted[0][1], "cannot_discard_taken_card");
});

test("a card is dropped on the fire, on a meld, beside another card, behind a group, by itself", () => {
  const own = { arrangement: { groups: [["9H1", "9D2", "9S1"], ["7C2", "4C1", "JK1"]] } };
  const drop = (card, target) => done(VIEW, own, (deeds) => deeds.drop(card, target));
  const put = (card, target) => drop(card, target).kept[0].arrangement.groups;
  assert.equal(drop("JK1", "fire").attempted[0][0].type, "discard");
  assert.equal(drop("4C1", "meld:1").attempted[0][0].end, "low");
  assert.deepEqual(put("JK1", "before:9D2"), [["9H1", "JK1", "9D2", "9S1"], ["7C2", "4C1"]]);
  assert.deepEqual(put("JK1", "after:9S1"), [["9H1", "9D2", "9S1", "JK1"], ["7C2", "4C1"]]);
  assert.deepEqual(put("9S1", "group:1"), [["9H1", "9D2"], ["7C2", "4C1", "JK1", "9S1"]]);
  assert.deepEqual(put("4C1", "end"), [["9H1", "9D2", "9S1"], ["4C1"], ["7C2", "JK1"]]);
});

// A round's end --------------------------------------------------------------------------------

const LEFT = [[], ["KS1", "7D1", "JK1"], ["AC1", "3H1"], ["2C1"]];
const ROUND = { game: "hand", went_out: 0, hand: false, opened: [true, true, true, false], left: LEFT };
const four = (variant) => ({ ...OPTIONS, variant, seats: 4 });
const penalties = (options, result) => sharesOf(options, result).map(({ penalty }) => penalty);

test("N40 N41 N42 the worked example: each seat's penalty, and twice that after Hand", () => {
  assert.deepEqual(penalties(four("classic"), ROUND), [-30, 32, 14, 100]);
  assert.deepEqual(penalties(four("classic"), { ...ROUND, hand: true }), [-60, 64, 28, 200]);
  const ways = sharesOf(four("classic"), { ...ROUND, hand: true }).map(({ way }) => way);
  assert.deepEqual(ways, ["hand", "cards", "cards", "unopened"]);
});

test("N43 the partner of the one who went out pays nothing", () => {
  const shares = sharesOf(four("partnership"), ROUND);
  assert.deepEqual(shares.map(({ way }) => way), ["out", "cards", "partner", "unopened"]);
  assert.equal(shares[2].penalty, 0);
});

test("N44 a void round costs nobody anything", () => {
  assert.deepEqual(penalties(four("classic"), { ...ROUND, went_out: null }), [0, 0, 0, 0]);
});

test("in Hand what one did oneself holds up nothing, what others did is looked at", () => {
  const news = (seat) => ({ known: { view: VIEW }, body: { type: "card_discarded", card: "2S1" }, seat });
  assert.equal(holdOf(news(0)), 0);
  assert.ok(holdOf(news(1)) > 0);
});
