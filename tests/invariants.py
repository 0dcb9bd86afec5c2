"""What must hold of a log and of the stream EVENTS after any run, as numbers.

Used by the runs that kill (tests/service/kill_run.py, tests/chaos) and by tests/drills.
"""

import contextlib
import json
from collections import Counter
from typing import Any, Final

from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Reader, Row
from services.messaging import streams
from services.messaging.port import Bus, ConsumerSpec, Delivery
from services.replay.audit_log import audit_all
from services.table.live import rebuild
from services.table.outbox import position_of
from tests.waiting import until

EVERYTHING: Final = ConsumerSpec(
    stream=streams.EVENTS, name="invariants", filter="event.>", max_pending=1_000_000
)
EVENTS_WITHIN: Final = 30.0
"""Seconds that the stream EVENTS has to hold the whole log once all is quiet."""
Lines = dict[tuple[int, int], str]
"""Lines of events by partition and position."""
NOTHING_IN_LOG: Final = (
    "heads_broken",
    "commands_doubled",
    "moves_doubled",
    "matches_not_over",
    "audit_bad",
)
"""Numbers of `count_log` that are 0 once all matches have ended."""
NOTHING_IN_STREAM: Final = ("not_in_stream", "in_stream_without_row", "other_in_stream")
"""Numbers of `count_published` that are 0 if the stream lost nothing."""


def rows_of(log: Reader) -> list[Row]:
    """The whole log, one partition after another."""
    rows: list[Row] = []
    for partition in range(log.info().partitions):
        last = 0
        while page := log.read(partition, last):
            rows += page
            last = page[-1].position
    return rows


def by_stream(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows of each match, in order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.entry.stream, []).append(row)
    return found


def count_log(log: Reader, rows: list[Row]) -> dict[str, Any]:
    """What must hold of the log alone."""
    commands = Counter((r.entry.stream, r.entry.command) for r in rows if r.entry.command)
    of_streams = by_stream(rows)
    states = [rebuild(stream) for stream in of_streams.values()]
    return {
        "events": len(rows),
        "positions_whole": _dense(rows),
        "heads_broken": sum(_broken(stream) for stream in of_streams.values()),
        "commands": commands.total(),
        "commands_doubled": commands.total() - len(commands),
        "moves_doubled": _moves_doubled(of_streams),
        "matches_in_log": len(of_streams),
        "matches_not_over": sum(live is None or not live.state.over for live in states),
        "audit_bad": sum(not finding.ok for finding in audit_all(log)),
    }


def count_published(rows: list[Row], published: Lines) -> dict[str, int]:
    """How the stream EVENTS differs from the log."""
    lines = {(row.partition, row.position): row.entry.line for row in rows}
    return {
        "not_in_stream": len(lines.keys() - published.keys()),
        "in_stream_without_row": len(published.keys() - lines.keys()),
        "other_in_stream": sum(lines.get(at) != line for at, line in published.items()),
    }


async def published(bus: Bus, events: int) -> Lines:
    """The stream EVENTS once it holds `events` or time is up."""
    found: Lines = {}

    def hear(delivery: Delivery) -> None:
        message = delivery.message
        partition = int(message.subject.split(".")[1])
        found[partition, position_of(message)] = message.data.decode()
        delivery.ack()

    await bus.consume(EVERYTHING, hear)
    with contextlib.suppress(AssertionError):  # what is missing is counted
        await until(lambda: len(found) >= events, "the whole log", within=EVENTS_WITHIN)
    return found


def _dense(rows: list[Row]) -> bool:
    """Positions are 1..n in each partition."""
    positions: dict[int, list[int]] = {}
    for row in rows:
        positions.setdefault(row.partition, []).append(row.position)
    return all(found == list(range(1, len(found) + 1)) for found in positions.values())


def _broken(stream: list[Row]) -> bool:
    """True if a version is missing or a head does not follow from the one before."""
    head = NO_HEAD
    for version, row in enumerate(stream, 1):
        head = next_head(head, row.entry.line)
        if row.entry.version != version or row.entry.head != head:
            return True
    return False


def _moves_doubled(of_streams: dict[str, list[Row]]) -> int:
    """Trumps and cards of Hokm that stand in the log beyond what a round can hold."""
    doubled = 0
    for stream in of_streams.values():
        cards: Counter[str] = Counter()
        for row in stream:
            if row.entry.type == "five_dealt":
                cards.clear()
            if row.entry.type in ("card_played", "trump_chosen"):
                body = json.loads(row.entry.line)["body"]
                said = "trump" if row.entry.type == "trump_chosen" else body["card"]
                cards[said] += 1
                doubled += cards[said] > 1
    return doubled
