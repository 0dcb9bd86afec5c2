// Friends at the page, each in a browser of his own: one opens a table of Hokm and invites another by the
// link; a stranger with a wrong code is refused and looks on; both play to the end. Then a table of Hand.
//
//     node friends.mjs '{"url", "browser", "shots", "host", "guest", "stranger"}'
//
// Each of the three is `{"language", "width", "height", "keyboard", "called"}`. Says one JSON object.
import { atHome, visit } from "./eyes.mjs";
import { hokmHand } from "./hokm_hand.mjs";

const asked = JSON.parse(process.argv[2]);
const told = {};
const WRONG = "000000000000";

/** Somebody at home, with a name of his own. */
async function come(who) {
  const one = { ...asked, ...asked[who], who };
  const person = await visit(one);
  const found = { ...person, ...one, chair: (seat) => person.page.locator(`.chair[data-seat="${seat}"]`) };
  await atHome(person, one);
  if (one.called) await nameSelf(found);
  return found;
}

async function nameSelf({ page, press, called, seen }) {
  await page.locator("#my-name").fill(called);
  await press(page.locator(".naming-me .deed"));
  await page.locator(".naming-me .deed:enabled").waitFor();
  seen.named = await page.locator(".naming-me p").innerText();
}

/** What is to be sent to the friend. */
const linkOf = ({ page }) => page.locator(".link").inputValue();

async function openHokm({ page, press, look }) {
  await page.locator("input[name=game][value=hokm]").check();
  await page.locator("input[name=company][value=friend]").check();
  await page.locator("input[name=guests][value='1']").check();
  await page.locator("input[name=level][value=white]").check();
  await page.locator("input[name=target][value='1']").check();
  await look("home-friends");
  await press(page.locator(".begin"));
  await page.locator(".link").waitFor();
  await look("lobby");
}

/** He comes by an address, sees what is played, and sits down where he may. */
async function sitDown({ page, press, look, chair }, link, seat) {
  await page.goto(link);
  await chair(seat).and(page.locator(".vacant")).waitFor();
  await look("lobby-visitor");
  const rules = await page.locator(".table-rules li").allInnerTexts();
  await press(chair(seat));
  await page.locator(".get-up").waitFor();
  return rules;
}

async function getUp({ page, press, chair }, seat) {
  await press(page.locator(".get-up"));
  await chair(seat).and(page.locator(".vacant")).waitFor();
}

/** A code that opens nothing. */
async function tryWrong({ page, press, look, chair }, link, seat) {
  await page.goto(link.replace(/[^/]+$/, WRONG));
  await press(chair(seat));
  await page.locator(".told .no").waitFor();
  await look("wrong-code");
  return page.locator(".told .no").innerText();
}

const calledAt = async ({ page, chair }, seat, name) => {
  await chair(seat).filter({ hasText: name }).waitFor();
  return page.locator(`.chair[data-seat="${seat}"] b`).innerText();
};

/** One shows a sticker: what the other sees. */
async function sticker(from, to, where) {
  await from.press(from.page.locator(".saying-button"));
  await from.look("stickers");
  const bubble = to.page.locator(`${where} .bubble`);
  await from.press(from.page.locator(".saying[data-sticker=salam]"));
  await bubble.waitFor();
  const text = await bubble.innerText();
  await to.look("sticker");
  return text;
}

/** A page that was loaded again still knows the way to the table. */
async function reload(host) {
  const before = await linkOf(host);
  await host.page.reload();
  await host.page.locator(".link").waitFor();
  return before === (await linkOf(host));
}

/** Both to the end, at once. */
async function playOut(...players) {
  await Promise.all(players.map((one) => hokmHand(one).play()));
  for (const one of players) {
    await one.look("end");
    one.seen.end = await one.page.locator(".over.end h2").innerText();
  }
}

