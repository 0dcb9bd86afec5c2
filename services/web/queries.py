"""Threads for one database: what waits for it is bounded, in number and in time."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from services.scoring.database import StandingsError
from services.web.answers import Declined
from services.web.profiles import ProfilesError

THREADS: Final = 4
"""Of each database: a slow one holds up nobody who asks another."""
QUERIES: Final = 64
"""Queries that may wait for the database; more are told that it is busy."""
WITHIN: Final = 5.0
"""Seconds after which whoever asked is told that it is busy."""
FAULTS: Final = (ProfilesError, StandingsError)
"""Their words hold no name and no statement."""

_log: Final = logging.getLogger(__name__)
T = TypeVar("T")


class Queries:
    """The queries of the database called `name`. `close` it in the end."""

    def __init__(self, name: str, *, within: float = WITHIN) -> None:
        self._name = name
        self._within = within
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix=name)
        self._waiting = 0
        self._away = False

    async def ask(self, query: Callable[[], T]) -> T:
        """What `query` gives, in a thread; raises `Declined` if the database is busy or away."""
        running = self._begin(query)
        try:
            async with asyncio.timeout(self._within):
                return await asyncio.shield(running)
        except (TimeoutError, *FAULTS) as error:
            raise Declined("busy", "the database does not answer", retry_after=1) from error

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _begin(self, query: Callable[[], T]) -> asyncio.Future[T]:
        """`query` in a thread. It runs to its end, and counts until then, whoever waits for it."""
        if self._waiting >= QUERIES:
            raise Declined("busy", "ask again", retry_after=1)
        self._waiting += 1
        running = asyncio.get_running_loop().run_in_executor(self._pool, query)
        running.add_done_callback(self._ended)
        return running

    def _ended(self, running: asyncio.Future[T]) -> None:
        """Says once that the database is away, however often it is asked."""
        self._waiting -= 1
        error = None if running.cancelled() else running.exception()
        away = isinstance(error, FAULTS)
        if away and not self._away:
            _log.warning("no answer from the %s", self._name, extra={"reason": str(error)})
        self._away = away
