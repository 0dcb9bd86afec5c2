// A person who looks at every list, at a page that cannot be opened, and at the classic cards.
//
//     node lists.mjs '{"url", "browser", "language", "width", "height", "keyboard", "shots", "token", "player", "running", "hand", "failing", "cards"}'
//
// Says one JSON object. `token`, `player`: who it is. `running`, `hand`: matches of Hokm and Hand that wait for them.
// `failing`: what cannot be had is looked at too: words, a session, a list. `cards`: the classic cards are, first.
import { atHome, visit } from "./eyes.mjs";

const asked = JSON.parse(process.argv[2]);
const person = await visit(asked);
const { page, seen, press, look } = person;
const way = (room) => page.locator(`.ways a[href="#${room}"]`);
const line = page.locator(".line-of");

/** Goes there from home, looks, does more there, and comes back. */
async function there(room, name, does = async () => null) {
  await press(way(room));
  await page.locator(".list h1").waitFor();
  await does();
  await look(name);
  await press(page.locator(".list-head .icon"));
  await page.locator(".home").waitFor();
}

async function tables() {
  await line.first().waitFor();
  seen.tables = [await line.count()];
  await press(page.locator(".list > .deed"));
  await line.nth(seen.tables[0]).waitFor();
  seen.tables.push(await line.count());
  seen.leads = await line.first().getAttribute("href");
}

async function standings() {
  await page.locator(".sheet tbody.apart").waitFor();
  seen.mine = await page.locator(".sheet [aria-current=true] .you").count();
  await press(page.locator(".terms summary"));
  await look("standings-terms");
  await press(page.locator(".sheet .player").last());
  await page.locator(".list .score").waitFor();
  seen.records = await page.locator(".sheet tbody tr").count();
  await look("player");
  seen.name = await page.locator(".list h1 bdi").innerText();
  await press(page.locator(".list .ways a"));
  await page.locator(".sheet tbody.apart").waitFor();
}

async function matches() {
  await line.nth(4).waitFor();
  seen.states = await page.locator(".state").evaluateAll((all) => all.map((one) => one.dataset.state));
  seen.links = await page.locator(".links a").evaluateAll((all) => all.map((one) => one.getAttribute("href").replace(/m_\w+/, "m")));
}

/** A table with the classic cards, in two colours and in four. */
async function classic() {
  await press(page.locator(".choice.cards"));
  await page.locator(".spread img").first().waitFor();
  await look("home-classic");
  await atTable(asked.hand, "hand-classic");
  await atTable(asked.running, "table-classic");
  seen.light = await page.locator("svg.front").count();
  await press(page.locator(".icon[aria-expanded]"));
  await press(page.locator(".choice.colours"));
  seen.four = await page.locator(".hand img").evaluateAll((all) => all.map((one) => [one.closest("[data-card]").dataset.card[1], new URL(one.src).hash]));
  await look("table-classic-four");
  await page.keyboard.press("Escape");
  await page.locator(".drawer").waitFor({ state: "detached" });
  seen.back = await page.evaluate(() => document.activeElement.getAttribute("aria-expanded"));
  await press(page.locator(".bar .icon").first());
  await page.locator(".home").waitFor();
}

async function atTable(match, name) {
  await page.goto(`${asked.url}#${match}`);
  await page.locator(".mine .card img").first().waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".front img")].every((one) => one.complete && one.naturalWidth));
  await look(name);
}

/** What the browser itself says of answers that the test has made up is no error of the page's. */
async function failing(where, answer, does) {
  const before = seen.errors.length;
  await page.route(where, answer);
  await does();
  seen.errors.length = before;
}

/** The page's words cannot be loaded: it is said in every language, and tried again when that is wanted. */
async function awayFromWords() {
  await failing("**/static/words/*", (route) => route.abort(), async () => {
    await page.goto("about:blank");
    await page.goto(asked.url);
    await page.locator(".away .deed").waitFor();
    seen.away = await page.locator(".away p").evaluateAll((all) => all.map((one) => one.lang));
    await look("away");
    await page.unroute("**/static/words/*");
    await press(page.locator(".away .deed"));
    await page.locator(".begin:enabled").waitFor();
  });
}

/** There are too many sessions now: it waits as long as it is told, or until somebody presses. */
async function noSession() {
  const many = { status: 429, headers: { "retry-after": "41" }, json: { error: "too_many", text: "" } };
  await failing("**/session", (route) => route.fulfill(many), async () => {
    await page.goto("about:blank");
    await page.goto(asked.url);
    await page.locator(".lost button").waitFor();
    seen.shut = await page.locator(".lost").innerText();
    await look("shut");
    await page.unroute("**/session");
    await press(page.locator(".lost button"));
    await page.locator(".begin:enabled").waitFor();
  });
}

/** A list cannot be read, and then it is empty. */
async function badList(room, name, nothing) {
  const busy = { status: 503, headers: { "retry-after": "30" }, json: { error: "busy", text: "" } };
  await failing(`**/${room}?*`, (route) => route.fulfill(busy), () =>
    there(room, `${name}-empty`, async () => {
      await page.locator(".failed .deed").waitFor();
      await look(`${name}-failed`);
      await page.unroute(`**/${room}?*`);
      await page.route(`**/${room}?*`, (route) => route.fulfill({ json: nothing }));
      await press(page.locator(".failed .deed"));
      await page.locator(".list .note").first().waitFor();
    }));
  await page.unroute(`**/${room}?*`);
}

try {
  await page.addInitScript((token) => location.protocol === "http:" && localStorage.setItem("waraq.session", token), asked.token);
  await atHome(person, asked);
  seen.free = await page.locator(".note.left").innerText();
  if (asked.cards) await classic();
  await there("tables", "tables", tables);
  await there("standings", "standings", standings);
  await there("matches", "matches", matches);
  if (asked.failing) {
    await awayFromWords();
    await noSession();
    await badList("tables", "tables", { tables: [], more: false });
    await badList("standings", "standings", { standings: [], more: false });
    await badList("matches", "matches", { matches: [], more: false });
  }
} catch (error) {
  await look("stuck");
  seen.stuck = String(error);
}
await person.leave();
console.log(JSON.stringify(seen));
