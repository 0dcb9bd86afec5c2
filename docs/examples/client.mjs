// A whole client: opens a match against the house and plays it, with moves that its view shows.
//
//     npm install @nats-io/nats-core    (node 22 or newer: older ones have no WebSocket)
//     curl -s -X POST ADDRESS/session | node client.mjs '{"game": "hokm"}'
import { readFileSync } from "node:fs";
import { wsconnect } from "@nats-io/nats-core"; // over websocket, in a browser too

/** A legal action for whoever is on turn: not a good one. */
function choose(view) {
  switch (view.phase) {
    case "choosing_trump":
      return { type: "choose_trump", suit: longest(view.hand.map((card) => card[1])) };
    case "playing":
      return { type: "play_card", card: view.playable[0] };
    case "draw":
      return { type: "draw", from: "stock" };
    default: // Hand: discard_first, act
      return { type: "discard", card: view.hand.at(-1) };
  }
}

const count = (suits, suit) => suits.filter((one) => one === suit).length;
const longest = (suits) => suits.reduce((a, b) => (count(suits, b) > count(suits, a) ? b : a));
const random = () => crypto.randomUUID().replaceAll("-", "");

async function play({ player, token, nats }, options) {
  const match = `m_${Date.now().toString(16).padStart(12, "0")}7${random().slice(13)}`; // UUIDv7
  const always = { maxReconnectAttempts: -1, ignoreAuthErrorAbort: true }; // connects again
  const link = await wsconnect({ servers: nats, token, ...always });
  const feed = link.subscribe(`feed.${player}.${match}`);
  let [have, waiting] = [0, null]; // waiting: the command without an answer
  const again = () => link.publish(`cmdin.${match}.${player}`, JSON.stringify(waiting));
  const ask = () => link.publish(`ask.${match}.${player}`);
  const say = (action, move = null) => ((waiting = { id: random(), move, action }), again());
  const house = (_, seat) => ({ seat, filled_by: "house", level: "black" });
  const seats = Array.from({ length: options.seats ?? 4 }, house);
  seats[0] = { seat: 0, filled_by: "owner" };
  say({ type: "open_match", options, seats });
  const silence = () => (waiting && again(), ask()); // the same bytes again; is there news?
  let alarm = setInterval(silence, 2000);
  for await (const message of feed) {
    alarm = (clearInterval(alarm), setInterval(silence, 2000));
    const heard = message.json();
    const answered = waiting && heard.command === waiting.id; // by its event, or a refusal
    if (answered) waiting = null;
    if (answered && heard.code && !have) throw new Error(`not opened: ${heard.code}`);
    if (heard.type === "event") ask(); // after a refusal not at once: after a silence
    else if (heard.type === "snapshot" && heard.version >= have && !waiting) {
      have = heard.version;
      const { view, move } = heard;
      if (heard.over) return clearInterval(alarm), await link.close(), view ?? {};
      if (view === null) say({ type: "start_match" }, move);
      else if (view.turn === view.seat) say(choose(view), move);
    }
  }
}

const [session, wanted] = [readFileSync(0), process.argv[2]].map((text) => JSON.parse(text));
const { winner, score, totals } = await play(session, wanted);
console.log(JSON.stringify({ winner, score, totals }));
