// A person at the page: opens it in a browser, plays a match to `target` points, says what was seen.
//
//     node person.mjs '{"url", "browser", "language", "width", "height", "keyboard", "target", "breaks", "shots"}'
//
// Says one JSON object. `keyboard`: cards and buttons by keys alone. `breaks`: says `break` on a line of
// its own in the middle of the match, and waits until the connection was lost and is there again.
// `shots`: a folder for pictures.
import { atHome, visit } from "./eyes.mjs";

const asked = JSON.parse(process.argv[2]);
const MAY = '.hand .card[data-may="true"]';
const NO = '.hand .card[data-no="true"]';
const NEXT = `${MAY}, .naming .suit, .over.end .deed, .over:not(.end) .deed, .back`;
const person = await visit(asked);
const { page, seen, press, look } = person;
seen.refused = null;
seen.adrift = []; // after what the keyboard was nowhere

/** Where a card is touched: its corner, for the rest may lie under the next one. */
const CORNER = { position: { x: 12, y: 18 } };

async function sitDown() {
  await page.locator("input[value=white]").check();
  await page.locator(`input[name=target][value="${asked.target}"]`).check();
  await press(page.locator(".begin"));
}

/** Until the match is over, at each of my turns a card that may be played. */
async function play() {
  for (let turn = 0; ; ) {
    await page.locator(NEXT).first().waitFor();
    if (await page.locator(".over.end .deed").count()) return;
    if (await page.locator(".back").count()) await takeBack();
    else if (await page.locator(".naming .suit").count()) await name();
    else if (await page.locator(".over .deed").count()) await goOn();
    else if (turn === 3 && !seen.reloaded) await reload();
    else if (turn === 4 && asked.breaks && !seen.broken) await breakDown();
    else await card(turn++);
  }
}

/** On a slow machine the house may have taken the seat. */
async function takeBack() {
  await press(page.locator(".back"));
  await page.locator(".back").waitFor({ state: "detached" });
}

async function name() {
  await look("naming");
  await press(page.locator(".naming .suit").first());
  await page.locator(".naming").waitFor({ state: "detached" });
  await heldBy("naming");
}

/** The keyboard must be somewhere when a panel has gone. */
async function heldBy(gone) {
  if (await page.evaluate(() => document.activeElement === document.body)) seen.adrift.push(gone);
}

/** By its button, unless it has gone by itself meanwhile: it does not stay for ever. */
async function goOn() {
  const over = page.locator(".over:not(.end, .naming)");
  await look((await page.locator(".drawn").count()) ? "drawn" : "round");
  await press(over.locator(".deed").first(), { timeout: 1_000 }).catch(() => null);
  await over.waitFor({ state: "detached" });
  await heldBy("panel");
}

/** The same player comes back to the same table: the address has it. */
async function reload() {
  await page.reload();
  await page.locator(".hand .card").first().waitFor();
  seen.reloaded = true;
}

/** The broker is killed, and the table worker. */
async function breakDown() {
  console.log("break");
  await page.locator(".lost:not([hidden])").waitFor();
  await look("lost");
  await page.locator(".lost").waitFor({ state: "hidden" });
  seen.broken = true;
}

async function card(turn) {
  if (turn === 1) await settings();
  if (turn === 2) await hint();
  if (seen.refused === null && (await page.locator(NO).count())) await refuse();
  if (turn % 4 === 0) await look(`turn-${turn}`);
  const chosen = page.locator(MAY).first();
  const which = await chosen.getAttribute("data-card");
  await press(chosen, CORNER);
  // Shown at once: no answer of the table can have come in the same breath.
  await page.locator(`.hand [data-card="${which}"]`).waitFor({ state: "detached" });
}

/** The suits in four colours, and back. */
async function settings() {
  const [icon, colours] = [page.locator(".icon[aria-expanded]"), page.locator(".choice.colours")];
  await press(icon);
  await press(colours);
  await page.locator("html[data-colours=four]").waitFor();
  await look("settings");
  await press(colours);
  await press(icon);
}

async function hint() {
  await press(page.locator(".hint"));
  await page.locator('.hand .card[data-best="true"], .told .no').first().waitFor();
  seen.advice = await page.locator(".told").innerText();
  await look("hint");
}

async function refuse() {
  // It says aria-disabled and can be pressed all the same.
  await press(page.locator(NO).first(), { ...CORNER, force: true });
  seen.refused = await page.locator(".told .no").innerText();
  await look("refused");
}

try {
  await atHome(person, asked);
  await sitDown();
  await play();
  await look("end");
  seen.end = await page.locator(".over.end h2").innerText();
  seen.direction = await page.evaluate(() => document.documentElement.dir);
} catch (error) {
  await look("stuck");
  seen.stuck = String(error);
}
await person.leave();
console.log(JSON.stringify(seen));
