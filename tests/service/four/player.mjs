// One who plays a match to its end over websocket, as docs/clients.md says under "The whole client".
//
// Started with its part as one JSON line on stdin; writes what it saw on stdout. The same in Python,
// with the reasons: player.py. It plays worse: sets without a joker, and the last card thrown.
import { readFileSync } from "node:fs";
import { wsconnect } from "@nats-io/nats-core";

const SAY_AGAIN = 2000; // ms without an answer after which the same is said, or asked, again
const TICK = 250; // ms between two looks at what has no answer
const [ASKS, ASKS_PER_MS] = [300, 0.004]; // who has asked so often waits
const WORTH = { A: 11, K: 10, Q: 10, J: 10, T: 10 };

const random = () => crypto.randomUUID().replaceAll("-", "");
const count = (suits, suit) => suits.filter((one) => one === suit).length;
const longest = (suits) => suits.reduce((a, b) => (count(suits, b) > count(suits, a) ? b : a));

/** Three or four cards of one rank and of different suits, as often as the hand has them. */
function sets(hand) {
  const found = [];
  for (const rank of "23456789TJQKA") {
    const suits = new Map();
    for (const card of hand) if (card[0] === rank) suits.set(card[1], card);
    if (suits.size >= 3) found.push([...suits.values()]);
  }
  return found.slice(0, 5);
}

const worth = (melds) =>
  melds.flat().reduce((sum, card) => sum + (WORTH[card[0]] ?? Number(card[0])), 0);

function choose(view) {
  if (view.phase === "choosing_trump")
    return { type: "choose_trump", suit: longest(view.hand.map((card) => card[1])) };
  if (view.phase === "playing") return { type: "play_card", card: view.playable[0] };
  if (view.phase === "draw") return { type: "draw", from: "stock" };
  const melds = view.phase === "act" ? sets(view.hand) : [];
  if (melds.length > 0 && (view.opened[view.seat] || worth(melds) >= view.bar))
    return { type: "lay_melds", melds };
  return { type: "discard", card: view.hand.at(-1) };
}

async function play({ player, token, nats, match, seat, code, opening }) {
  const saw = {
    views: {}, heads: {}, said: [], accepted: [], refused: [], again: 0, drops: 0, returns: 0,
  };
  const link = await wsconnect({
    servers: nats, token, maxReconnectAttempts: -1, ignoreAuthErrorAbort: true,
    reconnectTimeWait: 50, reconnectJitter: 50,
  });
  const [began, feed] = [Date.now(), link.subscribe(`feed.${player}.*`)];
  let [have, heard, asks] = [0, 0, 0]; // the snapshot's version, the highest heard of
  let [waiting, asked] = [null, null]; // a command without an answer; since when no snapshot came
  let latest = null; // the snapshot to act on

  const publish = () => {
    waiting.since = Date.now();
    link.publish(`cmdin.${match}.${player}`, waiting.bytes);
  };
  const say = (action, move) => {
    const command = { id: random(), move, action };
    waiting = { id: command.id, bytes: JSON.stringify(command) };
    saw.said.push(command);
    publish();
  };
  const sayAgain = () => waiting && (saw.again++, publish());
  const askNow = () => {
    [asked, asks] = [Date.now(), asks + 1];
    link.publish(`ask.${match}.${player}`);
  };
  const ask = () => {
    if (asked === null && asks < ASKS + ASKS_PER_MS * (Date.now() - began)) askNow();
  };
  const lookAgain = () => {
    const late = Date.now() - SAY_AGAIN;
    if (waiting && waiting.since < late) sayAgain();
    if (asked !== null && asked < late) askNow();
    else if (heard > have || have === 0) ask();
  };

  const inTheLobby = (players) => {
    if (players[seat] === null) return { type: "take_seat", seat, code };
    return opening && !players.includes(null) ? { type: "start_match" } : null;
  };
  const decide = ({ view, sitting }) => {
    if (view === null) return inTheLobby(sitting.map((chair) => chair.player));
    return view.turn === seat ? choose(view) : null;
  };
  /** A snapshot replaces all that was known. */
  const see = (snapshot) => {
    asked = null;
    if (snapshot.version < have) return;
    [have, latest] = [snapshot.version, snapshot];
    [saw.views[have], saw.heads[have]] = [snapshot, snapshot.head];
  };
  const act = () => {
    const action = heard > have || waiting || !latest ? null : decide(latest);
    if (heard > have) ask();
    else if (action) say(action, latest.view === null ? null : latest.move);
  };
  const hear = (news) => {
    if (waiting && news.command === waiting.id) {
      (news.type === "event" ? saw.accepted : saw.refused).push(news);
      waiting = null;
    }
    if (news.type === "event") {
      saw.heads[news.event.version] = news.head;
      heard = Math.max(heard, news.event.version);
    } else if (news.type === "refused" && news.command === null) asked = null;
    else if (news.type === "refused") (latest = null), ask();
    else if (news.type === "snapshot") see(news);
    act();
    return latest?.view?.phase === "match_over";
  };
  const follow = async () => {
    for await (const { type } of link.status()) {
      if (type === "disconnect") saw.drops++;
      if (type !== "reconnect") continue;
      saw.returns++;
      askNow();
      sayAgain();
    }
  };

  follow();
  if (opening) say(opening, null);
  ask();
  const alarm = setInterval(lookAgain, TICK);
  for await (const message of feed) if (hear(message.json())) break;
  clearInterval(alarm);
  await link.close();
  return saw;
}

console.log(JSON.stringify(await play(JSON.parse(readFileSync(0)))));
