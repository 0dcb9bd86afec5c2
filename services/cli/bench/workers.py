"""What more table workers bring, which share the partitions out (PostgreSQL only)."""

import asyncio
from collections import Counter
from typing import Final

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Figure, Found, Point, figure
from services.cli.bench.raw import owners
from services.cli.bench.service import Service, serving
from services.cli.bench.throughput import closed_rates
from services.event_log.upgrade import upgrade

WORKERS: Final = (1, 2, 4)
SHARED_WITHIN: Final = 30.0
"""Seconds that the workers have to share the partitions out."""
_LOOK_EVERY: Final = 0.05


class NotShared(Exception):
    """Partitions that no worker took, or that were not shared out evenly."""


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
    """Start the workers and let them share the partitions out; how many each has got."""
    for _ in range(number):
        service.start_standby()
    end = asyncio.get_running_loop().time() + SHARED_WITHIN
    while not _shared(found := Counter(owners(url)), number):
        if asyncio.get_running_loop().time() > end:
            raise NotShared(f"{number} workers serve {dict(found)}")
        await asyncio.sleep(_LOOK_EVERY)
    return sorted(found.values(), reverse=True)


def _shared(found: Counter[str], number: int) -> bool:
    """True once each worker has its share, and no partition is without an owner."""
    return (
        len(found) == number and "" not in found and max(found.values()) - min(found.values()) <= 1
    )
