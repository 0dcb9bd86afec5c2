"""Waiting for a condition, with a time-out that says what was waited for."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

WITHIN: Final = 10.0
"""Seconds; no test measures anything by it."""
_LOOK_EVERY: Final = 0.002
_REST: Final = 4
"""So many times the processor's time of a look pass until the next: what is waited for needs the
processor more.
"""


async def until(met: Callable[[], object], what: str, *, within: float = WITHIN) -> None:
    """Return once `met` is true; fail, naming `what`, after `within` seconds."""
    end, began = time.monotonic() + within, time.thread_time()
    while not met():
        assert time.monotonic() < end, f"waited {within} s for: {what}"
        looked = time.thread_time() - began
        await asyncio.sleep(max(_LOOK_EVERY, _REST * looked))
        began = time.thread_time()


async def until_async(
    met: Callable[[], Awaitable[object]], what: str, *, within: float = WITHIN
) -> None:
    """The same for what must be awaited to be known."""
    end = time.monotonic() + within
    while not await met():
        assert time.monotonic() < end, f"waited {within} s for: {what}"
        await asyncio.sleep(_LOOK_EVERY)
