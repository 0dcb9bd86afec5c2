// How a person plays cards of Hokm at the page, by the simple means: what may be pressed is pressed.
const MAY = '.hand .card[data-may="true"]';
const NEXT = `${MAY}, .naming .suit, .over.end .deed, .over:not(.end) .deed, .back`;
/** Where a card is touched: its corner, for the rest may lie under the next one. */
export const CORNER = { position: { x: 12, y: 18 } };

/**
 * What somebody does there. `turn`: what is done at a turn of his, with its number from 0 on; true if
 * that was a card, so that the next turn has the next number.
 */
export function hokmHand({ page, seen, press, look }, turn = null) {
  seen.adrift = []; // after what the keyboard was nowhere

  /** Until the match is over, at each of my turns a card that may be played. */
  async function play() {
    for (let number = 0; ; ) {
      await page.locator(NEXT).first().waitFor();
      if (await page.locator(".over.end .deed").count()) return;
      if (await page.locator(".back").count()) await takeBack();
      else if (await page.locator(".naming .suit").count()) await name();
      else if (await page.locator(".over .deed").count()) await goOn();
      else if (await (turn ?? lay)(number)) number += 1;
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

  /** By its button, unless it has gone by itself meanwhile: it does not stay for ever. */
  async function goOn() {
    const over = page.locator(".over:not(.end, .naming)");
    await look((await page.locator(".drawn").count()) ? "drawn" : "round");
    await press(over.locator(".deed").first(), { timeout: 1_000 }).catch(() => null);
    await over.waitFor({ state: "detached" });
    await heldBy("panel");
  }

  /** The keyboard must be somewhere when a panel has gone. */
  async function heldBy(gone) {
    if (await page.evaluate(() => document.activeElement === document.body)) seen.adrift.push(gone);
  }

  /** The first card that may be played. */
  async function lay() {
    const chosen = page.locator(MAY).first();
    const which = await chosen.getAttribute("data-card");
    await press(chosen, CORNER);
    // Shown at once: no answer of the table can have come in the same breath.
    await page.locator(`.hand [data-card="${which}"]`).waitFor({ state: "detached" });
    return true;
  }
  return { play, lay };
}
