// What waraq.d.ts is for: kinds are told apart by `type` and `game`, and a mistake is one.
import type { Command, Event, Feed, HandView, HokmView, Refusal, View } from "./waraq";

export function version(message: Feed): number | null {
  switch (message.type) {
    case "event":
      return message.event.version;
    case "snapshot":
      return message.version;
    case "history":
      return message.events.length;
    case "refused":
    case "advice":
    case "sticker":
      return null;
  }
}

export function playable(view: View): readonly string[] {
  return view.game === "hokm" ? view.playable : view.hand;
}

export function taker({ body }: Event): number | null {
  return body.type === "trick_taken" ? body.by : null;
}

export const polite: Command = { id: "0123456789abcdef", action: { type: "start_match" } };
export const score: readonly [number, number] = ({} as HokmView).score;
export const melds: readonly (readonly string[])[] = ({} as HandView).melds.map((m) => m.cards);
export const no: Refusal = "must_follow_suit";

// @ts-expect-error There is no such pile.
export const pile: Command = { id: "0123456789abcdef", action: { type: "draw", from: "pile" } };
// @ts-expect-error A command has no such field.
export const more: Command = { id: "0123456789abcdef", why: 1, action: { type: "start_match" } };
// @ts-expect-error A card needs its card.
export const less: Command = { id: "0123456789abcdef", action: { type: "play_card" } };
// @ts-expect-error Only Hokm has a trump.
export const trump = ({} as HandView).trump;
// @ts-expect-error What is heard is not to be written to.
({} as HokmView).hand.push("AS");
// @ts-expect-error No such code.
export const maybe: Refusal = "maybe";
