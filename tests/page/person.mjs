// A person at the page: opens it in a browser, plays a match to `target` points, says what was seen.
//
//     node person.mjs '{"url", "browser", "language", "width", "height", "keyboard", "target", "breaks", "shots"}'
//
// Says one JSON object. `keyboard`: cards and buttons by keys alone. `breaks`: says `break` on a line of
// its own in the middle of the match, and waits until the connection was lost and is there again.
// `shots`: a folder for pictures.
import { atHome, breakDown, visit } from "./eyes.mjs";
import { CORNER, hokmHand } from "./hokm_hand.mjs";
import { checkSoFar, lookBack } from "./look_back.mjs";

const asked = JSON.parse(process.argv[2]);
const NO = '.hand .card[data-no="true"]';
const person = await visit(asked);
const { page, seen, press, look } = person;
seen.refused = null;
const hokm = hokmHand(person, turn);

async function sitDown() {
  await page.locator("input[value=white]").check();
  await page.locator(`input[name=target][value="${asked.target}"]`).check();
  await press(page.locator(".begin"));
}

/** At each of my turns a card that may be played; twice something else first. */
async function turn(number) {
  if (number === 3 && !seen.reloaded) return reload();
  if (number === 4 && asked.breaks && !seen.broken) return breakDown(person);
  if (number === 5 && !seen.checked) return checkSoFar(person);
  return card(number);
}

/** The same player comes back to the same table: the address has it. */
async function reload() {
  await page.reload();
  await page.locator(".hand .card").first().waitFor();
  seen.reloaded = true;
}

async function card(turn) {
  if (turn === 1) await settings();
  if (turn === 2) await hint();
  if (seen.refused === null && (await page.locator(NO).count())) await refuse();
  if (turn % 4 === 0) await look(`turn-${turn}`);
  return hokm.lay();
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
  await hokm.play();
  await page.locator(".over.end").waitFor();
  await look("end");
  seen.end = await page.locator(".over.end h2").innerText();
  await lookBack(person, asked);
  seen.direction = await page.evaluate(() => document.documentElement.dir);
} catch (error) {
  await look("stuck");
  seen.stuck = String(error);
}
await person.leave();
console.log(JSON.stringify(seen));
