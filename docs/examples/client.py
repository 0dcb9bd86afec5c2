"""A whole client: opens a match against the house and plays it, with moves that its view shows.

curl -s -X POST ADDRESS/session | python client.py '{"game": "hokm"}'
"""

import asyncio
import json
import sys
import time
import uuid

import nats  # pip install "nats-py[aiohttp]": a session's address is a ws:// one


def choose(view):
    """A legal action for whoever is on turn: not a good one."""
    if view["phase"] == "choosing_trump":
        suits = [card[1] for card in view["hand"]]
        return {"type": "choose_trump", "suit": max(suits, key=suits.count)}
    if view["phase"] == "playing":
        return {"type": "play_card", "card": view["playable"][0]}
    throw = {"type": "discard", "card": view["hand"][-1]}  # Hand: discard_first, act
    return {"type": "draw", "from": "stock"} if view["phase"] == "draw" else throw


async def play(player, token, address, options):
    match = f"m_{time.time_ns() // 1_000_000:012x}7{uuid.uuid4().hex[13:]}"  # a UUIDv7
    feed, have, move = asyncio.Queue(), 0, None
    seats = [{"seat": 0, "filled_by": "owner"}, *MASKS[: options.get("seats", 4) - 1]]
    action, command = {"type": "open_match", "options": options, "seats": seats}, None
    async with await nats.connect(address, token=token, max_reconnect_attempts=-1) as link:
        await link.subscribe(f"feed.{player}.{match}", cb=feed.put)
        while True:
            if action:  # what was decided; `command` is the one without an answer
                command, action = {"id": uuid.uuid4().hex, "move": move, "action": action}, None
                await link.publish(f"cmdin.{match}.{player}", json.dumps(command).encode())
            try:
                heard = json.loads((await asyncio.wait_for(feed.get(), 2)).data)
            except TimeoutError:
                heard = {"type": "silence"}
                if command:  # the same bytes again
                    await link.publish(f"cmdin.{match}.{player}", json.dumps(command).encode())
            if command and heard.get("command") == command["id"]:
                command = None  # answered, by its event or by a refusal
                if "code" in heard and not have:
                    sys.exit(f"not opened: {heard['code']}")
            if heard["type"] in ("event", "silence"):  # after a refusal not at once
                await link.publish(f"ask.{match}.{player}")
            elif heard["type"] == "snapshot" and heard["version"] >= have and not command:
                have, move, view = heard["version"], heard["move"], heard["view"]
                if "over" in heard:
                    return view or {}  # none if it was abandoned before the first deal
                mine = not view or view["turn"] == view["seat"]
                action = mine and (choose(view) if view else {"type": "start_match"})


MASKS = [{"seat": n, "filled_by": "house", "level": "black"} for n in (1, 2, 3)]
session, wanted = json.load(sys.stdin), json.loads(sys.argv[1])
ended = asyncio.run(play(session["player"], session["token"], session["nats"], wanted))
print(json.dumps({key: ended.get(key) for key in ("winner", "score", "totals")}))
