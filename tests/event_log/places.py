"""Where a log can be, and what to write into it."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Batch, Entry, EventLog, Reader, Row

PARTITIONS: Final = 2
MATCH: Final = "m_" + "a" * 32
OTHER: Final = "m_" + "b" * 32
THIRD: Final = "m_" + "c" * 32


class Place(Struct, frozen=True):
    """One log. Every call opens another handle on it; all are closed after the test."""

    log: Callable[[], EventLog]
    reader: Callable[[], Reader]


def entry(
    version: int, stream: str = MATCH, *, command: str | None = None, secret: str | None = None
) -> Entry:
    line = f'{{"match":"{stream}","version":{version}}}'
    return Entry(
        stream=stream,
        version=version,
        type="card_played",
        command=command,
        line=line,
        head=next_head(NO_HEAD, line),
        secret=secret,
    )


def entries(first: int, last: int, stream: str = MATCH) -> tuple[Entry, ...]:
    return tuple(entry(version, stream) for version in range(first, last + 1))


def batch(*wanted: Entry) -> Batch:
    return Batch(entries=wanted)


def positions(rows: tuple[Row, ...]) -> list[int]:
    return [row.position for row in rows]


def versions(rows: tuple[Row, ...]) -> list[int]:
    return [row.entry.version for row in rows]
