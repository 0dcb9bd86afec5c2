"""From a command's due time to its event seen, in an open loop."""

import asyncio
from typing import Final

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, Point, figure, percentile
from services.cli.bench.load import in_rotation, live_lanes, loading, open_all
from services.cli.bench.matches import script
from services.cli.bench.service import Service, serving

RATE: Final = 500.0
"""Commands a second."""
TABLES: Final = 50
RUNS: Final = 3
P50: Final = Budget("at most", 5.0)
P99: Final = Budget("at most", 25.0)


def latency(conditions: Conditions) -> Found:
    """Milliseconds at 500 commands a second over 50 live tables."""
    with conditions.fresh_log() as url, serving(conditions, url) as service:
        runs = asyncio.run(_runs(service, TABLES, conditions.many(2_000, 500)))
    return Found(_figures(runs, P50, P99, series=None, tables=TABLES))


def tables(conditions: Conditions) -> Found:
    """The same at 10, 100 and 1,000 live tables."""
    figures: list[Figure] = []
    for number in (10, 100) if conditions.quick else (10, 100, 1_000):
        with conditions.fresh_log() as url, serving(conditions, url) as service:
            runs = asyncio.run(_runs(service, number, conditions.many(1_500, 500)))
        figures += _figures(runs, None, None, series=conditions.database, tables=number)
    return Found(tuple(figures))


async def _runs(service: Service, tables: int, commands: int) -> list[list[float]]:
    """The latencies of each run, in ms."""
    scripts, lanes = [script(number) for number in range(tables)], live_lanes(tables)
    said = in_rotation(lanes, RUNS * commands)
    service.start_table()
    async with loading(service) as loader:
        await open_all(loader, scripts)
        return [
            await loader.at_rate(said[start : start + commands], RATE)
            for start in range(0, len(said), commands)
        ]


def _figures(
    runs: list[list[float]], p50: Budget | None, p99: Budget | None, series: str | None, tables: int
) -> tuple[Figure, ...]:
    return tuple(
        figure(
            f"command to event seen, {name}, {tables} tables",
            "ms",
            [percentile(run, share) for run in runs],
            budget,
            None if series is None else Point(f"{series}, {name}", tables),
        )
        for name, share, budget in (("p50", 0.50, p50), ("p99", 0.99, p99))
    )
