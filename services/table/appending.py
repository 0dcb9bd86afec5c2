"""What a tenure appends to the log, and how it makes sure that it may: by epoch and by lock."""

from collections.abc import Sequence
from typing import Final

from services.event_log.port import READ_ROWS, Append, Batch, Claim, Fenced, Row
from services.table.log_thread import LogThread
from services.table.shared import Shared

FENCE_CHECK: Final = 1.0
"""Seconds after which an owner that answers and has nothing to append makes sure that it is one."""
IDLE: Final = 5.0
"""Seconds that an owner sleeps at most; one with nothing to do makes sure then that it is one."""


class Appending:
    """The log under one claim. Raises `Fenced` or another `LogError` when that is worth nothing."""

    def __init__(self, of: Shared, thread: LogThread, claim: Claim) -> None:
        self._thread = thread
        self._commits = of.commits
        self._metrics = of.metrics
        self._clock = of.desk.clock
        self._claim = claim
        self._fenced_at = self._held_at = self._clock.ticks()

    async def append(self, batch: Batch, *, answers: bool) -> tuple[Row, ...]:
        """The batch's rows, now in the log. `answers`: somebody is told something, whatever is in
        the batch: nobody speaks to an owner whose consumer was replaced, so it asks by itself too.
        """
        claim, ticks = self._claim, self._clock.ticks()
        idle = not batch.entries and not batch.dead
        if idle and ticks - self._fenced_at <= (FENCE_CHECK if answers else IDLE):
            return ()
        await self._keep_lock(ticks)
        began = self._clock.ticks()
        last = await self._commits.append(Append(claim, batch))
        if last is None:
            last = await self._thread.call(lambda log: log.append(claim, batch))
        if not idle:
            self._metrics.append_seconds.observe(self._clock.ticks() - began)
        self._fenced_at = ticks
        first = last - len(batch.entries) + 1
        return tuple(
            Row(partition=claim.partition, position=position, entry=entry)
            for position, entry in enumerate(batch.entries, first)
        )

    async def page(self, after: int, limit: int = READ_ROWS) -> Sequence[Row]:
        """The rows after that position."""
        partition = self._claim.partition
        return await self._thread.call(lambda log: log.read(partition, after, limit))

    async def _keep_lock(self, ticks: float) -> None:
        """A lock that was lost with its session is taken again now and then: while it is free
        anybody may take the partition over.
        """
        if ticks - self._held_at <= IDLE:
            return
        if not await self._thread.call(lambda log: log.hold(self._claim.partition)):
            raise Fenced("another worker has the partition's lock")
        self._held_at = ticks
