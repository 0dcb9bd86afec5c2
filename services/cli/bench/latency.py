"""From a command's due time to its event seen, in an open loop."""

import asyncio
from typing import Final

from msgspec import Struct

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, Point, figure, percentile
from services.cli.bench.load import in_rotation, live_lanes, loading, open_all
from services.cli.bench.matches import script
from services.cli.bench.service import Service, cpu_seconds, serving

RATE: Final = 500.0
"""Commands a second."""
TABLES: Final = 50
RUNS: Final = 3
P50: Final = Budget("at most", 5.0)
P99: Final = Budget("at most", 25.0)


class Run(Struct, frozen=True):
    """The latencies of one run, in ms, and the table worker's CPU time a command, in ms too."""

    latencies: list[float]
    cpu: float

    def at(self, share: float) -> float:
        return percentile(self.latencies, share)


def latency(conditions: Conditions) -> Found:
    """Milliseconds at 500 commands a second over 50 live tables."""
    runs = _measure(conditions, TABLES, conditions.many(2_000, 500))
    name = "command to event seen"
    return Found(
        (
            figure(f"{name}, p50", "ms", [run.at(0.50) for run in runs], P50),
            figure(f"{name}, p99", "ms", [run.at(0.99) for run in runs], P99),
            figure("the table worker's CPU time a command", "ms", [run.cpu for run in runs]),
        )
    )


def tables(conditions: Conditions) -> Found:
    """The same at 10, 100 and 1,000 live tables."""
    figures: list[Figure] = []
    for number in (10, 100) if conditions.quick else (10, 100, 1_000):
        runs = _measure(conditions, number, conditions.many(1_500, 500))
        for name, share in (("p50", 0.50), ("p99", 0.99)):
            point = Point(f"{conditions.database}, {name}", number)
            values = [run.at(share) for run in runs]
            figures.append(figure(f"{number:,} tables, {name}", "ms", values, point=point))
    return Found(tuple(figures))


def _measure(conditions: Conditions, tables: int, commands: int) -> list[Run]:
    with conditions.fresh_log() as url, serving(conditions, url) as service:
        return asyncio.run(_runs(service, tables, commands))


async def _runs(service: Service, tables: int, commands: int) -> list[Run]:
    scripts, lanes = [script(number) for number in range(tables)], live_lanes(tables)
    said = [in_rotation(lanes, commands) for _ in range(RUNS)]
    pid = service.start_table().process.pid
    async with loading(service) as loader:
        await open_all(loader, scripts)
        runs = []
        for some in said:
            before = cpu_seconds(pid)
            latencies = await loader.at_rate(some, RATE)
            runs.append(Run(latencies, 1_000 * (cpu_seconds(pid) - before) / commands))
        return runs
