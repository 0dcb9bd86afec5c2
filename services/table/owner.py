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
from services.messaging.port import Bus, BusError
from services.table.desk import Desk
from services.table.log_thread import LogThread
from services.table.tenure import Tenure, Tools

HOLD_EVERY: Final = 0.05
"""Seconds between two tries for the lock: how soon a standby takes over."""
AGAIN_AFTER: Final = 0.5
"""Seconds until an owner that failed begins again."""
CAREFUL_AFTER: Final = 3
"""Appends that no log took after which commands are decided one by one, to find the bad one."""

_log = logging.getLogger(__name__)


class Owner:
    """Serves one partition until stopped, through as many tenures as that takes."""

    def __init__(self, *, log: EventLog, bus: Bus, desk: Desk, partition: int, name: str) -> None:
        self._thread = LogThread(log, f"log-{partition}")
        self._past = LogThread(log, f"past-{partition}")
        self._tools = Tools(self._thread, self._past, bus, desk)
        self._partition = partition
        self._name = name
        self._tenure: Tenure | None = None
        self._failures = 0
        bus.on_reconnect(self._reconnected)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Hold, claim, serve; calls `ready` each time the partition is served."""
        try:
            while not stop.is_set():
                await self._tenure_or_wait(stop, ready)
        finally:
            with contextlib.suppress(LogError):
                await self._thread.call(lambda log: log.release(self._partition))
            self._thread.close()
            self._past.close()

    async def _tenure_or_wait(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        try:
            if not await self._thread.call(lambda log: log.hold(self._partition)):
                await _pause(stop, HOLD_EVERY)
                return
            await self._serve(stop, ready)
        except Fenced:
            _log.warning("another owner has the partition", extra=self._where())
            await self._step_back(stop)
        except (LogError, BusError) as error:
            reason = f"{type(error).__name__}: {error}"
            _log.error("the partition is claimed anew", extra=self._where() | {"reason": reason})
            self._failures += not isinstance(error, (LogUnreachable, BusError))
            await self._step_back(stop)

    async def _step_back(self, stop: asyncio.Event) -> None:
        """Let another one try: whoever can serve shall not wait for one that cannot."""
        with contextlib.suppress(LogError):  # a lock that cannot be released is lost anyway
            await self._thread.call(lambda log: log.release(self._partition))
        await _pause(stop, AGAIN_AFTER)

    async def _serve(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        claim, info = await self._thread.call(self._claim)
        _log.info("claimed", extra=self._where() | {"epoch": claim.epoch})
        self._tenure = Tenure(self._tools, claim, info, careful=self._failures >= CAREFUL_AFTER)
        try:
            await self._tenure.serve(stop, ready)
        finally:
            self._tenure = None

    def _claim(self, log: EventLog) -> tuple[Claim, LogInfo]:
        return log.claim(self._partition, self._name), log.info()

    async def _reconnected(self) -> None:
        if self._tenure is not None:
            self._tenure.outbox.doubt()

    def _where(self) -> dict[str, object]:
        return {"partition": self._partition, "owner": self._name}


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    """Wait, but not once asked to stop."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
