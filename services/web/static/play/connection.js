/**
 * The one connection to the broker: our feeds heard, commands and asks said. It connects again for
 * ever; what was missed meanwhile, and what was said to nobody, is healed by whoever uses it.
 *
 * @typedef {import("../../../../docs/schema/waraq.js").Feed} Feed
 * @typedef {import("./door.js").Session} Session
 * @typedef {{say: (match: string, bytes: string) => void,
 *   ask: (match: string, what?: "snapshot" | "advice" | "history" | "sticker", since?: number,
 *     sticker?: string | null) => void}} Link
 *   `since`: the history from the version after it
 */
import { wsconnect } from "../vendor/nats-core.js";
import { safely } from "./safely.js";

const OPTIONS = {
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
  waitOnFirstConnect: true,
  reconnectTimeWait: 700,
  reconnectJitter: 300,
  pingInterval: 10_000,
  maxPingOut: 2,
};

/** What the broker says of a token that it does not take (any more). */
const NO_TOKEN = ["AuthorizationError", "UserAuthenticationExpiredError"];

/** @param {Session} session each time that it connects the token that it has then is said
 * @param {(message: Feed) => void} hear
 * @param {(up: boolean) => void} told that it was lost, or is there again
 * @param {() => void} refused the token was
 * @returns {Promise<Link>} */
export async function connect(session, hear, told, refused) {
  const { nats, player } = session;
  const authenticator = () => ({ auth_token: session.token });
  const options = { ...OPTIONS, servers: nats, authenticator, inboxPrefix: `_INBOX_${player}` };
  const link = await wsconnect(options);
  listen(link.subscribe(`feed.${player}.*`), hear);
  watch(link.status(), told, refused);
  return {
    say: (match, bytes) => link.publish(`cmdin.${match}.${player}`, bytes),
    ask: (match, what = "snapshot", since = 0, sticker = null) =>
      link.publish(`ask.${match}.${player}`, JSON.stringify({ what, since, sticker })),
  };
}

/** One message that fails stops no other. @param {AsyncIterable<{json: () => any}>} feed
 * @param {(message: Feed) => void} hear */
export async function listen(feed, hear) {
  const take = safely(hear);
  for await (const message of feed) {
    const said = read(message);
    if (said) take(said);
  }
}

/** What is no JSON is passed over. @param {{json: () => any}} message @returns {Feed | null} */
function read(message) {
  try {
    return message.json();
  } catch {
    return null;
  }
}

/** @param {AsyncIterable<{type: string, error?: Error}>} status @param {(up: boolean) => void} told
 * @param {() => void} refused */
export async function watch(status, told, refused) {
  for await (const { type, error } of status) {
    if (type === "error" && NO_TOKEN.includes(error?.name ?? "")) refused();
    if (type === "disconnect") told(false);
    if (type === "reconnect") told(true);
  }
}
