"""One with the same session who never drops, and asks for nothing once the match has begun.

It folds what it is told, by the rules and with what it knows (services/cli/join/following.py): so
its views are made of events and of nothing that the one who drops has asked for.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec

from schemas import subjects
from schemas.events import MatchOpened, SeatTaken
from schemas.feed import Ask, Happened, History, Snapshot, decode_feed, encode_ask
from services.cli.join.following import Followed, after, from_snapshot, seat_in
from services.messaging.jetstream import connect
from services.messaging.port import Bus, Message
from services.rules import seats, sight
from services.runtime.tasks import end

ASK_EVERY: Final = 0.25
"""Seconds between two asks, until one is answered."""


class Steady:
    """What it saw, by version: views as a snapshot would show them, and heads. `jumps` are versions
    at which only a snapshot could help: its own sitting down, and whatever it was not told.
    """

    def __init__(self, bus: Bus, player: str, match: str) -> None:
        self._bus = bus
        self._player = player
        self._match = match
        self._opened: MatchOpened | None = None
        self._have: Followed | None = None
        self._gap = True
        self.jumps: list[int] = []
        self.views: dict[int, dict[str, Any]] = {}
        self.heads: dict[int, str] = {}

    @property
    def over(self) -> bool:
        return self._have is not None and self._have.state is not None and self._have.state.over

    async def follow(self) -> None:
        """Until it is cancelled."""
        await self._bus.subscribe(subjects.feed(self._player, self._match), self._hear)
        while True:
            if self._opened is None:
                await self._ask(Ask(what="history"))
            elif self._gap:
                await self._ask(Ask())
            await asyncio.sleep(ASK_EVERY)

    async def _ask(self, ask: Ask) -> None:
        subject = subjects.ask(self._match, self._player)
        await self._bus.publish([Message(subject=subject, data=encode_ask(ask))])

    def _hear(self, message: Message) -> None:
        match decode_feed(message.data):
            case History(events=(Happened(event=first), *_)) if isinstance(first.body, MatchOpened):
                self._opened = first.body
            case Snapshot() as told if self._gap and self._opened is not None:
                self._saw(from_snapshot(self._player, told, self._opened))
                self._gap = False
                self.jumps.append(told.version)
            case Happened() as told:
                self._happened(told)
            case _:
                pass

    def _happened(self, told: Happened) -> None:
        version, body = told.event.version, told.event.body
        self.heads[version] = told.head
        if self._gap or self._have is None or version <= self._have.version:
            return
        mine = isinstance(body, SeatTaken) and body.player == self._player
        self._gap = mine or version > self._have.version + 1
        if not self._gap:
            self._saw(after(self._have, told))

    def _saw(self, followed: Followed) -> None:
        self._have = followed
        state = followed.state
        assert state is not None, "it is known how the match was opened"
        shown = {
            "version": followed.version,
            "head": followed.head,
            "move": state.move,
            "sitting": seats.sitting(state.chairs),
            "view": sight.view(state, seat_in(followed)),
        }
        self.views[followed.version] = msgspec.to_builtins(shown)


@asynccontextmanager
async def steady(url: str, guest: dict[str, Any], match: str) -> AsyncIterator[Steady]:
    """It follows for as long as this is open; over TCP."""
    player = guest["player"]
    bus = await connect(url, user=player, password=guest["token"], name=player)
    one = Steady(bus, player, match)
    following = asyncio.create_task(one.follow())
    try:
        yield one
    finally:
        await end(following)
        await bus.close()
