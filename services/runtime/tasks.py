"""Waiting for an event for a time, and ending tasks."""

import asyncio
from typing import Any, Final

CANCEL_AGAIN: Final = 0.1
"""Seconds after which a task that has not ended is cancelled once more."""


async def happens(event: asyncio.Event, within: float) -> bool:
    """True once `event` is set, False if it is not set within so many seconds."""
    if event.is_set():
        return True
    if within <= 0:
        await asyncio.sleep(0)
        return event.is_set()
    try:
        async with asyncio.timeout(within):
            await event.wait()
    except TimeoutError:
        return False
    return True


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel until they end: one that was flushing to the broker may have swallowed it."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN)
