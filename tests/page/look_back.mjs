// What a person does after a match: watches it again, checks its deal, and on the way back is where
// they came from. Persons of each game do it.

/** In the middle of a match: what can be told of its deal so far; then back to the table. */
export async function checkSoFar({ page, seen, press, look }) {
  await press(page.locator(".icon[aria-expanded]"));
  await press(page.locator(".drawer .to-check"));
  const verdict = page.locator(".verdict[data-verdict]");
  await verdict.waitFor();
  seen.checked = await verdict.getAttribute("data-verdict");
  await look("check-so-far");
  await press(page.locator(".bar .icon").first());
  await page.locator(".mine .line").waitFor();
}

/** After it: from the table's last panel, and back to it. */
export async function lookBack(person, asked) {
  await watchAgain(person);
  await check(person, asked);
}

/** The number that stands there, in digits of any of the page's languages; null if none does. */
const numberIn = ([text]) =>
  text === undefined ? null : Number(text.replace(/\p{Nd}/gu, (digit) => digit.codePointAt(0) % 16));

async function watchAgain({ page, seen, press, look }) {
  const [slider, told] = [page.locator(".time input"), page.locator(".past .told")];
  const at = async () => Number(await slider.inputValue());
  const past = (seen.past = { moments: [], fronts: 0 });
  const note = async (what) => past.moments.push([what, await at(), (await told.innerText()).trim()]);
  await press(page.locator(".to-replay"));
  await page.locator(".past .ways").waitFor();
  await note("begins");
  await slider.click();
  await note("middle");
  await page.keyboard.press("ArrowRight");
  await note("on");
  await press(page.locator(".time .step").first());
  await note("back");
  await page.locator(".jump.part").selectOption("3");
  await note("third");
  await look("replay");
  await page.locator(".jump.eyes").selectOption("all");
  await page.locator(".fronts").first().waitFor();
  past.fronts = await page.locator(".fronts").count();
  await look("replay-open");
  await page.locator(".jump.eyes").selectOption("1");
  await page.locator(".fronts").first().waitFor({ state: "detached" });
  past.fan = await page.locator(".fan .card").count();
  past.held = numberIn(await page.locator(".mine .held b").allInnerTexts());
  await look("replay-seat");
  await page.locator(".jump.eyes").selectOption("public");
  await page.locator(".fan").waitFor({ state: "detached" });
  await press(page.locator(".time .play"));
  await page.waitForFunction((was) => Number(document.querySelector(".time input").value) > was + 1, await at());
  await page.keyboard.press("End");
  await note("ends");
  past.last = Number(await slider.getAttribute("max"));
  await look("replay-end");
  await press(page.locator(".bar .icon").first());
  await page.locator(".over.end").waitFor();
}

async function check({ page, seen, press, look }, { shots, language, width }) {
  await press(page.locator(".to-check"));
  const verdict = page.locator(".verdict[data-verdict]");
  await verdict.waitFor();
  await look("check");
  const shut = page.locator(".group:not([open]) > summary");
  while (await shut.count()) await press(shut.first());
  const steps = await page.locator(".group li[data-step]").evaluateAll((all) => all.map(({ dataset }) => [dataset.step, dataset.ok]));
  const file = `${shots}/${language}-${width}-checked.jsonl`;
  const [download] = await Promise.all([page.waitForEvent("download"), press(page.locator(".download .deed"))]);
  await download.saveAs(file);
  await look("check-steps");
  seen.check = { verdict: await verdict.getAttribute("data-verdict"), steps, file };
  await press(page.locator(".bar .icon").first());
  await page.locator(".over.end").waitFor();
}
