"""What counting costs: `python -m tests.metrics_cost [--commands N] [--pairs N]`.

Two ways. A table worker of production and one whose counters do nothing take turns at the same
commands, on the real broker and SQLite, and the processor's time of a command is compared within
each pair: on a machine that does nothing else. And every call that counted something in a match of
bots is made again many times, by itself: `counting_ms` a command, which other programs hardly
touch, and `share` of what a worker needs for one. Prints one JSON line.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest import mock

from services.cli.bench.conditions import Conditions
from services.cli.bench.load import in_rotation, live_lanes, loading, open_all
from services.cli.bench.matches import script
from services.cli.bench.service import cpu_seconds, serving
from tests import uncounted_table
from tests.table.hall import ALL_HOUSE, Hall
from tests.table.playing import to_the_end_of_a_round

TABLES: Final = 50
RATE: Final = 500.0
"""Commands a second."""
TIMES: Final = 200


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--commands", type=int, default=4_000)
    asked.add_argument("--pairs", type=int, default=4)
    words = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        conditions = Conditions(folder=Path(folder), quick=False)
        counted: list[float] = []
        uncounted: list[float] = []
        for pair in range(words.pairs):
            sides = [(counted, "services.table"), (uncounted, uncounted_table.__name__)]
            for found, module in sides if pair % 2 else reversed(sides):
                found.append(_milliseconds(conditions, module, words.commands))
    counting = asyncio.run(_counting())
    ratios = [one / other for one, other in zip(counted, uncounted, strict=True)]
    said = {
        "counted_ms": [round(one, 4) for one in counted],
        "uncounted_ms": [round(one, 4) for one in uncounted],
        "ratios": [round(one, 4) for one in ratios],
        "median": round(statistics.median(ratios), 4),
        "counting_ms": round(counting, 5),
        "share": round(counting / min(counted), 4),
    }
    print(json.dumps(said))  # noqa: T201 what it is for


def _milliseconds(conditions: Conditions, module: str, commands: int) -> float:
    """The table worker's processor time of one command."""
    with conditions.fresh_log() as url, serving(conditions, url) as service, _run_as(module):
        table = service.start_table()
        return asyncio.run(_measure(service, table.process.pid, commands))


async def _measure(service: Any, pid: int, commands: int) -> float:
    scripts, lanes = [script(number) for number in range(TABLES)], live_lanes(TABLES)
    said = in_rotation(lanes, commands)
    async with loading(service) as loader:
        await open_all(loader, scripts)
        began = cpu_seconds(pid)
        await loader.at_rate(said, RATE)
        return 1_000 * (cpu_seconds(pid) - began) / commands


async def _counting() -> float:
    """Milliseconds of counting a command, by calls that a match of bots made of it."""
    calls: list[Callable[[], object]] = []
    with ExitStack() as stack:
        for of, name in uncounted_table.COUNTING:
            stack.enter_context(mock.patch.object(of, name, _noting(getattr(of, name), calls)))
        async with Hall() as hall:
            await hall.start(ALL_HOUSE)
            await to_the_end_of_a_round(hall)
            accepted = hall.registry.get_sample_value(
                "waraq_commands_total", {"outcome": "accepted"}
            )
    assert accepted
    began = time.thread_time()
    for _ in range(TIMES):
        for call in calls:
            call()
    return 1_000 * (time.thread_time() - began) / TIMES / accepted


def _noting(real: Callable[..., object], calls: list[Callable[[], object]]) -> Callable[..., None]:
    """Does it, and remembers how to do it again."""

    def noted(*words: Any, **more: Any) -> None:
        calls.append(partial(real, *words, **more))
        real(*words, **more)

    return noted


@contextmanager
def _run_as(module: str) -> Iterator[None]:
    """Whoever starts the table worker meanwhile starts that module in its place."""
    real = subprocess.Popen

    def instead(words: Sequence[Any], **more: Any) -> Any:
        return real([module if word == "services.table" else word for word in words], **more)

    with mock.patch.object(subprocess, "Popen", instead):
        yield


if __name__ == "__main__":
    main()
