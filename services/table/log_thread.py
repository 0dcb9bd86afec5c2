"""The one thread in which an owner calls its log: the log blocks, the loop never does."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Never, TypeVar

from services.event_log.port import EventLog
from services.runtime.worker import abandon

T = TypeVar("T")

FROZEN: Final = 60.0
"""Seconds after which a call will not return: the limits of each adapter are far below. A server
can stand still under a kernel that goes on acknowledging, and the driver then waits for ever."""


class LogThread:
    """`frozen` is called when the log stands still; a thread that waits for it cannot be ended."""

    def __init__(
        self, log: EventLog, name: str, *, frozen: Callable[[str], Never] = abandon
    ) -> None:
        self._log = log
        self._frozen = frozen
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def call(self, use: Callable[[EventLog], T]) -> T:
        """The result of `use` on the log, whose calls never overlap."""
        loop = asyncio.get_running_loop()
        limit = asyncio.timeout(FROZEN)
        try:
            async with limit:
                return await loop.run_in_executor(self._pool, use, self._log)
        except TimeoutError:
            if limit.expired():
                self._frozen(f"the log has not answered for {FROZEN:.0f} s")
            raise

    def close(self) -> None:
        """Let the last call end. The log is closed by whoever opened it: owners share it."""
        self._pool.shutdown()
