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

class Player {
  constructor(told) {
    this.told = told;
    this.have = 0; // the version of the snapshot
    this.heard = 0; // the highest that was heard of
    this.snapshot = null;
    this.waiting = null; // a command without an answer
    this.asked = null; // when, if the snapshot has not come
    [this.began, this.asks] = [Date.now(), 0];
    this.saw = {
      views: {}, heads: {}, said: [], accepted: [], refused: [], again: 0, drops: 0, returns: 0,
    };
  }

  get over() {
    return this.snapshot?.view?.phase === "match_over";
  }

  async play() {
    const { player, nats: servers, token, opening } = this.told;
    const always = { maxReconnectAttempts: -1, ignoreAuthErrorAbort: true };
    const soon = { reconnectTimeWait: 50, reconnectJitter: 50 };
    this.link = await wsconnect({ servers, token, ...always, ...soon });
    const feed = this.link.subscribe(`feed.${player}.*`);
    this.watch();
    if (opening) this.say(opening, null);
    this.ask();
    const alarm = setInterval(() => this.lookAgain(), TICK);
    for await (const message of feed) {
      this.hear(message.json());
      if (this.over) break;
    }
    clearInterval(alarm);
    await this.link.close();
    return this.saw;
  }

  async watch() {
    for await (const { type } of this.link.status()) {
      if (type === "disconnect") this.saw.drops++;
      if (type === "reconnect") this.returned();
    }
  }

  returned() {
    this.saw.returns++;
    this.askNow();
    this.sayAgain();
  }

  say(action, move) {
    const command = { id: random(), move, action };
    this.saw.said.push(command);
    this.waiting = { id: command.id, bytes: JSON.stringify(command) };
    this.publish();
  }

  sayAgain() {
    if (!this.waiting) return;
    this.saw.again++;
    this.publish();
  }

  publish() {
    this.waiting.said = Date.now();
    this.link.publish(`cmdin.${this.told.match}.${this.told.player}`, this.waiting.bytes);
  }

  ask() {
    const most = ASKS + ASKS_PER_MS * (Date.now() - this.began);
    if (this.asked === null && this.asks < most) this.askNow();
  }

  askNow() {
    this.asked = Date.now();
    this.asks++;
    this.link.publish(`ask.${this.told.match}.${this.told.player}`);
  }

  lookAgain() {
    const late = Date.now() - SAY_AGAIN;
    if (this.waiting && this.waiting.said < late) this.sayAgain();
    if (this.asked !== null && this.asked < late) this.askNow();
    else if (this.heard > this.have || this.have === 0) this.ask();
  }

  hear(news) {
    if (this.waiting && news.command === this.waiting.id) {
      (news.type === "event" ? this.saw.accepted : this.saw.refused).push(news);
      this.waiting = null;
    }
    if (news.type === "event") {
      const { version } = news.event;
      this.saw.heads[version] = news.head;
      this.heard = Math.max(this.heard, version);
    } else if (news.type === "refused") this.refused(news);
    else if (news.type === "snapshot") this.see(news);
    this.act();
  }

  refused({ command }) {
    if (command === null) this.asked = null;
    else {
      this.snapshot = null;
      this.ask();
    }
  }

  see(snapshot) {
    this.asked = null;
    if (snapshot.version < this.have) return;
    [this.have, this.snapshot] = [snapshot.version, snapshot];
    this.saw.views[this.have] = snapshot;
    this.saw.heads[this.have] = snapshot.head;
  }

  act() {
    if (this.heard > this.have) this.ask();
    else if (this.snapshot && !this.waiting) {
      const { view, move } = this.snapshot;
      const action = this.decide(this.snapshot);
      if (action) this.say(action, view === null ? null : move);
    }
  }

  decide({ view, sitting }) {
    const { seat, code, opening } = this.told;
    if (view !== null) return view.turn === seat ? choose(view) : null;
    const players = sitting.map((chair) => chair.player);
    if (players[seat] === null) return { type: "take_seat", seat, code };
    return opening && !players.includes(null) ? { type: "start_match" } : null;
  }
}

console.log(JSON.stringify(await new Player(JSON.parse(readFileSync(0))).play()));
