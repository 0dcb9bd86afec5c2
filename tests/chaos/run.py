"""The chaos run: a real broker, a real log, workers as processes, and bad days in all of them.

    python -m tests.chaos.run --database sqlite --kills 100 --zombies 12 --seed 1 [--cluster]

Progress on stderr, one JSON line of numbers on stdout; exit code 4 if an invariant does not hold.
`--keep DIR` leaves every process's words and the log's file there.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from services.event_log.sql import open_reader
from services.runtime.logs import log_to_stderr
from services.runtime.tasks import end
from tests.broker import SPY
from tests.chaos import verdict
from tests.chaos.brokers import Cluster, OneBroker
from tests.chaos.hazards import perform
from tests.chaos.kills import Killer
from tests.chaos.schedule import Hazard, Kill, Schedule, Wanted, draw
from tests.chaos.seat import Guest
from tests.chaos.stage import PLAYERS, Stage
from tests.chaos.tables import Tables
from tests.chaos.workers import count_said
from tests.chaos.zombies import FENCED
from tests.invariants import (
    NOTHING_IN_LOG,
    NOTHING_IN_STREAM,
    by_stream,
    count_log,
    count_published,
    published,
    rows_of,
)
from tests.waiting import until

DIFFERENCE: Final = 4
"""The exit code when an invariant does not hold."""
SETTLE_WITHIN: Final = 240.0
"""Seconds that what was opened has to come to its end once nothing goes wrong any more."""
CAUGHT_UP_WITHIN: Final = 30.0
"""Seconds that the standings have to catch up with the log."""
BEGUN_WITHIN: Final = 60.0
TRIES: Final = 5
"""How often a fault that did not come about is tried again."""
SAY_EVERY: Final = 5.0
"""Seconds between two lines of progress."""


class Chaos:
    """Two lists of faults, carried out at the same time beside the load."""

    def __init__(self, stage: Stage, schedule: Schedule, random: Random) -> None:
        self.stage = stage
        self.schedule = schedule
        self.killer = Killer(stage, random)
        self.happened: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    async def go(self) -> None:
        """Until everything has happened."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._kills())
            group.create_task(self._hazards())

    @property
    def kills(self) -> int:
        return self.stage.crew.killed.total()

    async def _kills(self) -> None:
        for kill in self.schedule.kills:
            await self._again(kill)

    async def _again(self, kill: Kill) -> None:
        """Until somebody died of it; a point that was not reached need be passed less often, and
        in the end not at all.
        """
        for tried in range(TRIES):
            await asyncio.sleep(kill.pause)
            easier = replace(kill, passes=max(1, kill.passes >> tried))
            if await self.killer.kill(easier):
                return
        await self.killer.kill(replace(kill, point=None))

    async def _hazards(self) -> None:
        for hazard in self.schedule.hazards:
            if await self._come_about(hazard):
                self.happened[hazard.name] += 1
            else:
                self.failed[hazard.name] += 1

    async def _come_about(self, hazard: Hazard) -> bool:
        for _ in range(TRIES):
            await asyncio.sleep(hazard.pause)
            if await perform(self.stage, hazard):
                return True
        return False


async def run(wanted: Wanted, folder: Path) -> dict[str, Any]:
    """Play, let things go wrong, let everything end, and count."""
    began, random = time.monotonic(), Random(wanted.seed)
    async with Stage(folder, wanted.database, Cluster if wanted.cluster else OneBroker) as stage:
        guests = [Guest(player) for player in PLAYERS]
        for guest in guests:
            await guest.enter(await stage.bus(guest.player))
        tables = Tables(guests, random, at_once=wanted.at_once)
        chaos = Chaos(stage, draw(wanted), random)
        saying = asyncio.create_task(_say_on(chaos, tables))
        loading = asyncio.create_task(tables.run())
        try:
            await _go_wrong(chaos, tables, loading)
        finally:
            await end(saying, loading)
        found = {"database": wanted.database, "cluster": wanted.cluster, "seed": wanted.seed}
        found |= _faults(chaos) | await _count(stage, tables)
        for guest in guests:
            await guest.leave()
    return found | {"seconds": round(time.monotonic() - began)}


async def _go_wrong(chaos: Chaos, tables: Tables, loading: asyncio.Task[None]) -> None:
    stage = chaos.stage
    await until(lambda: _appended(stage), "the first event", within=BEGUN_WITHIN)
    _say("the first events are in the log")
    await chaos.go()
    _say("nothing goes wrong any more; what was opened is played to its end")
    tables.closing.set()
    _, late = await asyncio.wait([loading], timeout=SETTLE_WITHIN)
    if not late:
        loading.result()


