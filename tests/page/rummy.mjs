// A person of Hand at the page: opens it in a browser, plays a whole match, says what was seen.
//
//     node rummy.mjs '{"url", "browser", "language", "width", "height", "keyboard", "breaks", "shots", "variant", "seats", "rounds"}'
//
// Plays by simple means: draws from the stock, twice from the fire, has the cards grouped, lays what can be laid, lays off what
// lights up, throws the last card. Tries each other thing once. `breaks`: says `break`
// on a line of its own in the midst of the match, and goes on when the connection is there again. Says one JSON object.
import { atHome, breakDown, visit } from "./eyes.mjs";
import { lookBack } from "./look_back.mjs";

const asked = JSON.parse(process.argv[2]);
const MINE = '.mine[data-turn="true"]';
const NEXT = `${MINE}, .over .deed, .back`;
/** Milliseconds in which a thing is there that was seen just before, unless the house has played meanwhile. */
const SOON = 4_000;
/** Cards that are tried on the melds in one turn. */
const TRIES = 6;
/** Turns at most in which the house was quicker: the machine may be slow. */
const LATE = 10;
const person = await visit(asked);
const { page, seen, press, look } = person;
/** What is tried once, each when there is occasion. */
const tried = new Set();
/** What was done in this turn: cards that were laid off or thrown in vain; was laying refused, was what is no meld tried? */
let turn = { vain: new Set(), refused: false, sought: false };
seen.turns = 0;
seen.refusals = [];

const count = (selector) => page.locator(selector).count();
const held = () => page.locator(".hand [data-held]").evaluateAll((all) => all.map((one) => one.dataset.held));
const cardOf = (card) => page.locator(`.hand [data-held="${card}"]`);
/** A card is touched at its corner, for the rest may lie under the next one. */
const touch = (card) => press(cardOf(card), { position: { x: 12, y: 18 }, timeout: SOON });

async function sitDown() {
  const wanted = { game: "hand", variant: asked.variant, seats: asked.seats, level: "white", rounds: asked.rounds };
  for (const [name, value] of Object.entries(wanted)) await page.locator(`input[name=${name}][value="${value}"]`).check();
  await press(page.locator(".begin"));
}

async function play() {
  for (;;) {
    await page.locator(NEXT).first().waitFor();
    if (await count(".over.end .deed")) return;
    if (await count(".back")) await takeBack();
    else if (await count(".over .deed")) await goOn();
    else if (await count('.pile.stock[data-may="true"]')) await draw();
    else await act().catch(late);
  }
}

/** A card that was to be touched has gone: time was up. */
function late(error) {
  seen.late = (seen.late ?? 0) + 1;
  if (seen.late > LATE) throw error;
}

async function takeBack() {
  await press(page.locator(".back"));
  await page.locator(".back").waitFor({ state: "detached" });
}

/** By its button, unless it has gone by itself meanwhile. */
async function goOn() {
  await look(`round-${(seen.rounds = (seen.rounds ?? 0) + 1)}`);
  await press(page.locator(".over .deed"), { timeout: 1_000 }).catch(() => null);
  await page.locator(".over:not(.end)").waitFor({ state: "detached" });
}

async function draw() {
  turn = { vain: new Set(), refused: false, sought: false };
  seen.turns += 1;
  // A reckoning goes by itself while one looks elsewhere: rounds are those in which one has drawn.
  seen.begun = [...new Set([...(seen.begun ?? []), await page.locator(".facts .round b").innerText()])];
  if (await once("broken", () => asked.breaks && seen.turns === 4)) await breakDown(person);
  if (await once("fire", () => count(".look"))) await lookAtFire();
  else if (await once("hint", () => seen.turns > 2)) await hint();
  await press(page.locator((await fireWanted()) ? ".pile.fire" : ".pile.stock"));
}

/** Once before the opening, when it mostly is refused or obliges to open, and once after it. */
async function fireWanted() {
  const opened = (await count(".mine .opened")) > 0;
  return once(`fire, opened: ${opened}`, () => opened || seen.turns > 3);
}

/** One thing that my turn asks for. */
async function act() {
  const seeks = async () => !turn.sought && seen.turns > 0 && (await held()).length > 4;
  if (await once("refused", seeks)) return refuse();
  if (await once("arranged", () => seen.turns > 1)) return asked.keyboard ? arrangeByKeys() : arrangeByMouse();
  if (await count(".told .no")) seen.refusals.push(await page.locator(".told .no").innerText());
  await press(page.locator(".sort").first());
  if (!turn.refused && (await count('.lay[data-no="false"]'))) return lay();
  if ((await count(".mine .opened")) && (await layOff())) return;
  await throwOne();
}

