"""A table worker: its owners at work, and what they have in common at work beside them."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from services.event_log.port import LogError
from services.messaging.warden import NoWarden, Warden
from services.table.log_thread import LogThread
from services.table.owner import Owner
from services.table.shared import Shared

DRAINED_EVERY: Final = 0.25
"""Seconds between two looks whether the last match has ended."""
EMPTY_LOOKS: Final = 3
"""Looks that must find nothing: one turn of an owner, begun before, may still open a match."""
SAY_EVERY: Final = 240
"""Looks between two words about what is waited for."""
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
    writing = LogThread(shared.log, "commits")
    try:
        async with asyncio.TaskGroup() as group:  # whatever of it fails, the worker ends
            beside = (
                group.create_task(shared.roster.run(counting, shared.bus)),
                group.create_task(shared.commits.run(writing)),
                group.create_task(shared.floods.cut(warden)),
                group.create_task(warden.watch()),
                group.create_task(_drain(shared, counting, stop)),
            )
            serving = [
                group.create_task(owner.run(stop, partial(settled, number)))
                for number, owner in enumerate(owners)
            ]
            await asyncio.wait(serving)
            for task in beside:
                task.cancel()
    finally:
        counting.close()
        writing.close()


async def _drain(shared: Shared, thread: LogThread, stop: asyncio.Event) -> None:
    """Once asked to drain, stop when the log has no open match any more, here or elsewhere."""
    await shared.draining.wait()
    _log.warning("draining: no match is opened any more, those that are open go on")
    empty = looks = 0
    while empty < EMPTY_LOOKS:
        found = await _open(shared, thread)
        empty = empty + 1 if found == () else 0
        if found and looks % SAY_EVERY == 0:
            said = {"matches": len(found), "first": found[0]}
            _log.warning("draining waits for what is open", extra=said)
        looks += 1
        await asyncio.sleep(DRAINED_EVERY)
    _log.warning("drained")
    stop.set()


async def _open(shared: Shared, thread: LogThread) -> tuple[str, ...] | None:
    """The open matches of the whole log, None if it does not answer."""
    partitions = range(shared.roster.partitions)
    try:
        found = await thread.call(lambda log: [log.open_streams(each) for each in partitions])
    except LogError:
        return None
    return tuple(match for some in found for match in some)
