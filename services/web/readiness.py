"""`GET /readyz`: does the names' database answer? Asked of it once a second, whoever asks us."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from services.runtime.clock import Clock

KEPT: Final = 1.0
"""Seconds for which an answer is told again. Nobody counts these asks, so they must cost nothing:
many at once filled the queue of names, and were told themselves that the worker is not ready.
"""


class Readiness:
    """`ask` raises what everybody is told who asks while it is asked and shortly after."""

    def __init__(self, ask: Callable[[], Awaitable[bool]], clock: Clock) -> None:
        self._ask = ask
        self._clock = clock
        self._asking: asyncio.Future[bool] | None = None
        self._again = 0.0

    async def answer(self) -> bool:
        now = self._clock.ticks()
        if self._asking is None or (self._asking.done() and now >= self._again):
            self._asking = asyncio.ensure_future(self._ask())
            self._asking.add_done_callback(_noticed)
            self._again = now + KEPT
        return await asyncio.shield(self._asking)


def _noticed(asking: asyncio.Future[bool]) -> None:
    """Whoever asked may be gone before it failed."""
    if not asking.cancelled():
        asking.exception()
