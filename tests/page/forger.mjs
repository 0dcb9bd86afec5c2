// A page that was tampered with, beside an honest one: what can it hear and do of another's seat?
//
//     node forger.mjs '{"url", "browser"}'
//
// Says one JSON object: what the honest player holds, all that the forger was told, what stopped him.
import { chromium } from "playwright-core";

const asked = JSON.parse(process.argv[2]);
const WITHIN = 40_000;
const MAY = '.hand .card[data-may="true"]';
const browser = await chromium.launch({ executablePath: asked.browser, args: ["--no-sandbox"] });

/** A browser of his own, at home. */
async function visit() {
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  page.setDefaultTimeout(WITHIN);
  await page.goto(asked.url);
  await page.locator(".begin:enabled").waitFor();
  return page;
}

/** The session of whoever's browser it is. */
const sessionOf = (page) =>
  page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem("waraq.session")}`;
    return (await fetch("/session", { method: "POST", headers: { authorization } })).json();
  });

/** Sits down and waits for his turn: his match, and what he holds. */
async function sitDown(page) {
  await page.locator(".begin").click();
  await page.locator(`${MAY}, .naming .suit`).first().waitFor();
  if (await page.locator(".naming .suit").count()) await page.locator(".naming .suit").first().click();
  await page.locator(MAY).first().waitFor();
  const cards = await page.locator(".hand .card").evaluateAll((all) => all.map((one) => one.dataset.card));
  return { match: new URL(page.url()).hash.slice(1), cards };
}

/** What runs in the forger's page, with the page's own library and his own token. */
async function forge({ mine, theirs, match }) {
  const { wsconnect } = await import("/static/vendor/nats-core.js");
  const link = await wsconnect({ servers: mine.nats, token: mine.token, inboxPrefix: `_INBOX_${mine.player}` });
  const [told, stopped] = [[], []];
  window.forged = { told, stopped };
  (async () => {
    for await (const { type, error } of link.status()) if (type === "error") stopped.push(String(error));
  })();
  const hear = (subject) => {
    const heard = link.subscribe(subject, { callback: (error, message) =>
      error ? stopped.push(String(error)) : told.push({ subject: message.subject, said: message.json() }) });
    return heard;
  };
  [`feed.${mine.player}.*`, `feed.${theirs.player}.*`, `feed.*.${match}`, "feed.>", ">", "_INBOX.>"].forEach(hear);
  const say = (subject, what) => link.publish(subject, JSON.stringify(what));
  say(`ask.${match}.${theirs.player}`, { what: "snapshot" });
  say(`cmdin.${match}.${theirs.player}`, { id: "forged-by-another-page", action: { type: "leave_seat" } });
  say(`feed.${theirs.player}.${match}`, { type: "refused" });
  say(`cmdin.${match}.${mine.player}`, { id: "forged-as-the-forger", action: { type: "leave_seat" } });
  for (const what of ["snapshot", "history", "advice"]) say(`ask.${match}.${mine.player}`, { what });
  await link.flush();
}

/** What the policy must stop: programs and styles written into the page, and other hosts. */
async function inject() {
  const script = document.createElement("script");
  const tried = {};
  const attempt = (name, act) => {
    try {
      act();
      tried[name] = "done";
    } catch (error) {
      tried[name] = error.name;
    }
  };
  attempt("text of a script", () => (script.text = "window.ran = true"));
  attempt("inner html", () => (document.body.innerHTML = "<b>x</b>"));
  attempt("eval", () => window.setTimeout("window.ran = true"));
  tried.elsewhere = await fetch("http://localhost:9/").then(() => "done", (error) => error.name);
  tried.ran = window.ran ?? false;
  return tried;
}

const [honest, forger] = [await visit(), await visit()];
const held = await sitDown(honest);
const [theirs, mine] = [await sessionOf(honest), await sessionOf(forger)];
await forger.evaluate(forge, { mine, theirs, match: held.match });
await honest.locator(MAY).first().click({ position: { x: 12, y: 18 } });
await honest.locator(MAY).first().waitFor();
await forger.waitForFunction(() => window.forged.told.some(({ said }) => said.type === "history"));
const { told, stopped } = await forger.evaluate(() => window.forged);
const tried = await forger.evaluate(inject);
const still = await honest.locator(".hand .card").count();
await browser.close();
console.log(JSON.stringify({ held, forger: mine.player, told, stopped, tried, still }));
