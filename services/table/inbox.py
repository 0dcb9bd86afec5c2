"""What has been said to a partition and is not taken up yet: commands and asks, bounded."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from schemas import subjects
from services.messaging import streams
from services.messaging.port import Delivery
from services.table import desk as desks
from services.table.floods import Floods
from services.table.stage import Asked, Heard

WAITING_DELIVERIES: Final = 2 * streams.owner(0, 0).max_pending
"""Commands that may wait here; one beyond it is dropped and comes again, for it is not acked."""
WAITING_ASKS: Final = 1_000
"""Asks that may wait; one beyond it is dropped, and its asker asks again."""


class Said(Struct, frozen=True):
    """A delivery and what is heard of it: None on a subject that no client can have, and of a voice
    that is denied. `came`: when, in seconds of `Clock.ticks`.
    """

    delivery: Delivery
    heard: Heard | None
    came: float


class Inbox:
    """`news` is set when something has come; `floods` says who is heard at all.

    An ask takes the place of an earlier one like it. One that will have no answer of its own is
    counted here, as those that have one are when they get it.
    """

    def __init__(
        self,
        partition: int,
        partitions: int,
        *,
        news: asyncio.Event,
        floods: Floods,
        ticks: Callable[[], float],
    ) -> None:
        self._partition = partition
        self._partitions = partitions
        self._news = news
        self._floods = floods
        self._ticks = ticks
        self._deliveries: deque[tuple[Delivery, float]] = deque()
        self._asks: dict[tuple[str, str, str], Asked] = {}

    @property
    def commands(self) -> int:
        """How many commands wait."""
        return len(self._deliveries)

    @property
    def asks(self) -> int:
        """How many asks wait."""
        return len(self._asks)

    def deliver(self, delivery: Delivery) -> None:
        if len(self._deliveries) < WAITING_DELIVERIES:
            self._deliveries.append((delivery, self._ticks()))
            self._news.set()

    def ask(self, asked: Asked) -> None:
        key = (asked.address.match, asked.address.voice, asked.ask.what)
        waits = key in self._asks
        if waits or len(self._asks) >= WAITING_ASKS:
            self._floods.count(asked.address.voice)
        if waits or len(self._asks) < WAITING_ASKS:
            self._asks[key] = asked
            self._news.set()

    def take_commands(self, most: int) -> tuple[Said, ...]:
        """The commands that have waited longest, read."""
        count = min(most, len(self._deliveries))
        return tuple(self._read(*self._deliveries.popleft()) for _ in range(count))

    def take_asks(self, most: int) -> tuple[Asked, ...]:
        """The asks that have waited longest."""
        keys = list(self._asks)[:most]
        return tuple(self._asks.pop(key) for key in keys)

    def _read(self, delivery: Delivery, came: float) -> Said:
        message = delivery.message
        address = subjects.command_address(message.subject)
        if not self._floods.hears(address.voice):
            return Said(delivery, None, came)
        if not desks.known_voice(address) or not self._mine(address.match):
            self._floods.count(address.voice)
            return Said(delivery, None, came)
        return Said(delivery, Heard(address, message, desks.read(message.data)), came)

    def _mine(self, match: str) -> bool:
        return subjects.partition_of(match, self._partitions) == self._partition
