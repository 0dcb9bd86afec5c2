"""A table worker: what its owners share, and all of them at work."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from services.event_log.port import LogError
from services.messaging.warden import NoWarden, Warden
from services.runtime.tasks import end
from services.table.log_thread import LogThread
from services.table.owner import Owner, Shared

DRAINED_EVERY: Final = 0.25
"""Seconds between two looks whether the last match has ended."""
NO_WARDEN: Final = NoWarden()

_log = logging.getLogger(__name__)


def owners_of(shared: Shared) -> tuple[Owner, ...]:
    """An owner for each partition of the log; how many of them serve is the roster's to say."""
    return tuple(Owner(shared, partition) for partition in range(shared.roster.partitions))


async def serve(
    shared: Shared,
    owners: Sequence[Owner],
    stop: asyncio.Event,
    ready: Callable[[], None],
    *,
    warden: Warden = NO_WARDEN,
) -> None:
    """Own this worker's share of the partitions until `stop`; raises what an owner cannot survive.

    `ready` is called once each partition is served, here or by another worker.
    """
    unsettled = set(range(len(owners)))

    def settled(partition: int) -> None:
        if partition in unsettled:
            unsettled.remove(partition)
            if not unsettled:
                ready()

    counting = LogThread(shared.log, "roster")
    roster = asyncio.create_task(shared.roster.run(counting, shared.bus))
    cutting = asyncio.create_task(shared.floods.cut(warden))
    draining = asyncio.create_task(_drain(shared, counting, stop))
    try:
        async with asyncio.TaskGroup() as group:
            for number, owner in enumerate(owners):
                group.create_task(owner.run(stop, partial(settled, number)))
    finally:
        await end(roster, cutting, draining)
        counting.close()


async def _drain(shared: Shared, thread: LogThread, stop: asyncio.Event) -> None:
    """Once asked to drain, stop when the log has no open match any more, here or elsewhere."""
    await shared.draining.wait()
    _log.warning("draining: no match is opened any more, those that are open go on")
    while not await _is_drained(shared, thread):  # noqa: ASYNC110 a log tells nobody of an end
        await asyncio.sleep(DRAINED_EVERY)
    _log.warning("drained")
    stop.set()


async def _is_drained(shared: Shared, thread: LogThread) -> bool:
    partitions = range(shared.roster.partitions)
    try:
        return not await thread.call(lambda log: any(map(log.open_streams, partitions)))
    except LogError:
        return False
