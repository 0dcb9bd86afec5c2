"""The load generator: says scripted commands and hears when each is answered.

A command counts as seen when the event that it made has come by the feed of the match's owner,
who is not its author: the version tells which one it is.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Final

from msgspec import Struct

from schemas.decoding import decoder
from services.cli.bench.matches import Said, Script, script
from services.cli.bench.service import Service
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Bus, Message

ANSWER_WITHIN: Final = 60.0
"""Seconds that a command has to be answered; one that is not makes the measure fail."""
PLAYERS: Final = 80
"""Who say one thing after the other in a closed loop."""
SETTLE: Final = 0.05
"""Seconds before the first command of an open loop."""


class Unanswered(Exception):
    """Commands that no event answered in time: refused, or lost."""


class _Seen(Struct, frozen=True):
    match: str
    version: int


class _Told(Struct, frozen=True):
    """As much of a feed message as tells which event it is."""

    type: str
    event: _Seen | None = None


_decode = decoder(_Told)


class Loader:
    """Times are seconds of the loop's clock."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[_Seen, asyncio.Future[float]] = {}
        self.snapshots = 0
        """Snapshots heard: an owner sends one of each match it takes over."""
        self.events, self.event_bytes = 0, 0
        """Events heard, and the bytes of what told them, which one player's feed brings."""

    async def enter(self) -> None:
        await self._bus.subscribe(f"feed.{COMMAND_LINE_PLAYER}.*", self._hear)

    def _hear(self, message: Message) -> None:
        now = self._loop.time()
        told: _Told = _decode(message.data)
        self.snapshots += told.type == "snapshot"
        if told.event is not None:
            self.events += 1
            self.event_bytes += len(message.data)
            future = self._waiting.pop(told.event, None)
            if future is not None and not future.done():
                future.set_result(now)

    async def say(self, said: Sequence[Said]) -> list[asyncio.Future[float]]:
        """Publish in one write; when each is seen comes by its future."""
        futures = [self._expect(one) for one in said]
        await self._bus.publish([one.message for one in said])
        return futures

    def _expect(self, said: Said) -> asyncio.Future[float]:
        future: asyncio.Future[float] = self._loop.create_future()
        self._waiting[_Seen(said.match, said.version)] = future
        return future

    async def settled(self) -> None:
        """Wait until the broker has all that was said."""
        await self._bus.subscribe(f"feed.{COMMAND_LINE_PLAYER}.settled", self._hear)

    @staticmethod
    async def all_seen(futures: Sequence[asyncio.Future[float]]) -> list[float]:
        """When each was seen; raises `Unanswered`."""
        _, missing = await asyncio.wait(futures, timeout=ANSWER_WITHIN)
        if missing:
            raise Unanswered(f"{len(missing)} of {len(futures)} commands in {ANSWER_WITHIN:.0f} s")
        return [future.result() for future in futures]

    # Loads ------------------------------------------------------------------------------------

    async def at_rate(self, said: Sequence[Said], rate: float) -> list[float]:
        """Open loop: say each when it is due, answered or not; ms from then until it was seen."""
        began = self._loop.time() + SETTLE
        due = [began + number / rate for number in range(len(said))]
        futures: list[asyncio.Future[float]] = []
        while len(futures) < len(said):
            await asyncio.sleep(max(0.0, due[len(futures)] - self._loop.time()))
            now, first = self._loop.time(), len(futures)
            last = next((n for n in range(first, len(due)) if due[n] > now), len(due))
            futures += await self.say(said[first:last])
        seen = await self.all_seen(futures)
        return [1_000 * (at - then) for at, then in zip(seen, due, strict=True)]

    async def in_turn(self, lanes: Iterable[Iterable[Said]]) -> float:
        """Closed loop: each lane says its next when the one before is seen; the seconds of all."""
        began = self._loop.time()
        await asyncio.gather(*(self._lane(lane) for lane in lanes))
        return self._loop.time() - began

    async def _lane(self, lane: Iterable[Said]) -> None:
        for one in lane:
            await self.all_seen(await self.say([one]))


@asynccontextmanager
async def loading(service: Service) -> AsyncIterator[Loader]:
    """A loader that hears."""
    async with service.bus() as bus:
        loader = Loader(bus)
        await loader.enter()
        yield loader


async def open_all(loader: Loader, scripts: Sequence[Script]) -> None:
    """Open and start the matches, many at a time."""
    lanes = (scripts[n::PLAYERS] for n in range(min(PLAYERS, len(scripts))))
    await loader.in_turn([one for script in lane for one in script.opening] for lane in lanes)


def in_rotation(lanes: Sequence[Iterator[Said]], many: int) -> list[Said]:
    """`many` commands, one of each lane in turn."""
    return [next(lanes[number % len(lanes)]) for number in range(many)]


def live_lanes(tables: int, first: int = 0) -> list[Iterator[Said]]:
    """What is said at each of so many tables: match after match, the first of them open."""
    return [_lane(number, tables) for number in range(first, first + tables)]


def _lane(number: int, step: int) -> Iterator[Said]:
    yield from script(number).moves
    for later in count(number + step, step):
        yield from script(later).opening
        yield from script(later).moves
