"""What a table worker holds with 500 live and 2,000 idle matches."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from typing import Final

from schemas.subjects import partition_of
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Found, figure
from services.cli.bench.load import ANSWER_WITHIN, Loader, Unanswered, in_rotation, loading
from services.cli.bench.matches import Script, script
from services.cli.bench.service import Service, resident_mib, serving
from services.event_log.port import Batch
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade

LIVE: Final = 500
IDLE: Final = 2_000
TABLE_MEMORY: Final = Budget("at most", 256.0)
"""MiB resident of one table worker, Python and its libraries included."""
PLAYED: Final = 12
"""Moves that each match has seen before the worker starts."""
AT_ONCE: Final = 100
"""Matches appended in one transaction."""
SAID: Final = 4
"""Moves of each live match while it runs."""
RATE: Final = 500.0
_LOOK_EVERY: Final = 0.05


def memory(conditions: Conditions) -> Found:
    """MiB resident: empty, after taking all matches over, after playing in the live ones."""
    live, idle = conditions.many(LIVE, LIVE // 10), conditions.many(IDLE, IDLE // 10)
    scripts = [script(number) for number in range(live + idle)]
    with conditions.fresh_log() as url:
        upgrade(url)
        with serving(conditions, url) as service:
            empty = asyncio.run(_empty(service))
            _store(url, scripts)
            taken, played = asyncio.run(_busy(service, scripts, live))
    each = 1024 * (played - empty) / len(scripts)
    name = f"{live} live and {idle:,} idle matches"
    return Found(
        (
            figure("an empty table worker", "MiB", [empty]),
            figure(f"{name}, taken over", "MiB", [taken]),
            figure(f"{name}, after {SAID * live:,} commands", "MiB", [played], TABLE_MEMORY),
            figure("a match in memory, on average", "KiB", [each]),
        )
    )


async def _empty(service: Service) -> float:
    table = service.start_table()
    mib = resident_mib(table)
    service.stop_table(table)
    return mib


def _store(url: str, scripts: Sequence[Script]) -> None:
    """Append the beginning of each match, open, to the partition where it belongs."""
    with closing(open_log(url)) as log:
        partitions = log.info().partitions
        for number in range(partitions):
            claim = log.claim(number, "bench")
            own = iter([one for one in scripts if partition_of(one.match, partitions) == number])
            while some := list(islice(own, AT_ONCE)):
                log.append(claim, _beginnings(some))
            log.append(claim, Batch(published=log.position(number)))


def _beginnings(scripts: Sequence[Script]) -> Batch:
    entries = tuple(entry for one in scripts for entry in one.entries[: one.marks[PLAYED]])
    return Batch(entries=entries, opened=tuple(one.match for one in scripts))


async def _busy(service: Service, scripts: Sequence[Script], live: int) -> tuple[float, float]:
    """MiB once every match is taken over, and once the live ones were played in."""
    said = in_rotation([iter(one.moves[PLAYED:]) for one in scripts[:live]], SAID * live)
    async with loading(service) as loader:
        table = service.start_table()
        await _all_taken(loader, len(scripts))
        taken = resident_mib(table)
        await loader.at_rate(said, RATE)
        return taken, resident_mib(table)


async def _all_taken(loader: Loader, matches: int) -> None:
    """The owner is sent a snapshot of each match that is taken over."""
    end = asyncio.get_running_loop().time() + ANSWER_WITHIN
    while loader.snapshots < matches:
        if asyncio.get_running_loop().time() > end:
            raise Unanswered(f"{loader.snapshots} of {matches} matches were taken over")
        await asyncio.sleep(_LOOK_EVERY)
