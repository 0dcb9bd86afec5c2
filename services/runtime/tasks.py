"""Ending tasks."""

import asyncio
from typing import Any, Final

CANCEL_AGAIN: Final = 0.1
"""Seconds after which a task that has not ended is cancelled once more."""


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel until they end: one that was flushing to the broker may have swallowed it."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN)