/** Is it to be tried now? Then it counts as tried. */
async function once(what, occasion) {
  if (tried.has(what) || !(await occasion())) return false;
  tried.add(what);
  return true;
}

async function lay() {
  turn.refused = true;
  await press(page.locator(".lay"));
  if (await count(".choosing")) await press(page.locator(".way").first());
  if (await once(`laid ${seen.rounds}`, () => true)) await look(`laid-${seen.turns}`);
}

/** The first card that lights up a meld goes there. */
async function layOff() {
  for (const card of (await held()).slice(-TRIES).filter((one) => !turn.vain.has(one))) {
    turn.vain.add(card);
    await touch(card);
    if (await count('.meld[data-fits="true"]')) {
      if (await once("fitting", () => true)) await look("fitting");
      await press(page.locator('.meld[data-fits="true"]').first());
      if (await count(".choosing")) await choose();
      return true;
    }
    await touch(card);
  }
  return false;
}

async function choose() {
  await look("choosing");
  await press(page.locator(".way").first());
}

/** The last card, and if it may not be, the one before it: once by drawing it to the fire. */
async function throwOne() {
  const card = (await held()).toReversed().find((one) => !turn.vain.has(`thrown ${one}`));
  turn.vain.add(`thrown ${card}`);
  if (seen.turns % 8 === 0) await look(`turn-${seen.turns}`);
  if (!asked.keyboard && (await once("thrown", () => seen.turns > 1))) return dragged(cardOf(card), page.locator(".pile.fire"));
  await touch(card);
  if (await count(".throw")) await press(page.locator(".throw"));
}

// Tried once -----------------------------------------------------------------------------------

async function lookAtFire() {
  await press(page.locator(".look"));
  seen.fire = await page.locator(".thrown li").count();
  await look("fire");
  await press(page.locator(".over .deed"));
}

async function hint() {
  await press(page.locator(".hint"));
  await page.locator(".told .advice, .told .no").first().waitFor();
  seen.advice = await page.locator(".told").innerText();
  seen.marked = await count('[data-best="true"]');
  await look("hint");
}

/** Three cards that are no meld; where they happen to be one, in another turn. */
async function refuse() {
  turn.sought = true;
  await press(page.locator(".sort").nth(2));
  const cards = await held();
  for (const card of [cards[0], cards[2], cards.at(-1)]) await touch(card);
  if (await count('.lay[data-no="true"]')) {
    await press(page.locator(".lay"), { force: true });
    seen.refused = await page.locator(".told .no").innerText();
    await look("refused");
  } else {
    tried.delete("refused");
  }
  await cardOf(cards[0]).press("Escape");
}

/** The first card to behind the last. */
async function arrangeByMouse() {
  await press(page.locator(".sort").nth(1));
  const before = await held();
  await dragged(cardOf(before[0]), cardOf(before.at(-1)), 0.8);
  seen.arranged = [before, await held()];
}

/** The first card one to the right: the keyboard stays on it. */
async function arrangeByKeys() {
  await press(page.locator(".sort").nth(1));
  const before = await held();
  await cardOf(before[0]).focus();
  await page.keyboard.press("Shift+ArrowRight");
  seen.arranged = [before, await held()];
  seen.focused = await page.evaluate(() => document.activeElement.dataset.held);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  seen.chosen = await page.locator('.hand [aria-pressed="true"]').getAttribute("data-held");
  await page.keyboard.press("Escape");
}

/** By mouse, from one place to another; `across`: which part of its width. */
async function dragged(from, to, across = 0.5) {
  const [begin, end] = [await from.boundingBox(), await to.boundingBox()];
  await page.mouse.move(begin.x + 12, begin.y + 18);
  await page.mouse.down();
  await page.mouse.move(begin.x + 30, begin.y, { steps: 3 });
  await page.mouse.move(end.x + end.width * across, end.y + end.height / 2, { steps: 5 });
  if (await once("drawn about", () => true)) await look("drawn");
  await page.mouse.up();
}

try {
  await atHome(person, asked);
  await sitDown();
  await play();
  await look("end");
  seen.end = await page.locator(".over.end h2").innerText();
  await lookBack(person, asked);
} catch (error) {
  await look("stuck");
  seen.stuck = String(error);
}
await person.leave();
console.log(JSON.stringify(seen));
