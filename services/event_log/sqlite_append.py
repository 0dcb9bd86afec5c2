"""An append to SQLite: several statements in one transaction; nothing lies between it and us."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

from services.event_log.batches import legible
from services.event_log.database import COLUMNS
from services.event_log.port import Append, DeadLetter, Entry

_Stored = tuple[int, int, str, int, str, str | None, str, str, str | None]
"""One row of `events`, as COLUMNS."""

# The fence, the positions and what is published, in one statement.
_ADVANCE: Final = """
    update partitions set position = position + :count, published = max(published, :published)
    where partition = :partition and epoch = :epoch returning position"""
_INSERT: Final = (
    f"insert into events ({', '.join(COLUMNS)}) values ({', '.join('?' for _ in COLUMNS)})"  # noqa: S608  # our own column names
)
_OPEN: Final = """
    insert into open_matches (stream, partition) values (:stream, :partition)
    on conflict do nothing"""
_CLOSE: Final = "delete from open_matches where stream = :stream"
_BURY: Final = """
    insert into dead_letters (subject, body, error, time)
    values (:subject, :body, :error, :time)"""


def append(connection: sqlite3.Connection, appends: Sequence[Append]) -> dict[int, int]:
    """As `Database.append`."""
    connection.execute("begin immediate")
    try:
        found = _appended(connection, appends)
        connection.execute("commit")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # the connection is not used again anyway
            connection.execute("rollback")
        raise
    return found


def _appended(connection: sqlite3.Connection, appends: Sequence[Append]) -> dict[int, int]:
    found: dict[int, int] = {}
    for one in appends:
        position = _advance(connection, one)
        if position is not None:
            found[one.claim.partition] = position
            _write(connection, one, position)
    return found


def _advance(connection: sqlite3.Connection, one: Append) -> int | None:
    claim, batch = one.claim, one.batch
    change = {
        "partition": claim.partition,
        "epoch": claim.epoch,
        "count": len(batch.entries),
        "published": batch.published,
    }
    row = connection.execute(_ADVANCE, change).fetchone()
    return None if row is None else int(row[0])


def _write(connection: sqlite3.Connection, one: Append, last: int) -> None:
    """All that the batch holds; `last` is the position of its last entry."""
    partition, batch = one.claim.partition, one.batch
    connection.executemany(_INSERT, _numbered(partition, last, batch.entries))
    opened = [{"stream": stream, "partition": partition} for stream in batch.opened]
    connection.executemany(_OPEN, opened)
    connection.executemany(_CLOSE, [{"stream": stream} for stream in batch.closed])
    connection.executemany(_BURY, [_letter(letter) for letter in batch.dead])


def _numbered(partition: int, last: int, entries: Sequence[Entry]) -> Iterator[_Stored]:
    for position, e in enumerate(entries, last - len(entries) + 1):
        yield (
            partition, position, e.stream, e.version, e.type, e.command, e.line, e.head, e.secret,
        )  # fmt: skip


def _letter(letter: DeadLetter) -> dict[str, Any]:
    return {
        "subject": letter.subject,
        "body": letter.body,
        "error": legible(letter),
        "time": letter.time,
    }
