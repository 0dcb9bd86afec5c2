"""What a command costs each process, and what it leaves behind: capacity is reckoned from it."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from services.cli.bench import raw
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Figure, Found, figure
from services.cli.bench.load import Loader, in_rotation, live_lanes, loading, open_all
from services.cli.bench.matches import script
from services.cli.bench.service import Service, cpu_seconds, serving
from services.event_log.sql import open_log

RATE: Final = 500.0
"""Commands a second."""
TABLES: Final = 50
RUNS: Final = 3
_POSTGRES: Final = "postgres"


class Behind(Struct, frozen=True):
    """What is there after some commands, or came of them: events, and bytes of them."""

    events: int
    log: int
    stream: int

    def since(self, before: "Behind") -> "Behind":
        return Behind(
            self.events - before.events, self.log - before.log, self.stream - before.stream
        )


def costs(conditions: Conditions) -> Found:
    """CPU time a command of broker, table, scoring and database; events and bytes a command."""
    with conditions.fresh_log() as url, serving(conditions, url) as service:
        return Found(asyncio.run(_measure(conditions, service, url)))


async def _measure(conditions: Conditions, service: Service, url: str) -> tuple[Figure, ...]:
    commands = conditions.many(4_000, 500)
    scripts, lanes = [script(number) for number in range(TABLES)], live_lanes(TABLES)
    said = [in_rotation(lanes, commands) for _ in range(RUNS)]
    table, scoring = service.start_table(), service.start_scoring()
    ours = {
        "the broker": service.broker.pid,
        "the table worker": table.process.pid,
        "the scoring worker": scoring.process.pid,
    }
    async with loading(service) as loader:
        await open_all(loader, scripts)
        before, used = _behind(service, url), []
        for some in said:
            began = _seconds(conditions, url, ours)
            await loader.at_rate(some, RATE)
            ended = _seconds(conditions, url, ours)
            used.append({name: ended[name] - began[name] for name in began})
        left = _behind(service, url).since(before)
        return (*_times(used, commands), *_left(left, RUNS * commands), _told(loader))


def _seconds(conditions: Conditions, url: str, ours: Mapping[str, int]) -> dict[str, float]:
    """What each process has used so far; the database is one of them if it runs here."""
    found = {name: cpu_seconds(pid) for name, pid in ours.items()}
    if conditions.database == "postgresql":
        here = [used for pid in raw.backends(url) if (used := _of_postgres(pid)) is not None]
        found |= {"the database": sum(here)} if here else {}
    return found


def _of_postgres(pid: int) -> float | None:
    """None if it is no process of this machine, since a server elsewhere numbers its own; or none
    any more, as those that come for a while.
    """
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        return cpu_seconds(pid) if name == _POSTGRES else None
    except FileNotFoundError:
        return None


def _behind(service: Service, url: str) -> Behind:
    with closing(open_log(url)) as log:
        events = sum(log.position(number) for number in range(log.info().partitions))
    return Behind(events, raw.log_bytes(url), _in_stream(service))


def _times(used: list[dict[str, float]], commands: int) -> list[Figure]:
    return [
        figure(f"{name}'s CPU time a command", "ms", [1_000 * run[name] / commands for run in used])
        for name in used[0]
    ]


def _left(left: Behind, commands: int) -> list[Figure]:
    return [
        figure("events a command", "events", [left.events / commands]),
        figure("an event in the log", "bytes", [left.log / left.events]),
        figure("an event in the broker's stream, one copy", "bytes", [left.stream / left.events]),
    ]


def _told(loader: Loader) -> Figure:
    return figure("an event on a player's feed", "bytes", [loader.event_bytes / loader.events])


def _in_stream(service: Service) -> int:
    """Bytes of the broker's files that hold EVENTS."""
    blocks = service.place.broker.glob("store/**/EVENTS/msgs/*.blk")
    return sum(block.stat().st_size for block in blocks)
