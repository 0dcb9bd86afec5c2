"""An append to SQLite: several statements in one transaction; nothing lies between it and us."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, TextClause, text

from services.event_log.batches import legible
from services.event_log.database import COLUMNS, Stored
from services.event_log.port import Append, DeadLetter, Entry

# The fence, the positions and what is published, in one statement.
_ADVANCE: Final = text("""
    update partitions set position = position + :count, published = max(published, :published)
    where partition = :partition and epoch = :epoch returning position""")
_INSERT: Final = (
    f"insert into events ({', '.join(COLUMNS)}) values ({', '.join('?' for _ in COLUMNS)})"  # noqa: S608  # our own column names
)
_OPEN: Final = text("""
    insert into open_matches (stream, partition) values (:stream, :partition)
    on conflict do nothing""")
_CLOSE: Final = text("delete from open_matches where stream = :stream")
_BURY: Final = text("""
    insert into dead_letters (subject, body, error, time)
    values (:subject, :body, :error, :time)""")


def append(connection: Connection, appends: Sequence[Append]) -> dict[int, int]:
    """As `Database.append`, in the connection's transaction."""
    found: dict[int, int] = {}
    for one in appends:
        position = _advance(connection, one)
        if position is not None:
            found[one.claim.partition] = position
            _write(connection, one, position)
    return found


def _advance(connection: Connection, one: Append) -> int | None:
    claim, batch = one.claim, one.batch
    change = {
        "partition": claim.partition,
        "epoch": claim.epoch,
        "count": len(batch.entries),
        "published": batch.published,
    }
    position: int | None = connection.scalar(_ADVANCE, change)
    return position


def _write(connection: Connection, one: Append, last: int) -> None:
    """All that the batch holds; `last` is the position of its last entry."""
    partition, batch = one.claim.partition, one.batch
    if batch.entries:
        connection.exec_driver_sql(_INSERT, list(_numbered(partition, last, batch.entries)))
    opened = [{"stream": stream, "partition": partition} for stream in batch.opened]
    _each(connection, _OPEN, opened)
    _each(connection, _CLOSE, [{"stream": stream} for stream in batch.closed])
    _each(connection, _BURY, [_letter(letter) for letter in batch.dead])


def _numbered(partition: int, last: int, entries: Sequence[Entry]) -> Iterator[Stored]:
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


def _each(connection: Connection, statement: TextClause, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)
