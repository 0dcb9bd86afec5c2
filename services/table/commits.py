"""One transaction for all owners of a worker that want to append at the same time.

While one is under way, what comes waits for the next: the more there is to do, the more each of
them carries, and a transaction costs nearly the same for one event as for a hundred.
"""

import asyncio
from collections import deque
from typing import Final, Never

from msgspec import Struct

from services.event_log.port import Append, LogUnreachable
from services.table.log_thread import LogThread

GROUP_EVENTS: Final = 10_000
"""Events after which no more is taken into a transaction."""


class _Waiting(Struct, frozen=True):
    append: Append
    last: asyncio.Future[int | None]


class Commits:
    """What waits to be appended. Nothing here is in the order of an owner's other calls: what was
    cancelled may be written after its owner has given up the lock. The epoch makes that safe.
    """

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque()
        self._news = asyncio.Event()

    async def append(self, append: Append) -> int | None:
        """As `EventLog.append_together` for this one, while `run` is at work; raises as it does."""
        last: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(append, last))
        self._news.set()
        return await last

    async def run(self, thread: LogThread) -> Never:
        """Write what waits, in `thread`, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while some := self._take():
                await _write(thread, some)

    def _take(self) -> list[_Waiting]:
        """What came first: at most one append of each owner, so the partitions are different ones.

        Who was cancelled wants it no more, and a new tenure may have taken its place.
        """
        some: list[_Waiting] = []
        events = 0
        while self._waiting and events < GROUP_EVENTS:
            one = self._waiting.popleft()
            if not one.last.done():
                some.append(one)
                events += len(one.append.batch.entries)
        return some


async def _write(thread: LogThread, some: list[_Waiting]) -> None:
    appends = tuple(one.append for one in some)
    try:
        lasts = await thread.call(lambda log: log.append_together(appends))
    except LogUnreachable as error:
        for one in some:
            if not one.last.done():
                one.last.set_exception(LogUnreachable(str(error)))
    except BaseException:
        for one in some:
            one.last.cancel()  # nobody waits for what is never said
        raise
    else:
        for one, last in zip(some, lasts, strict=True):
            if not one.last.done():
                one.last.set_result(last)
