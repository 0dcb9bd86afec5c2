// How a person looks at the page: a browser of their own, what they press, what is wrong with what
// they see. Persons of each game use it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

/** Milliseconds that anything on the page may take. */
export const WITHIN = 40_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const GRAVE = ["serious", "critical"];

/**
 * Somebody's browser, with nothing kept. `asked`: `{browser, language, width, height, keyboard, shots}`;
 * `keyboard`: all is pressed by keys; `quick`: likes to play quickly; `shots`: a folder for pictures. Gives `page`, `seen` (what is to be
 * said of it), `press`, `look` (a picture, and what is wrong there), `leave`.
 */
export async function visit(asked) {
  const seen = { hosts: [], requests: 0, bytes: 0, errors: [], overflowing: [], violations: [] };
  const browser = await chromium.launch({ executablePath: asked.browser, args: ["--no-sandbox"] });
  const size = { width: asked.width, height: asked.height };
  const context = await browser.newContext({ viewport: size, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(WITHIN);
  listen(page, seen);

  /** Touch it, or go there by the keyboard. */
  async function press(found, where = {}) {
    if (!asked.keyboard) return found.click(where);
    await found.focus({ timeout: where.timeout });
    await page.keyboard.press("Enter");
  }

  async function look(name) {
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
    await page.screenshot({ path: `${asked.shots}/${asked.language}-${asked.width}-${name}.png` });
    const found = await page.evaluate(runningOver);
    seen.overflowing.push(...found.map((what) => `${name}: ${what}`));
    seen.violations.push(...(await judged(page)).map((what) => `${name}: ${what}`));
  }

  return { page, seen, press, look, leave: () => browser.close() };
}

/** Notes what hosts are spoken to, and every error. */
function listen(page, seen) {
  const hosts = new Set();
  const note = (url) => {
    hosts.add(new URL(url).hostname);
    seen.hosts = [...hosts];
  };
  page.on("request", (request) => (note(request.url()), (seen.requests += 1)));
  page.on("websocket", (socket) => note(socket.url()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (line) => {
    const asksNone = /\/ticket(\?|$)/.test(line.location().url); // 404: no tickets are asked for here
    const broken = line.text().startsWith("WebSocket connection to"); // the broker was killed
    if (line.type() === "error" && !asksNone && !broken) seen.errors.push(line.text());
  });
}

/** In the page: what runs out of the screen or of its own box, and a panel whose end is out of sight though there is room. */
function runningOver() {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
  const texts = [...document.querySelectorAll("button:not(.card), .plate, .told, .over, h1, h2, p, label, dl, li, td, th, summary")];
  const cut = texts.filter((one) => !one.closest(".unseen") && one.scrollWidth > one.clientWidth + 1);
  const seen = [...document.querySelectorAll("button:not([data-dragged=true]), .plate, .told span, .over, .bar, .panel, .drawer")];
  const outside = seen.filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1);
  });
  const panels = [...document.querySelectorAll(".table:not(.past) .over")];
  const short = panels.filter((one) => one.scrollHeight > one.clientHeight + 1 && one.clientHeight < 0.75 * innerHeight);
  // What leads on from a panel is seen whole, and one pile does not lie upon the other.
  const onward = [...document.querySelectorAll(".over:is(.won, .lost-round, .reckoning, .end) .deed")];
  const hidden = onward.filter((one) => {
    const [own, panel] = [one, one.closest(".over")].map((each) => each.getBoundingClientRect());
    return own.top < panel.top || own.bottom > Math.min(panel.bottom, innerHeight) + 1;
  });
  const [stock, fire] = [...document.querySelectorAll(".pile")].map((one) => one.getBoundingClientRect());
  const upon = stock && stock.bottom > fire.top + 1 && stock.right > fire.left + 1 ? ["the stock and the fire"] : [];
  // At a desk all melds are seen at once.
  const melds = document.querySelector(".table:not(.past) .melds");
  const slid = melds && innerWidth >= 960 && melds.scrollHeight > melds.clientHeight + 1 ? ["melds"] : [];
  return [...wide, ...upon, ...slid, ...[...cut, ...outside, ...short, ...hidden].map((one) => `${one.className || one.tagName}: ${one.textContent.trim()}`)];
}

/** What axe-core finds that is serious. */
async function judged(page) {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return found.violations
    .filter(({ impact }) => GRAVE.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}

/** The broker is killed, and the table worker, by whoever started us. */
export async function breakDown({ page, seen, look }) {
  console.log("break");
  await page.locator(".lost:not([hidden])").waitFor();
  await look("lost");
  await page.locator(".lost").waitFor({ state: "hidden" });
  seen.broken = true;
}

/** Opens the page, in the wanted language: what it weighs and how long it took stands in `seen`. */
export async function atHome({ page, seen, press, look }, asked) {
  const began = Date.now();
  await page.goto(asked.url);
  await page.locator(".begin:enabled").waitFor();
  seen.ready = Date.now() - began;
  await page.evaluate(() => document.fonts.ready);
  // The rooms come after home: all of it, as it came over the wire.
  await page.waitForLoadState("networkidle");
  seen.bytes = await page.evaluate(() => performance.getEntries().reduce((sum, one) => sum + (one.encodedBodySize ?? 0), 0));
  seen.loaded = seen.requests;
  await press(page.locator(`.choice[lang=${asked.language}]`));
  await page.locator(`html[lang=${asked.language}]`).waitFor();
  if (asked.quick) await press(page.locator(".choice.pace"));
  await look("home");
}