def _appended(stage: Stage) -> bool:
    return any(one.position for one in stage.owners().values())


def _faults(chaos: Chaos) -> dict[str, Any]:
    """What went wrong, as numbers."""
    return {
        "kills": chaos.kills,
        "killed": dict(chaos.stage.crew.killed),
        "table_killed": dict(chaos.killer.at),
        "zombies": chaos.happened["zombie"],
        "zombies_never_fenced": chaos.stage.never_fenced,
        "hazards": {name: n for name, n in chaos.happened.items() if name != "zombie"},
        "not_come_about": dict(chaos.failed),
    }


async def _count(stage: Stage, tables: Tables) -> dict[str, Any]:
    """Every invariant, once the workers have ended."""
    log = open_reader(stage.log_url)
    try:
        with suppress(AssertionError):  # what is missing is counted
            await until(
                lambda: not verdict.standings_differ(stage.standings_url, log),
                "the standings",
                within=CAUGHT_UP_WITHIN,
            )
        await stage.crew.stop()
        rows = rows_of(log)
        matches = {match: verdict.fold(stream) for match, stream in by_stream(rows).items()}
        found = count_log(log, rows)
        found["standings_other"] = verdict.standings_differ(stage.standings_url, log)
    finally:
        log.close()
    bus = await stage.bus(SPY)
    found |= count_published(rows, await published(bus, len(rows)))
    await bus.close()
    found |= verdict.count_records(tables.records, matches)
    found["epochs"] = sum(one.epoch for one in stage.owners().values())
    found["fenced"] = count_said(stage.crew.of("table"), FENCED)
    found["matches_opened"], found["matches_played"] = tables.opened, tables.played
    found["waiting"] = verdict.waiting(matches)
    found["surprises"] = dict(tables.surprises)
    found["workers_ended"] = dict(stage.crew.ended)
    found["workers_failed"] = stage.crew.unexpected()
    return found


NOTHING: Final = (
    *verdict.NOTHING,
    *NOTHING_IN_LOG,
    *NOTHING_IN_STREAM,
    "standings_other",
    "zombies_never_fenced",
    "workers_failed",
    "surprises",
    "not_come_about",
)
"""What must be 0, or empty, after any run."""


def broken(found: dict[str, Any], wanted: Wanted) -> list[str]:
    """The invariants that do not hold, and what did not happen although it was wanted."""
    bad = [name for name in NOTHING if found[name]]
    bad += [] if found["positions_whole"] else ["positions_whole"]
    bad += [] if found["matches_played"] == found["matches_opened"] else ["matches_played"]
    bad += ["kills"] if found["kills"] < wanted.kills else []
    return bad + (["zombies"] if found["zombies"] < wanted.zombies else [])


async def _say_on(chaos: Chaos, tables: Tables) -> None:
    wanted = chaos.schedule
    while True:
        await asyncio.sleep(SAY_EVERY)
        _say(
            f"{chaos.kills} of {len(wanted.kills)} kills,"
            f" {chaos.happened.total()} of {len(wanted.hazards)} hazards,"
            f" {tables.played} of {tables.opened} matches"
        )


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _wanted() -> tuple[Wanted, Path | None]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--zombies", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cluster", action="store_true", help="three brokers, streams in three")
    parser.add_argument("--keep", type=Path, help="a folder that is left behind")
    words = vars(parser.parse_args())
    keep: Path | None = words.pop("keep")
    return Wanted(**words), keep


async def _run_until_asked_to_stop(wanted: Wanted, folder: Path) -> dict[str, Any]:
    """As `run`; SIGTERM too leaves no process behind."""
    task = asyncio.ensure_future(run(wanted, folder))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def main() -> None:
    log_to_stderr("chaos", "error")
    wanted, keep = _wanted()
    with tempfile.TemporaryDirectory(prefix="waraq-chaos-") as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        found = asyncio.run(_run_until_asked_to_stop(wanted, folder))
    sys.stdout.write(json.dumps(found) + "\n")
    bad = broken(found, wanted)
    if bad:
        _say(f"does not hold: {', '.join(bad)}")
    sys.exit(DIFFERENCE if bad else 0)


if __name__ == "__main__":
    main()
