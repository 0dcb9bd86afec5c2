"""What more table workers bring, each owning some of the partitions (PostgreSQL only)."""

import asyncio
import signal
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import Final

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Figure, Found, Point, figure
from services.cli.bench.raw import owners
from services.cli.bench.service import Service, serving
from services.cli.bench.takeover import WARM
from services.cli.bench.throughput import closed_rates
from services.cli.supervisor import Child
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade

WORKERS: Final = (1, 2, 4)
OWNED_WITHIN: Final = 20.0
"""Seconds that the workers have to own every partition."""
_LOOK_EVERY: Final = 0.05


class NotOwned(Exception):
    """Partitions that no worker took."""


def workers(conditions: Conditions) -> Found:
    """Commands a second in a closed loop, with 1, 2 and 4 workers."""
    figures: list[Figure] = []
    notes: list[str] = []
    for number in WORKERS:
        with conditions.fresh_log() as url, serving(conditions, url) as service:
            upgrade(url)
            owned = asyncio.run(_start(service, url, number))
            rates = asyncio.run(closed_rates(service, conditions.many(2_400, 800)))
        point = Point(f"{conditions.database}, closed loop", number)
        figures.append(figure(f"{number} workers, closed loop", "commands/s", rates, point=point))
        shares = ", ".join(str(share) for share in owned)
        notes.append(f"{number} workers owned {shares} partitions")
    return Found(tuple(figures), tuple(notes))


async def _start(service: Service, url: str, number: int) -> list[int]:
    """Start the workers and deal the partitions out; how many each has got.

    A worker takes whatever partition is free. So all are held here, and each worker is let at its
    share while the others are stopped.
    """
    with closing(open_log(url)) as log:
        every = range(log.info().partitions)
        for partition in every:
            log.hold(partition)
        children = [service.start_standby() for _ in range(number)]
        await asyncio.sleep(WARM)
        _signal(children, signal.SIGSTOP)
        for turn, child in enumerate(children):
            _signal([child], signal.SIGCONT)
            for partition in every[turn::number]:
                log.release(partition)
            await _owned(url, every[turn::number])
            _signal([child], signal.SIGSTOP)
        _signal(children, signal.SIGCONT)
    return sorted(Counter(owners(url)).values(), reverse=True)


def _signal(children: Sequence[Child], number: signal.Signals) -> None:
    for child in children:
        child.process.send_signal(number)


async def _owned(url: str, partitions: Sequence[int]) -> None:
    """Wait until each of them has an owner."""
    end = asyncio.get_running_loop().time() + OWNED_WITHIN
    while not all(found := [owners(url)[partition] for partition in partitions]):
        if asyncio.get_running_loop().time() > end:
            raise NotOwned(f"{found.count('')} partitions have no owner")
        await asyncio.sleep(_LOOK_EVERY)
