"""docs/examples/events_consumer.py on a real broker: each event counted once, whatever happens."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from services.event_log.port import Row
from services.messaging import streams
from services.messaging.jetstream import JetStreamBus
from services.messaging.permissions import ANALYTICS
from services.messaging.port import Message
from services.messaging.server import Broker
from services.table.outbox import event_message
from tests.analytics.lake import golden, many
from tests.broker import bus_as, password, running_broker

pytestmark = pytest.mark.slow

EXAMPLE: Final = Path(__file__).parents[2] / "docs" / "examples" / "events_consumer.py"
PARTITIONS: Final = 3
PATIENCE: Final = 60.0
"""Seconds to wait for what must come."""
GENERATION: Final = 1


def in_partitions(matches: Sequence[Sequence[Row]]) -> list[Row]:
    """All rows, as partitions number them."""
    positions = Counter[int]()
    rows = []
    for number, match in enumerate(matches):
        partition = number % PARTITIONS
        for row in match:
            positions[partition] += 1
            rows.append(replace(row, partition=partition, position=positions[partition]))
    return rows


def published(rows: Sequence[Row], luck: Random) -> list[Message]:
    """Out of order, some said again on purpose, and as the broker's window would not know them."""
    messages = []
    for row in rows:
        messages.append(event_message(row, GENERATION))
        if luck.random() < 0.2:
            messages.append(event_message(row, GENERATION, again=luck.randrange(1, 4)))
    for start in range(0, len(messages), 30):
        part = messages[start : start + 30]
        messages[start : start + 30] = luck.sample(part, k=len(part))
    return messages


def by_day(rows: Sequence[Row]) -> dict[tuple[str, str], int]:
    """What the consumer must have, from the lines."""
    found = Counter[tuple[str, str]]()
    for row in rows:
        day = datetime.fromtimestamp(json.loads(row.entry.line)["time"] / 1000, UTC).date()
        found[day.isoformat(), row.entry.type] += 1
    return dict(found)


def kept(file: Path) -> dict[tuple[str, str], int]:
    with closing(sqlite3.connect(file)) as database:
        return {(day, type_): n for day, type_, n in database.execute("SELECT * FROM days")}


def rows_kept(file: Path) -> int:
    try:
        return sum(kept(file).values())
    except sqlite3.OperationalError:
        return 0  # no table yet


@contextmanager
def consumer(broker: Broker, file: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    entry = {"WARAQ_NATS_URL": broker.url, "WARAQ_NATS_PASSWORD": password(ANALYTICS)}
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLE), str(file), *words],
        env={**os.environ, **entry},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def catch_up(broker: Broker, file: Path) -> None:
    with consumer(broker, file, "--once") as process:
        _, said = process.communicate(timeout=PATIENCE)
        assert (process.returncode, said) == (0, "")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running_broker(tmp_path / "broker") as running:
        yield running


async def the_table(broker: Broker) -> JetStreamBus:
    table = await bus_as(broker, "table")
    await table.ensure(streams.all_streams(PARTITIONS))
    return table


async def until(file: Path, rows: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while rows_kept(file) < rows:
        assert time.monotonic() < deadline, f"{rows_kept(file)} of {rows} came"
        await asyncio.sleep(0.01)


async def test_killed_and_told_again_it_counts_each_event_once(
    broker: Broker, tmp_path: Path
) -> None:
    luck, file = Random(8), tmp_path / "days.db"
    rows = in_partitions(many())
    messages = published(rows, luck)
    assert len(messages) > len(rows) > 5_000
    table = await the_table(broker)
    kills = 6
    for kill in range(kills):
        part = messages[kill * len(messages) // kills : (kill + 1) * len(messages) // kills]
        before = rows_kept(file)
        with consumer(broker, file) as process:
            for start in range(0, len(part), 500):
                await table.publish_confirmed(part[start : start + 500], within=10)
            await until(file, before + luck.randrange(1, 1_000))
            assert process.poll() is None
            process.kill()  # at once, whatever it is doing
    await table.close()
    assert 0 < rows_kept(file) < len(rows)
    await asyncio.to_thread(catch_up, broker, file)
    assert kept(file) == by_day(rows)
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT * FROM ahead").fetchall() == []
        assert database.execute("SELECT * FROM gaps").fetchall() == []
        last = {row.partition: row.position for row in rows}
        assert dict(database.execute("SELECT partition, position FROM cursors")) == last


async def test_all_said_again_changes_nothing(broker: Broker, tmp_path: Path) -> None:
    file, rows = tmp_path / "days.db", in_partitions(golden()[:4])
    table = await the_table(broker)
    for again in (0, 1, 2):
        messages = [event_message(row, GENERATION, again=again) for row in rows]
        await table.publish_confirmed(messages, within=10)
        await asyncio.to_thread(catch_up, broker, file)
        assert kept(file) == by_day(rows)
    await table.close()


async def test_what_events_has_dropped_is_a_gap_that_is_told(
    broker: Broker, tmp_path: Path
) -> None:
    """The first positions are gone; what comes is counted, and the gap is closed in the end."""
    file = tmp_path / "days.db"
    (row, *_) = golden()[0]
    table = await the_table(broker)
    late = [replace(row, partition=0, position=at) for at in (100, 101, 10_103)]
    await table.publish_confirmed([event_message(one, GENERATION) for one in late], within=10)
    await asyncio.to_thread(catch_up, broker, file)
    await table.close()
    assert rows_kept(file) == 3
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT * FROM gaps").fetchall() == [(1, 0, 1, 99)]
        assert database.execute("SELECT position FROM cursors").fetchall() == [(101,)]


def test_where_events_is_not_there_it_says_so(broker: Broker, tmp_path: Path) -> None:
    with consumer(broker, tmp_path / "days.db") as process:
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "stream not found" in said
