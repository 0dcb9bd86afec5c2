"""A table worker: what its owners share, and all of them at work."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from services.messaging.warden import NoWarden, Warden
from services.runtime.tasks import end
from services.table.log_thread import LogThread
from services.table.owner import Owner, Shared

NO_WARDEN: Final = NoWarden()


async def serve(
    shared: Shared,
    stop: asyncio.Event,
    ready: Callable[[], None],
    *,
    warden: Warden = NO_WARDEN,
) -> None:
    """Own this worker's share of the partitions until `stop`; raises what an owner cannot survive.

    `ready` is called once each partition is served, here or by another worker.
    """
    partitions = range(shared.roster.partitions)
    unsettled = set(partitions)

    def settled(partition: int) -> None:
        if partition in unsettled:
            unsettled.remove(partition)
            if not unsettled:
                ready()

    owners = [Owner(shared, partition) for partition in partitions]
    counting = LogThread(shared.log, "roster")
    roster = asyncio.create_task(shared.roster.run(counting, shared.bus))
    cutting = asyncio.create_task(shared.floods.cut(warden))
    try:
        async with asyncio.TaskGroup() as group:
            for number, owner in enumerate(owners):
                group.create_task(owner.run(stop, partial(settled, number)))
    finally:
        await end(roster, cutting)
        counting.close()