/** Who has no seat sees the table, and no cards of anybody's. */
async function lookOn({ page, look, seen }) {
  await page.locator(".watching").waitFor();
  await page.locator(".felt .plate").nth(3).waitFor();
  await look("watching");
  seen.watched = { plates: await page.locator(".felt .plate").count(), cards: await page.locator(".hand").count() };
}

async function hokm(host, guest, stranger) {
  await openHokm(host);
  const link = await linkOf(host);
  told.startsAlone = await host.page.locator(".start").isEnabled();
  told.refused = await tryWrong(stranger, link, 2);
  told.rules = await sitDown(guest, link, 2);
  await getUp(guest, 2);
  await sitDown(guest, link, 2);
  told.guest = await calledAt(host, 2, guest.called);
  told.host = await calledAt(guest, 0, host.called);
  told.sticker = await sticker(host, guest, ".chair[data-seat='0']");
  told.kept = await reload(host);
  await guest.look("lobby-seated");
  await host.look("lobby-full");
  await host.press(host.page.locator(".start"));
  await host.page.locator(".felt .at-2").filter({ hasText: guest.called }).waitFor();
  await lookOn(stranger);
  await playOut(host, guest);
}

/** The friend leaves the next match for good: the house plays on for him, and he may come back there. */
async function part(host, guest) {
  await again(host, guest);
  await host.press(host.page.locator(".begin"));
  const link = await linkOf(host);
  await sitDown(guest, link, 2);
  await host.press(host.page.locator(".start"));
  await guest.page.locator(".mine .plate").waitFor();
  await guest.press(guest.page.locator(".icon[aria-expanded]"));
  await guest.press(guest.page.locator(".leave"));
  await guest.look("leaving");
  await guest.press(guest.page.locator(".leave-now"));
  await guest.page.locator(".begin").waitFor();
  await host.page.locator(".felt .at-2 .mask[data-level=chrome]").waitFor();
  await host.look("house-plays");
  await guest.page.goto(link);
  await guest.press(guest.page.locator(".watching .sit"));
  await guest.page.locator(".mine .plate").waitFor();
  await host.page.locator(".felt .at-2").filter({ hasText: guest.called }).waitFor();
  told.cameBack = true;
}

/** Home from the match that is over, or that goes on. */
async function again(...players) {
  for (const { page, press } of players) {
    await press(page.locator(".icon").first());
    await page.locator(".begin:enabled").waitFor();
  }
}

/** A table of Hand for two, as far as the first turn. */
async function hand(host, guest) {
  await again(host, guest);
  await host.page.locator("input[name=game][value=hand]").check();
  await host.page.locator("input[name=variant][value=classic]").check();
  await host.page.locator("input[name=seats][value='2']").check();
  await host.look("home-hand");
  await host.press(host.page.locator(".begin"));
  await host.page.locator(".link").waitFor();
  told.handRules = await sitDown(guest, await linkOf(host), 1);
  await host.look("lobby-hand");
  await host.press(host.page.locator(".start"));
  for (const [one, other] of [[host, guest], [guest, host]]) {
    await one.page.locator(".hand .card").first().waitFor();
    await one.page.locator(".felt .plate").filter({ hasText: other.called }).waitFor();
  }
  await Promise.any([host, guest].map(({ page }) => page.locator('.mine[data-turn="true"]').waitFor()));
  told.handTurns = (await Promise.all([host, guest].map(({ page }) => page.locator('.mine[data-turn="true"]').count()))).sort();
  await host.look("hand-first-turn");
}

const persons = {};
try {
  for (const who of ["host", "guest", "stranger"]) persons[who] = await come(who);
  const { host, guest, stranger } = persons;
  await hokm(host, guest, stranger);
  await part(host, guest);
  await hand(host, guest);
} catch (error) {
  told.stuck = error.stack;
  for (const one of Object.values(persons)) await one.look(`stuck-${one.who}`);
}
for (const { who, seen, leave } of Object.values(persons)) {
  told.seen = { ...told.seen, [who]: seen };
  await leave();
}
console.log(JSON.stringify(told));
