"""How cost grows with the log: append, rebuild and take-over as matches pile up in it."""

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Final

from services.cli.bench.appending import Load, append_all, transactions
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, Point, figure
from services.cli.bench.matches import copies, long_match, match_id, script
from services.cli.bench.service import serving
from services.cli.bench.sides import timed
from services.cli.bench.takeover import kill_times
from services.event_log.port import BATCH_EVENTS, Batch, Entry, EventLog
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade
from services.table.live import rebuild

SHORT: Final = 20
"""Events of each match that only fills the log: the last of the sizes makes 2 million of them."""
LONG: Final = 1_000
"""Events of the match that is rebuilt."""
SIZES: Final = (1_000, 10_000, 100_000)
"""Matches in the log."""
QUICK_SIZES: Final = (100, 1_000)
REBUILDS: Final = 9
KILLS: Final = 3
APPENDS: Final = 5
REBUILD: Final = Budget("at most", 25.0)
PARTITION: Final = 0
"""Where all of this is appended: only the log is asked for it, never a table."""
_FILLING: Final = 900_000_000
"""Ids from here on fill the log."""
_LONG: Final = 899_999_999
_KILLED: Final = 800_000_000


def growth(conditions: Conditions) -> Found:
    """Events a second at 100 a transaction, ms for 1,000 events, ms after `kill -9`."""
    sizes = QUICK_SIZES if conditions.quick else SIZES
    figures: list[Figure] = []
    with conditions.fresh_log() as url:
        upgrade(url)
        _put(url, [long_match(_LONG, LONG)])
        for number, size in enumerate(sizes):
            before = sizes[number - 1] if number else 0
            _put(url, copies(script(0).entries[:SHORT], range(_FILLING + before, _FILLING + size)))
            figures += _of_log(conditions, url, number, size)
            figures.append(_of_table(conditions, url, number, size))
    return Found(tuple(figures), (f"{sizes[-1] * SHORT:,} events in the log at the end",))


def _put(url: str, matches: Iterable[tuple[Entry, ...]]) -> None:
    """Append whole matches, as many a transaction as one may carry."""
    entries = (entry for match in matches for entry in match)
    with closing(open_log(url)) as log:
        claim = log.claim(PARTITION, "bench")
        while some := tuple(islice(entries, BATCH_EVENTS)):
            position = log.append(claim, Batch(entries=some))
            log.append(claim, Batch(published=position))
    os.sync()  # or what comes next would wait for all this to be written


def _of_log(conditions: Conditions, url: str, number: int, size: int) -> Iterator[Figure]:
    with closing(open_log(url)) as log:
        rates = [_append_rate(log, 1 + number * APPENDS + n) for n in range(APPENDS)]
        times = [_ms(lambda: rebuild(log.load(match_id(_LONG)))) for _ in range(REBUILDS)]
    budget = REBUILD if size == SIZES[-1] else None
    yield _figure(conditions, "append, 100 a transaction", "events/s", rates, size)
    yield _figure(conditions, f"rebuild {LONG:,} events", "ms", times, size, budget)


def _of_table(conditions: Conditions, url: str, number: int, size: int) -> Figure:
    with serving(conditions, url) as service:
        killed = script(_KILLED + number)
        times = asyncio.run(kill_times(service, killed, conditions.many(KILLS, 1)))
    return _figure(conditions, "take-over", "ms", times, size)


def _append_rate(log: EventLog, turn: int) -> float:
    load = Load(20, 100)
    batches = transactions(load, turn)
    claim = log.claim(PARTITION, "bench")
    return timed(load.events, lambda: append_all(log, claim, batches)).rate


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1_000 * (time.perf_counter() - began)


def _figure(
    conditions: Conditions,
    name: str,
    unit: str,
    values: list[float],
    size: int,
    budget: Budget | None = None,
) -> Figure:
    point = Point(f"{conditions.database}, {name}", size)
    return figure(f"{name}, {size:,} matches in the log", unit, values, budget, point)
