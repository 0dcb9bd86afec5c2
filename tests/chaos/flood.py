"""One player floods: how the others fare, quiet and flooded in one run.

    python -m tests.chaos.flood --seconds 15 --matches 1 --rate 10000

People play on several tables; what is measured is the time from a move to its event at its author.
Then one more player says what is refused, as fast as a line of 12 Mbit/s carries it (or, with
`--rate 0`, as fast as this machine does), in one match or in many that he made up. One JSON line of
numbers on stdout; exit code 4 if it was no flood or the broker discarded nothing of it, the player
was not cut off, or the others waited more than `WORSE` times as long. The flooding process runs at
the lowest priority: on one machine it would else take processors that in life are not its own.
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

from msgspec import Struct
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
RATE: Final = 10_000.0
"""Commands a second: with their subjects and the protocol's words some 150 bytes each."""
LEAST_SAID: Final = 0.5
"""Of that rate, what must have been said to call it a flood; who is cut off says less."""
WARM_UP: Final = 6.0
"""Seconds in which nothing is measured."""
TABLES_AT_ONCE: Final = 5
PEOPLE: Final = (
    Table(HokmOptions(), people(4)),
    Table(HandOptions(variant="classic", seats=2, rounds=3), people(2)),
)
FLOODING: Final = PLAYERS[-1]


class Flood(Struct, frozen=True):
    """For so many seconds, in so many matches, at so many commands a second; 0 is no limit."""

    seconds: float
    matches: int
    rate: float


async def run(flood: Flood, database: Database, folder: Path) -> dict[str, Any]:
    """Measure in quiet, then flooded."""
    async with Stage(folder, database, OneBroker, proxied=False) as stage:
        guests = [Guest(player) for player in PLAYERS if player != FLOODING]
        for guest in guests:
            await guest.enter(await stage.bus(guest.player))
        tables = Tables(guests, Random(1), at_once=TABLES_AT_ONCE, kinds=PEOPLE)
        loading = asyncio.create_task(tables.run())
        try:
            found = await _measure(stage, tables, flood)
        finally:
            await end(loading)
            for guest in guests:
                await guest.leave()
    return {"database": database, "matches_flooded": flood.matches, **found}


async def _measure(stage: Stage, tables: Tables, flood: Flood) -> dict[str, Any]:
    await asyncio.sleep(WARM_UP)
    quiet = time.monotonic()
    await asyncio.sleep(flood.seconds)
    before, flooded = await _stream(stage), time.monotonic()
    flooding = await _flood(stage, flood)
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
        "flood_said_a_second": round(flooding["said"] / flood.seconds),
        "flood_discarded_at_least": flooding["said"] - stored,
        "flood_cut_off": flooding["cut_off"],
    }


def _ms(answers: list[Answer], percent: int) -> float:
    return round(quantiles([one.seconds for one in answers], n=100)[percent - 1] * 1000, 2)


async def _flood(stage: Stage, flood: Flood) -> dict[str, int]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.chaos.flooder",
        FLOODING,
        str(flood.seconds),
        str(flood.matches),
        str(flood.rate),
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
    flooded = found["flood_said_a_second"] >= LEAST_SAID * RATE
    discarded = found["flood_discarded_at_least"] > 0 and found["flood_cut_off"] > 0
    return bool(flooded and discarded and found["p99_ms_flooded"] <= WORSE * found["p99_ms_quiet"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--rate", type=float, default=RATE)
    asked = parser.parse_args()
    flood = Flood(asked.seconds, asked.matches, asked.rate)
    with tempfile.TemporaryDirectory(prefix="waraq-flood-") as folder:
        found = asyncio.run(run(flood, asked.database, Path(folder)))
    sys.stdout.write(json.dumps(found) + "\n")
    sys.exit(0 if holds(found) else DIFFERENCE)


if __name__ == "__main__":
    main()
