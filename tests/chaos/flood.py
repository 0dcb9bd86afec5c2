"""One player floods: how the others fare, quiet and flooded in one run.

    python -m tests.chaos.flood --seconds 15 --matches 1

People play on several tables; what is measured is the time from a move to its event at its author.
Then one more player says what is refused as fast as it can, in one match or in many that he made
up. One JSON line of numbers on stdout;
exit code 4 if it was no flood or the broker discarded nothing of it, the player was not cut off, or
the others waited more than `WORSE` times as long. The flooding process runs at the lowest priority:
on one machine it would else take the processors, which in life are not its own.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any, Final

from nats.js.api import StreamState

from schemas.commands import HandOptions, HokmOptions
from services.messaging import streams
from services.messaging.jetstream_link import Link, open_client
from services.runtime.tasks import end
from tests.broker import SPY, password
from tests.chaos.brokers import OneBroker
from tests.chaos.record import Answer
from tests.chaos.seat import Guest
from tests.chaos.stage import PLAYERS, Database, Stage
from tests.chaos.tables import Table, Tables, people

DIFFERENCE: Final = 4
WORSE: Final = 3.0
"""How much longer than in quiet the slowest hundredth of the others' moves may take."""
NICEST: Final = 19
LEAST_SAID: Final = 1_000.0
"""Commands a second of what deserves to be called a flood."""
WARM_UP: Final = 3.0
"""Seconds in which nothing is measured."""
TABLES_AT_ONCE: Final = 5
PEOPLE: Final = (
    Table(HokmOptions(), people(4)),
    Table(HandOptions(variant="classic", seats=2, rounds=3), people(2)),
)
FLOODING: Final = PLAYERS[-1]


async def run(seconds: float, matches: int, database: Database, folder: Path) -> dict[str, Any]:
    """Measure in quiet, then flooded."""
    async with Stage(folder, database, OneBroker, proxied=False) as stage:
        guests = [Guest(player) for player in PLAYERS if player != FLOODING]
        for guest in guests:
            await guest.enter(await stage.bus(guest.player))
        tables = Tables(guests, Random(1), at_once=TABLES_AT_ONCE, kinds=PEOPLE)
        loading = asyncio.create_task(tables.run())
        try:
            found = await _measure(stage, tables, seconds, matches)
        finally:
            await end(loading)
            for guest in guests:
                await guest.leave()
    return {"database": database, "matches_flooded": matches, **found}


async def _measure(stage: Stage, tables: Tables, seconds: float, matches: int) -> dict[str, Any]:
    await asyncio.sleep(WARM_UP)
    quiet = time.monotonic()
    await asyncio.sleep(seconds)
    before, flooded = await _stream(stage), time.monotonic()
    flooding = await _flood(stage, seconds, matches)
    after, over = await _stream(stage), time.monotonic()
    answers = [answer for record in tables.records for answer in record.answers]
    in_quiet = [answer for answer in answers if quiet <= answer.at < flooded]
    in_flood = [answer for answer in answers if flooded <= answer.at < over]
    stored = after.last_seq - before.last_seq
    return {
        "moves_quiet": len(in_quiet),
        "moves_flooded": len(in_flood),
        "p50_ms_quiet": _ms(in_quiet, 50),
        "p50_ms_flooded": _ms(in_flood, 50),
        "p99_ms_quiet": _ms(in_quiet, 99),
        "p99_ms_flooded": _ms(in_flood, 99),
        "flood_said": flooding["said"],
        "flood_said_a_second": round(flooding["said"] / seconds),
        "flood_discarded_at_least": flooding["said"] - stored,
        "flood_cut_off": flooding["cut_off"],
    }


def _ms(answers: list[Answer], percent: int) -> float:
    return round(quantiles([one.seconds for one in answers], n=100)[percent - 1] * 1000, 2)


async def _flood(stage: Stage, seconds: float, matches: int) -> dict[str, int]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.chaos.flooder",
        FLOODING,
        str(seconds),
        str(matches),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # Somebody else's machine: what the flood costs its author is no part of what it costs us.
        preexec_fn=partial(os.nice, NICEST),
    )
    said, _ = await process.communicate(f"{stage.urls()}\n".encode())
    found: dict[str, int] = json.loads(said)
    return found


async def _stream(stage: Stage) -> StreamState:
    """The counters of COMMANDS: what is discarded gets no sequence number."""
    client = await open_client(stage.urls(), SPY, password(SPY), Link("counter", None), 10.0)
    try:
        info = await client.jetstream().stream_info(streams.COMMANDS)
    finally:
        await client.close()
    return info.state


def holds(found: dict[str, Any]) -> bool:
    """What the run is for."""
    discarded = found["flood_discarded_at_least"] > 0 and found["flood_cut_off"] > 0
    discarded = discarded and found["flood_said_a_second"] >= LEAST_SAID
    return bool(discarded and found["p99_ms_flooded"] <= WORSE * found["p99_ms_quiet"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="waraq-flood-") as folder:
        found = asyncio.run(run(asked.seconds, asked.matches, asked.database, Path(folder)))
    sys.stdout.write(json.dumps(found) + "\n")
    sys.exit(0 if holds(found) else DIFFERENCE)


if __name__ == "__main__":
    main()
