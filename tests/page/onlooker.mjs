// Somebody who looks at matches that were played without him, by their addresses: watches each again, with
// every hand open, and checks its deal.
//
//     node onlooker.mjs '{"url", "browser", "language", "width", "height", "keyboard", "shots", "matches": {"name": "m_…"}}'
//
// Says one JSON object.
import { visit } from "./eyes.mjs";

const asked = JSON.parse(process.argv[2]);
const person = await visit(asked);
const { page, seen, press, look } = person;
seen.matches = {};

/** @param {string} name @param {string} match */
async function lookAt(name, match) {
  const found = (seen.matches[name] = {});
  await page.goto(`${asked.url}#${match}/replay`);
  await page.locator(".past .ways").waitFor(); // home has ways too
  found.eyes = await page.locator(".jump.eyes option").evaluateAll((all) => all.map(({ value }) => value));
  await page.locator(".jump.round").selectOption("2");
  await page.locator(".jump.part").selectOption("7");
  await page.keyboard.press("ArrowLeft");
  found.told = await page.locator(".past .told").innerText();
  await look(`${name}-public`);
  if (await page.locator(".look").count()) {
    await press(page.locator(".look"));
    found.fire = await page.locator(".thrown li").count();
    await press(page.locator(".over .deed"));
    await page.locator(".over").waitFor({ state: "detached" });
  }
  await page.locator(".jump.eyes").selectOption("all");
  await page.locator(".fronts").first().waitFor();
  found.fronts = await page.locator(".fronts").count();
  await look(`${name}-open`);
  await page.locator(".jump.eyes").selectOption("1");
  await page.locator(".fronts").first().waitFor({ state: "detached" });
  await look(`${name}-seat`);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await look(`${name}-scored`);
  await page.goto("about:blank");
  await page.goto(`${asked.url}#${match}/check`);
  const verdict = page.locator(".verdict[data-verdict]");
  await verdict.waitFor();
  found.verdict = await verdict.getAttribute("data-verdict");
  await look(`${name}-check`);
  // Who did not come from another place of the page gets to the table.
  await press(page.locator(".bar .icon").first());
  await page.locator(".over.end").waitFor();
}

try {
  await page.goto(asked.url);
  await page.locator(".begin:enabled").waitFor();
  await press(page.locator(`.choice[lang=${asked.language}]`));
  await page.locator(`html[lang=${asked.language}]`).waitFor();
  for (const [name, match] of Object.entries(asked.matches)) await lookAt(name, match);
} catch (error) {
  await look("stuck");
  seen.stuck = String(error);
}
await person.leave();
console.log(JSON.stringify(seen));
