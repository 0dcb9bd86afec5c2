"""An owner: holds a partition's lock, claims it, serves it, and begins again when it loses it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final

from services.event_log.port import (
    Claim,
    EventLog,
    Fenced,
    LogError,
    LogInfo,
    LogUnreachable,
)
from services.messaging.port import BusError
from services.runtime.tasks import end, happens
from services.table.log_thread import LogThread
from services.table.metrics import FENCED, Held
from services.table.shared import Shared
from services.table.tenure import Tenure, Threads

HOLD_EVERY: Final = 0.05
"""Seconds between two tries for the lock: how soon a standby takes over."""
AGAIN_AFTER: Final = 0.5
"""Seconds until an owner that failed begins again."""
STEADY: Final = 10.0
"""Seconds after which a tenure has gone well, however it ends."""
CAREFUL_AFTER: Final = 3
"""Appends that no log took after which commands are decided one by one, to find the bad one."""

_log = logging.getLogger(__name__)


class Owner:
    """Serves one partition until stopped, through as many tenures as that takes."""

    def __init__(self, of: Shared, partition: int) -> None:
        self._thread = LogThread(of.log, f"log-{partition}")
        self._past = LogThread(of.log, f"past-{partition}")
        self._of = of
        self._roster = of.roster
        self.partition = partition
        self._name = of.name
        self._metrics = of.metrics
        self._tenure: Tenure | None = None
        self._failures = 0
        self._standing_by = False
        of.bus.on_reconnect(self._reconnected)

    @property
    def settled(self) -> bool:
        """True while the partition is served, here or by another worker."""
        return self._tenure is not None or self._standing_by

    @property
    def held(self) -> Held | None:
        """What is before it at this moment; None while it serves nothing."""
        return None if self._tenure is None else self._tenure.held

    async def run(self, stop: asyncio.Event, settled: Callable[[], None]) -> None:
        """Hold, claim, serve; calls `settled` each time the partition is served, and when another
        worker is found to have it.
        """
        try:
            while not stop.is_set():
                leave = self._roster.take(self.partition)
                if leave is None or not await self._had(leave, stop, settled):
                    await self._stand_by(settled)
        finally:
            await self._release()
            self._thread.close()
            self._past.close()

    async def _stand_by(self, settled: Callable[[], None]) -> None:
        if not self._standing_by:
            _log.info("standing by", extra=self._where())
        self._standing_by = True
        settled()
        await self._roster.wait(HOLD_EVERY)

    async def _had(
        self, leave: asyncio.Event, stop: asyncio.Event, settled: Callable[[], None]
    ) -> bool:
        """Serve for as long as it goes well; False if the lock is another's."""
        try:
            return await self._hold_and_serve(leave, stop, settled)
        except Fenced:
            _log.warning("another owner has the partition", extra=self._where())
            self._metrics.lost.labels(FENCED).inc()
            await self._step_back(stop)
        except (LogError, BusError) as error:
            reason = f"{type(error).__name__}: {error}"
            _log.error("the partition is claimed anew", extra=self._where() | {"reason": reason})
            self._metrics.lost.labels("broker" if isinstance(error, BusError) else "log").inc()
            self._failures += not isinstance(error, (LogUnreachable, BusError))
            if not isinstance(error, LogUnreachable):
                self._roster.failed()
            await self._step_back(stop)
        finally:
            self._roster.give(self.partition)
        return True

    async def _hold_and_serve(
        self, leave: asyncio.Event, stop: asyncio.Event, settled: Callable[[], None]
    ) -> bool:
        if not await self._thread.call(lambda log: log.hold(self.partition)):
            return False
        self._standing_by = False
        stopping = asyncio.create_task(_pass_on(stop, leave))
        try:
            await self._serve(leave, settled)
        finally:
            await end(stopping)
        if not stop.is_set():
            _log.info("handed over", extra=self._where())
        await self._release()
        return True

    async def _step_back(self, stop: asyncio.Event) -> None:
        """Let another one try: whoever can serve shall not wait for one that cannot."""
        await self._release()
        await happens(stop, AGAIN_AFTER)

    async def _release(self) -> None:
        with contextlib.suppress(LogError):  # a lock that cannot be released is lost anyway
            await self._thread.call(lambda log: log.release(self.partition))

    async def _serve(self, leave: asyncio.Event, settled: Callable[[], None]) -> None:
        claim, info = await self._thread.call(self._claim)
        self._metrics.claims.inc()
        _log.info("claimed", extra=self._where() | {"epoch": claim.epoch})
        self._tenure = Tenure(
            self._of,
            Threads(log=self._thread, past=self._past),
            claim,
            info,
            careful=self._failures >= CAREFUL_AFTER,
        )
        began = asyncio.get_running_loop().time()
        try:
            await self._tenure.serve(leave, settled)
        finally:
            self._tenure = None
            if asyncio.get_running_loop().time() - began > STEADY:
                self._roster.steady()

    def _claim(self, log: EventLog) -> tuple[Claim, LogInfo]:
        return log.claim(self.partition, self._name), log.info()

    async def _reconnected(self) -> None:
        self._roster.steady()
        if self._tenure is not None:
            self._tenure.outbox.doubt()

    def _where(self) -> dict[str, object]:
        return {"partition": self.partition, "owner": self._name}


async def _pass_on(stop: asyncio.Event, leave: asyncio.Event) -> None:
    await stop.wait()
    leave.set()
