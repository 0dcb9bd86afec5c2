"""Answers that are kept for a moment: a database is asked once, however many ask us."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from services.runtime.clock import Clock

KEPT: Final = 1.0
"""Seconds for which an answer is told again. Nobody counts these asks, so they must cost nothing:
many at once filled the queue of names, and were told themselves that the worker is not ready.
"""

T = TypeVar("T")


class Readiness(Generic[T]):
    """`ask` raises what everybody is told who asks while it is asked and for `kept` seconds."""

    def __init__(
        self, ask: Callable[[], Awaitable[T]], clock: Clock, *, kept: float = KEPT
    ) -> None:
        self._kept = kept
        self._ask = ask
        self._clock = clock
        self._asking: asyncio.Future[T] | None = None
        self._again = 0.0

    async def answer(self) -> T:
        now = self._clock.ticks()
        if self._asking is None or (self._asking.done() and now >= self._again):
            self._asking = asyncio.ensure_future(self._ask())
            self._asking.add_done_callback(_noticed)
            self._again = now + self._kept
        return await asyncio.shield(self._asking)


def _noticed(asking: asyncio.Future[T]) -> None:
    """Whoever asked may be gone before it failed."""
    if not asking.cancelled():
        asking.exception()
