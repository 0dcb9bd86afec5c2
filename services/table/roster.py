"""Who serves what: the partitions of a log are shared out evenly among the table workers.

Each worker takes its share and no more. When one joins, the others hand over what is beyond their
new shares; when one dies, the rest take what it had. Nobody decides for the others: the locks do,
and the epoch makes any error harmless. A worker that cannot serve leaves, so that others can.
"""

import asyncio
import logging
from typing import Final

from services.event_log.port import Crew, LogError
from services.messaging.port import Bus
from services.runtime.tasks import happens
from services.table.log_thread import LogThread

COUNT_EVERY: Final = 0.05
"""Seconds between two counts of the workers; also this worker's sign of life."""
BROKER_PATIENCE: Final = 3.0
"""Seconds without a broker after which a worker gives up what it serves: others may reach it."""
FAILURES: Final = 3
"""Tenures that fail one after the other before a worker leaves its share to others for a while."""
AWAY: Final = 2.0
"""Seconds for which it does the first time; each time without a steady tenure twice as long."""
LONGEST_AWAY: Final = 60.0

_ALONE: Final = Crew(workers=1, rank=0)
_log = logging.getLogger(__name__)


class Roster:
    """One worker's share. Until the workers are counted it is everything."""

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self._crew: Crew | None = _ALONE
        self._served: dict[int, asyncio.Event] = {}
        self._grown = asyncio.Event()
        self._failures = 0
        self._away = 0.0
        self._back_at = 0.0

    @property
    def share(self) -> int:
        """The most partitions that this worker serves: the shares of all add up to them all."""
        if self._crew is None:
            return 0
        each, more = divmod(self.partitions, self._crew.workers)
        return each + (self._crew.rank < more)

    def take(self, partition: int) -> asyncio.Event | None:
        """An event that asks to hand `partition` over again, or None beyond the share.

        Give it back with `give`, also if the lock was not to be had.
        """
        if len(self._served) >= self.share:
            return None
        leave = self._served[partition] = asyncio.Event()
        return leave

    async def wait(self, seconds: float) -> None:
        """Until the share has grown, but not for longer than that."""
        await happens(self._grown, seconds)

    def failed(self) -> None:
        """A tenure came to nothing, through no fault of the database's."""
        self._failures += 1
        if self._failures % FAILURES == 0:
            self._away = min(LONGEST_AWAY, max(AWAY, 2 * self._away))
            self._back_at = asyncio.get_running_loop().time() + self._away

    def steady(self) -> None:
        """A tenure went well, or what it failed for may have changed."""
        self._failures, self._away, self._back_at = 0, 0.0, 0.0

    def give(self, partition: int) -> None:
        self._served.pop(partition, None)

    def counted(self, crew: Crew | None) -> None:
        """The crew as it is now, None if this worker left it: what is beyond the share is to be
        handed over.
        """
        before = self.share
        if crew != self._crew:
            _log.info("workers counted", extra={"workers": crew.workers if crew else 0})
        self._crew = crew
        if self.share > before:
            self._grown.set()
            self._grown = asyncio.Event()
        for partition in list(self._served)[self.share :]:
            self._served[partition].set()

    async def run(self, thread: LogThread, bus: Bus) -> None:
        """Count until cancelled. A log that does not answer changes nothing."""
        loop = asyncio.get_running_loop()
        reached = loop.time()
        while True:
            now = loop.time()
            reached = now if bus.connected else reached
            alone = self._crew is not None and self._crew.workers == 1
            able = now - reached < BROKER_PATIENCE and (alone or now >= self._back_at)
            try:
                await self._count(thread, able=able)
            except LogError as error:
                _log.debug("the workers cannot be counted", extra={"reason": str(error)})
            await asyncio.sleep(COUNT_EVERY)

    async def _count(self, thread: LogThread, *, able: bool) -> None:
        if able:
            self.counted(await thread.call(lambda log: log.join()))
            return
        if self._crew is not None:
            _log.error("the partitions are left to others: this worker cannot serve them")
            self.counted(None)
        await thread.call(lambda log: log.leave())
