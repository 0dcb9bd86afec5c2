"""One who plays a match to its end over websocket, as "The whole client" of docs/clients.md says.

Started with its part as JSON on stdin; what it saw goes to stdout (`Saw` of table.py). The same in
JavaScript: player.mjs. In the game it chooses as the house's bots do, from its own view.
"""

import asyncio
import contextlib
import json
import sys
import time
import uuid
from typing import Any, Final

import msgspec
import nats
from msgspec import Struct
from nats.aio.client import Client

from schemas.views import BotTurn, View
from services.bot.policy import choose

SAY_AGAIN: Final = 2.0
"""Seconds without an answer after which the same is said, or asked, again."""
TICK: Final = 0.25
"""Seconds between two looks at what has no answer."""
ASKS: Final = 300
ASKS_PER_SECOND: Final = 4
"""Who has asked so often waits: 600 a minute are a flood."""


class Waiting(Struct):
    """A command without an answer, and when it was said last."""

    id: str
    data: bytes
    said: float


class Player:
    def __init__(self, told: dict[str, Any]) -> None:
        self.told, self.player, self.match = told, told["player"], told["match"]
        self.link = Client()
        self.feed: asyncio.Queue[Any] = asyncio.Queue()
        self.have, self.heard = 0, 0  # the version of the snapshot, and the highest heard of
        self.snapshot: dict[str, Any] | None = None
        self.waiting: Waiting | None = None
        self.asked: float | None = None  # when, if the snapshot has not come
        self.began, self.asks = time.monotonic(), 0
        self.over = False
        self.saw: dict[str, Any] = {
            "views": {},
            "heads": {},
            "said": [],
            "accepted": [],
            "refused": [],
            "again": 0,
            "drops": 0,
            "returns": 0,
        }

    async def play(self) -> dict[str, Any]:
        self.link = await nats.connect(
            self.told["nats"],
            token=self.told["token"],
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.05,
            disconnected_cb=self.dropped,
            reconnected_cb=self.returned,
            error_cb=self.failed,
        )
        await self.link.subscribe(f"feed.{self.player}.*", cb=self.feed.put)
        if self.told["opening"]:
            await self.say(self.told["opening"], None)
        await self.ask()
        while not self.over:
            with contextlib.suppress(TimeoutError):
                message = await asyncio.wait_for(self.feed.get(), TICK)
                await self.hear(json.loads(message.data))
            await self.look_again()
        await self.link.close()
        return self.saw

    async def failed(self, _error: Exception) -> None:
        """It is connected again whatever it was."""

    async def dropped(self) -> None:
        self.saw["drops"] += not self.over

    async def returned(self) -> None:
        """Begin with a snapshot; of what has no answer nobody knows whether it was heard."""
        self.saw["returns"] += 1
        await self.ask_now()
        await self.say_again()

    async def say(self, action: dict[str, Any], move: int | None) -> None:
        command: dict[str, Any] = {"id": uuid.uuid4().hex, "move": move, "action": action}
        self.saw["said"].append(command)
        self.waiting = Waiting(command["id"], json.dumps(command).encode(), 0.0)
        await self.publish(self.waiting)

    async def say_again(self) -> None:
        if self.waiting:
            self.saw["again"] += 1
            await self.publish(self.waiting)

    async def publish(self, waiting: Waiting) -> None:
        waiting.said = time.monotonic()
        await self.link.publish(f"cmdin.{self.match}.{self.player}", waiting.data)

    async def ask(self) -> None:
        """One at a time, and not too many."""
        if not self.asked and self.asks < ASKS + ASKS_PER_SECOND * (time.monotonic() - self.began):
            await self.ask_now()

    async def ask_now(self) -> None:
        self.asked = time.monotonic()
        self.asks += 1
        await self.link.publish(f"ask.{self.match}.{self.player}")

    async def look_again(self) -> None:
        now = time.monotonic()
        if self.waiting and now > self.waiting.said + SAY_AGAIN:
            await self.say_again()
        if self.asked and now > self.asked + SAY_AGAIN:
            await self.ask_now()
        elif self.heard > self.have or not self.have:
            await self.ask()

    async def hear(self, news: dict[str, Any]) -> None:
        if self.waiting and news.get("command") == self.waiting.id:
            self.saw["accepted" if news["type"] == "event" else "refused"].append(news)
            self.waiting = None
        if news["type"] == "event":
            version = news["event"]["version"]
            self.saw["heads"][version] = news["head"]
            self.heard = max(self.heard, version)
        elif news["type"] == "refused" and news["command"] is None:
            self.asked = None  # not opened yet: ask at the next look
        elif news["type"] == "refused":
            self.snapshot = None  # nothing is said on what led to a refusal
            await self.ask()
        elif news["type"] == "snapshot":
            self.see(news)
        await self.act()

    def see(self, snapshot: dict[str, Any]) -> None:
        """It replaces all that was known."""
        self.asked = None
        if snapshot["version"] < self.have:
            return
        self.have = snapshot["version"]
        self.saw["views"][self.have] = snapshot
        self.saw["heads"][self.have] = snapshot["head"]
        self.over = bool(snapshot["view"]) and snapshot["view"]["phase"] == "match_over"
        self.snapshot = snapshot

    async def act(self) -> None:
        """What the snapshot asks for, if it is the latest and nothing waits for an answer."""
        if self.heard > self.have:
            await self.ask()
        elif self.snapshot and not self.waiting and (action := self.decide(self.snapshot)):
            in_game = self.snapshot["view"] is not None
            await self.say(action, self.snapshot["move"] if in_game else None)

    def decide(self, snapshot: dict[str, Any]) -> Any:
        view, seat = snapshot["view"], self.told["seat"]
        if view is None:
            return self.in_the_lobby([chair["player"] for chair in snapshot["sitting"]])
        if view["turn"] != seat:
            return None
        turn = BotTurn(
            match=self.match,
            seat=seat,
            move=snapshot["move"],
            level="black",
            task="play",
            view=msgspec.convert(view, View),
        )
        return msgspec.to_builtins(choose(turn))

    def in_the_lobby(self, players: list[str | None]) -> dict[str, Any] | None:
        seat = self.told["seat"]
        if players[seat] is None:
            return {"type": "take_seat", "seat": seat, "code": self.told["code"]}
        ready = self.told["opening"] and None not in players
        return {"type": "start_match"} if ready else None


if __name__ == "__main__":
    json.dump(asyncio.run(Player(json.load(sys.stdin)).play()), sys.stdout)
