"""A table's client, whole: say a command until it is answered, follow the feed, ask on a gap.

This is all that the contract asks of a client (docs/architecture.md, Messages): subscribe, ask a
snapshot, apply the next version, drop a lower one, ask again on a higher one; what was said and
not answered in 2 seconds is said again with the same bytes.
"""

import asyncio
import secrets
import time
from typing import Final

from msgspec import Struct

from schemas import subjects
from schemas.commands import Action, Command, encode_command
from schemas.events import MatchAbandoned, MatchEnded, RoundScored
from schemas.feed import Ask, Feed, Happened, Refused, Snapshot, decode_feed, encode_ask
from schemas.ids import MatchId
from schemas.views import HokmView
from services.cli.belief import Belief
from services.messaging.port import Bus, Message
from services.runtime.command_ids import random_id
from services.runtime.tasks import happens

SAY_AGAIN: Final = 2.0
"""Seconds without an answer after which the same bytes are said again."""
ASK_AGAIN: Final = 16.0
"""The longest pause between two asks of who hears nothing; each is twice the one before. A player
at many quiet tables would else look like a flood.
"""
_UUID_VERSION: Final = 0x7 << 76
_UUID_VARIANT: Final = 0x2 << 62


class Ended(Struct, frozen=True, kw_only=True):
    """How a match came to its end; `winner` is None if it was abandoned."""

    winner: int | None
    score: tuple[int, ...]
    rounds: int
    events: int


class Stalled(Exception):
    """Nothing was heard of a match for too long."""


class CommandRefused(Exception):
    """The table said no to a command of this client."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"refused: {refused.code}")
        self.code = refused.code


def new_match_id() -> MatchId:
    """A UUIDv7 of now: the time in front, then chance."""
    stamp = (time.time_ns() // 1_000_000) << 80
    chance = secrets.randbits(74)
    number = stamp | _UUID_VERSION | (chance >> 62) << 64 | _UUID_VARIANT | chance & (1 << 62) - 1
    return f"m_{number:032x}"


class MatchClient:
    """One player at one match. Give it the feed's messages by `hear`."""

    def __init__(self, bus: Bus, player: str, match: MatchId) -> None:
        self._bus = bus
        self._player = player
        self.match = match
        self.version = 0
        self.move = 0
        self.ended: Ended | None = None
        self._rounds = 0
        self._belief = Belief()
        self._news = asyncio.Event()
        self._answers: dict[str, Happened | Refused] = {}

    async def do(self, action: Action, *, within: float, move: int | None = None) -> Happened:
        """Say it until it is answered; raises `CommandRefused`, `Stalled`.

        `move`: which decision is meant, so that what is refused now is refused for ever.
        """
        command = Command(id=random_id(), move=move, action=action)
        message = Message(
            subject=subjects.command_in(self.match, self._player), data=encode_command(command)
        )
        end = time.monotonic() + within
        while time.monotonic() < end:
            await self._bus.publish([message])
            answer = await self._answer(command.id)
            if isinstance(answer, Refused):
                raise CommandRefused(answer)
            if answer is not None:
                return answer
        raise Stalled(f"{self.match}: no answer in {within:.0f} s")

    async def until_ended(self, *, patience: float) -> Ended:
        """Follow the match to its end; raises `Stalled` after `patience` seconds of silence."""
        silent_since, seen, pause = time.monotonic(), self.version, SAY_AGAIN
        while self.ended is None:
            if not await self._heard_something(pause):
                await self.ask()
                pause = min(2 * pause, ASK_AGAIN)
            if self.version != seen:
                silent_since, seen, pause = time.monotonic(), self.version, SAY_AGAIN
            if time.monotonic() - silent_since > patience:
                raise Stalled(f"{self.match}: nothing new in {patience:.0f} s")
        return self.ended

    async def ask(self, ask: Ask | None = None) -> None:
        """Ask for a snapshot, or what else `ask` says; it comes by the feed."""
        subject = subjects.ask(self.match, self._player)
        await self._bus.publish([Message(subject=subject, data=encode_ask(ask or Ask()))])

    def hear(self, message: Message) -> bool:
        """Take in one message of the feed; True if it leaves a gap, so that one must ask."""
        return self.take(decode_feed(message.data))

    def take(self, feed: Feed) -> bool:
        """The same for one that is decoded."""
        self._news.set()
        match feed:
            case Happened():
                return self._happened(feed)
            case Refused(command=str() as command):
                self._answers.setdefault(command, feed)
            case Snapshot():
                self._replace(feed)
            case _:
                pass
        return False

    def _happened(self, feed: Happened) -> bool:
        event = feed.event
        if feed.command is not None:
            self._answers[feed.command] = feed  # an event outranks a refusal
        if event.version != self.version + 1:
            return event.version > self.version
        self.version = event.version
        self._belief.went_on()
        match event.body:
            case RoundScored(round=number):
                self._rounds = number
            case MatchEnded(winner=winner, totals=totals):
                self._end(winner, totals)
            case MatchAbandoned():
                self._end(None, ())
            case _:
                pass
        return False

    def _end(self, winner: int | None, score: tuple[int, ...]) -> None:
        self.ended = Ended(winner=winner, score=score, rounds=self._rounds, events=self.version)

    def _replace(self, snapshot: Snapshot) -> None:
        if not self._belief.takes(snapshot.version, have=self.version):
            return
        self.version, self.move = snapshot.version, snapshot.move
        view, over = snapshot.view, snapshot.over is not None
        if view is not None:
            self._rounds = view.round if over else view.round - 1
        if not over or self.ended is not None:
            return
        if view is None:
            self._end(None, ())
        else:
            self._end(view.winner, view.score if isinstance(view, HokmView) else view.totals)

    async def _answer(self, command: str) -> Happened | Refused | None:
        end = time.monotonic() + SAY_AGAIN
        while command not in self._answers and time.monotonic() < end:
            await self._heard_something(end - time.monotonic())
        return self._answers.get(command)

    async def _heard_something(self, within: float = SAY_AGAIN) -> bool:
        self._news.clear()
        return await happens(self._news, within)
