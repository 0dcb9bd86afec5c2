"""A player's client at one match: the whole client of the contract, and a record of what it heard.

Saying until answered, following and asking on a gap is `services.cli.client.MatchClient`; this
adds the view, from which the next move is chosen as a bot would.
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Final

from schemas.commands import Action, GameAction
from schemas.feed import Ask, Feed, Happened, Snapshot, decode_feed, encode_ask
from schemas.ids import MatchId, Move
from schemas.subjects import ask as ask_subject
from schemas.views import BotTurn
from services.bot.policy import choose
from services.cli.client import CommandRefused, MatchClient
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import Bus, Message
from tests.chaos.record import Answer, Record

ANSWER_WITHIN: Final = 240.0
"""Seconds that a command may go unanswered: longer than any fault lasts."""
LOOK_AGAIN: Final = 2.0
"""Seconds without a snapshot or news after which one is asked for again."""
BREATH: Final = 0.03
"""Seconds in which what happens at once is heard before the client looks."""


class Guest:
    """One player's connection: its feed, sorted by match."""

    def __init__(self, player: str) -> None:
        self.player = player
        self._bus: JetStreamBus
        self._seats: dict[MatchId, Seat] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def enter(self, bus: JetStreamBus) -> None:
        self._bus = bus
        await bus.subscribe(f"feed.{self.player}.*", self._hear)

    def sit(self, match: MatchId) -> "Seat":
        """A client at this match."""
        seat = self._seats[match] = Seat(self._bus, self.player, match)
        return seat

    async def leave(self) -> None:
        await self._bus.close()

    def _hear(self, message: Message) -> None:
        seat = self._seats.get(message.subject.split(".")[2])
        if seat is not None and seat.hear(message):
            self._soon(seat.client.ask())

    def _soon(self, asking: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(asking)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)


class Seat:
    """One player at one match."""

    def __init__(self, bus: Bus, player: str, match: MatchId) -> None:
        self._bus = bus
        self._news = asyncio.Event()
        self._snapshot: Snapshot | None = None
        self.client = MatchClient(bus, player, match)
        self.record = Record(match, player)

    @property
    def match(self) -> MatchId:
        return self.record.match

    def hear(self, message: Message) -> bool:
        """As the client's; everything is recorded."""
        feed: Feed = decode_feed(message.data)
        self.record.hear(feed)
        if isinstance(feed, Snapshot):
            self._snapshot = feed
        self._news.set()
        return self.client.hear(message)

    async def do(self, action: Action, *, move: Move | None = None) -> Happened:
        """Say it until it is answered; raises as the client's."""
        began = time.monotonic()
        happened = await self.client.do(action, within=ANSWER_WITHIN, move=move)
        now = time.monotonic()
        self.record.answers.append(Answer(at=now, seconds=now - began))
        assert happened.command is not None, "the answer to a command names it"
        self.record.said.append(happened.command)
        return happened

    async def look(self) -> Snapshot:
        """A snapshot that was made after this was called, or nearly so; asks until one comes."""
        self._snapshot = None
        while True:
            await self.client.ask()
            found = await self._next_snapshot()
            if found is not None:
                return found

    async def play(self) -> None:
        """Make the house's moves when it is this seat's turn, until the match is over."""
        while True:
            snapshot = await self.look()
            if snapshot.view is not None and snapshot.view.phase == "match_over":
                return
            if self.client.ended is not None:
                return
            self._news.clear()
            if not await self._move(snapshot):
                await self._wait()

    async def remember(self) -> None:
        """Ask for the history from the beginning: it must be what was told."""
        subject = ask_subject(self.match, self.record.player)
        data = encode_ask(Ask(what="history", since=0))
        await self._bus.publish([Message(subject=subject, data=data)])

    async def _move(self, snapshot: Snapshot) -> bool:
        """Move if it is our turn; what is refused has been overtaken, so look again."""
        action = move_of(snapshot)
        if action is None:
            return False
        try:
            await self.do(action, move=snapshot.move)
        except CommandRefused:
            return True
        return True

    async def _next_snapshot(self) -> Snapshot | None:
        loop = asyncio.get_running_loop()
        end = loop.time() + LOOK_AGAIN
        while self._snapshot is None and loop.time() < end:
            await self._wait(end - loop.time())
        return self._snapshot

    async def _wait(self, within: float = LOOK_AGAIN) -> None:
        try:
            async with asyncio.timeout(within):
                await self._news.wait()
        except TimeoutError:
            return
        self._news.clear()
        await asyncio.sleep(BREATH)


def move_of(snapshot: Snapshot) -> GameAction | None:
    """What a bot would do for the viewer, None if it is not his turn."""
    view = snapshot.view
    if view is None or view.seat is None or view.turn != view.seat:
        return None
    return choose(
        BotTurn(
            match=snapshot.match,
            seat=view.seat,
            move=snapshot.move,
            level="black",
            task="play",
            view=view,
        )
    )
