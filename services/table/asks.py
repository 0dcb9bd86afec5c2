"""Where asks come in: one subscription of a worker, and each ask to the partition it is for."""

import asyncio
from collections.abc import Callable

import msgspec

from schemas import subjects
from schemas.feed import ASK_BYTES, decode_ask
from schemas.ids import MatchId, PlayerId, matches
from services.messaging.port import Bus, Message, Subscription
from services.table.floods import Floods
from services.table.stage import Asked

Hear = Callable[[Asked], None]


class AskDoor:
    """It is open while anybody of this worker serves a partition."""

    def __init__(self, bus: Bus, partitions: int, floods: Floods) -> None:
        self._bus = bus
        self._floods = floods
        self._partitions = partitions
        self._hearers: dict[int, Hear] = {}
        self._listening: Subscription | None = None
        self._turning = asyncio.Lock()

    async def attend(self, partition: int, hear: Hear) -> None:
        """From now on `hear` is told the asks for matches of `partition`; raises `BusError`."""
        self._hearers[partition] = hear
        async with self._turning:
            if self._listening is None:
                self._listening = await self._bus.subscribe(subjects.ASKS, self._hear)

    async def leave(self, partition: int) -> None:
        self._hearers.pop(partition, None)
        async with self._turning:
            if not self._hearers and self._listening is not None:
                listening, self._listening = self._listening, None
                await listening.stop()

    def _hear(self, message: Message) -> None:
        """What is illegible, or for a partition that another worker serves, is dropped.

        Who floods is dropped first: nothing here stops the broker's pouring in what he says.
        """
        address = subjects.ask_address(message.subject)
        if not self._floods.hears(address.voice):
            return
        size = len(message.data)
        legible = matches(address.match, MatchId) and matches(address.voice, PlayerId)
        if not legible or size > ASK_BYTES:
            self._floods.count(address.voice, 1 + size // ASK_BYTES)  # as many as it took room for
            return
        partition = subjects.partition_of(address.match, self._partitions)
        hear = self._hearers.get(partition)
        if hear is None:
            return
        try:
            asked = Asked(address, decode_ask(message.data))
        except msgspec.DecodeError:
            self._floods.count(address.voice)
        else:
            hear(asked)
