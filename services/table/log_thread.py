"""The one thread in which an owner calls its log: the log blocks, the loop never does."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from services.event_log.port import EventLog

T = TypeVar("T")


class LogThread:
    def __init__(self, log: EventLog, name: str) -> None:
        self._log = log
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def call(self, use: Callable[[EventLog], T]) -> T:
        """The result of `use` on the log, whose calls never overlap."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, use, self._log)

    def close(self) -> None:
        """Let the last call end. The log is closed by whoever opened it: owners share it."""
        self._pool.shutdown()
