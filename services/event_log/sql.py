"""The log in SQL, on SQLite and PostgreSQL: SQLAlchemy Core, never the ORM; how each of them is
appended to is its own.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, TextClause, inspect, make_url, text
from sqlalchemy import Row as SqlRow
from sqlalchemy.exc import ArgumentError

from services.event_log.batches import check
from services.event_log.database import COLUMNS, Database, DriverConnection, faults
from services.event_log.port import (
    FORMAT,
    PARTITIONS_READ,
    READ_ROWS,
    Append,
    Batch,
    Claim,
    Crew,
    DeadLetter,
    Entry,
    EventLog,
    Fenced,
    LogError,
    LogInfo,
    LogMissing,
    LogUnreachable,
    Reader,
    Row,
)
from services.event_log.postgres import PostgresDatabase
from services.event_log.sqlite import SqliteFile

ALL_ROWS: Final = 2**31 - 1
"""The limit of a query without one, in words that both databases take."""

_log = logging.getLogger(__name__)

_COLUMNS: Final = ", ".join(COLUMNS)
_KINDS: Final = frozenset(
    (int, int, str, int, str, command, str, str, secret)
    for command in (str, type(None))
    for secret in (str, type(None))
)
"""What the columns of a row are."""
_INFO: Final = text("select format, generation, partitions from log")
_LOAD: Final = text(f"""
    select {_COLUMNS} from events
    where stream = :stream and version > :after order by version limit :limit""")  # noqa: S608  # our own column names
_READ: Final = text(f"""
    select {_COLUMNS} from events
    where partition = :partition and position > :after order by position limit :limit""")  # noqa: S608  # as _LOAD
_POSITION: Final = text("select position from partitions where partition = :partition")
# One index seek a stream, where `distinct` would walk every event of all of them.
_STREAMS: Final = text("""
    with recursive found(stream, number) as (
        select min(stream), 1 from events where stream > :after
        union all
        select (select min(stream) from events where stream > found.stream), number + 1
        from found where found.stream is not null and number < :limit)
    select stream from found where stream is not null and number <= :limit order by stream""")
_OPEN_STREAMS: Final = text(
    "select stream from open_matches where partition = :partition order by stream"
)
_DEAD_LETTERS: Final = text("""
    select id, subject, body, error, time from dead_letters
    where id > :after order by id limit :limit""")
_CLAIM: Final = text("""
    update partitions set epoch = epoch + 1, owner = :owner
    where partition = :partition returning epoch, position, published""")


def open_log(url: str) -> EventLog:
    """The log at `sqlite:///path` or `postgresql://…`, to append to.

    Raises `LogMissing`, `LogUnreachable`.
    """
    log = SqlLog(locate(url))
    log.require()
    return log


def open_reader(url: str) -> Reader:
    """The log at `url`, on connections that cannot write; raises as `open_log`."""
    reader = SqlReader(locate(url))
    reader.require()
    return reader


def file_url(path: Path) -> str:
    """The URL of a log in the SQLite file `path`."""
    return URL.create("sqlite", database=str(path)).render_as_string()


def locate(url: str) -> Database:
    """The database that `url` names, not connected yet; raises `LogError` for another kind."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise LogError("a log's URL is sqlite:///path or postgresql://…") from None
    kind = parsed.drivername.partition("+")[0]
    if kind == "sqlite" and parsed.database and parsed.database != ":memory:":
        return SqliteFile(Path(parsed.database))
    if kind in {"postgresql", "postgres"}:
        return PostgresDatabase(parsed)
    raise LogError(f"a log's URL is sqlite:///path or postgresql://…, not {kind}://…")


class SqlReader:
    """A `Reader` on a pool of connections that cannot write. Safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self.name: Final = database.name
        self._reading = database.reading()

    def require(self) -> None:
        """Raises `LogMissing` if there is no log, or one of another format; is closed then."""
        try:
            with self._connected() as connection:
                found = stored_info(connection, self.name).format
            if found != FORMAT:
                raise LogMissing(
                    f"the log at {self.name} has format {found}, not {FORMAT}: "
                    "run `waraq db upgrade`"
                )
        except LogError:
            self.close()
            raise

    def info(self) -> LogInfo:
        """Does not ask whether there is a log, as its opening did: each claim would pay for it."""
        with self._connected() as connection:
            return _said_info(connection)

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        wanted = {"stream": stream, "after": after, "limit": ALL_ROWS if limit is None else limit}
        return self._rows(_LOAD, wanted)

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        return self._rows(_READ, {"partition": partition, "after": after, "limit": limit})

    def position(self, partition: int) -> int:
        with self._connected() as connection:
            found = connection.scalar(_POSITION, {"partition": partition})
        if found is None:
            raise _no_partition(partition)
        if type(found) is not int:
            raise LogError(f"partition {partition} says {found!a} of its last position")
        return found

    def streams(self, *, after: str = "", limit: int = READ_ROWS) -> tuple[str, ...]:
        with self._connected() as connection:
            found = connection.scalars(_STREAMS, {"after": after, "limit": limit})
            return tuple(stream for stream in found if isinstance(stream, str))  # as in `_row`

    def open_streams(self, partition: int) -> tuple[str, ...]:
        with self._connected() as connection:
            return tuple(connection.scalars(_OPEN_STREAMS, {"partition": partition}))

    def dead_letters(self, *, after: int = 0, limit: int = READ_ROWS) -> tuple[DeadLetter, ...]:
        with self._connected() as connection:
            found = connection.execute(_DEAD_LETTERS, {"after": after, "limit": limit})
            return tuple(
                DeadLetter(id=id_, subject=subject, body=body, error=error, time=time)
                for id_, subject, body, error, time in found
            )

    def close(self) -> None:
        self._reading.dispose()

    def _rows(self, query: TextClause, wanted: dict[str, Any]) -> tuple[Row, ...]:
        with self._connected() as connection:
            return tuple(_row(stored) for stored in connection.execute(query, wanted))

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with faults(), self._reading.connect() as connection:
            yield connection


class SqlLog(SqlReader):
    """An `EventLog`: a reader, as the port's is, with connections that write and with locks."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._writing = database.writing()
        self._locks = database.locks()
        self._database = database

    def hold(self, partition: int) -> bool:
        return self._locks.hold(partition)

    def release(self, partition: int) -> None:
        self._locks.release(partition)

    def join(self) -> Crew:
        return self._locks.join()

    def leave(self) -> None:
        self._locks.leave()

    def claim(self, partition: int, owner: str) -> Claim:
        with faults(), self._writing.begin() as connection:
            wanted = {"partition": partition, "owner": owner}
            found = connection.execute(_CLAIM, wanted).one_or_none()
            if found is None:
                raise _no_partition(partition)
            epoch, position, published = found
        return Claim(partition=partition, epoch=epoch, position=position, published=published)

    def append(self, claim: Claim, batch: Batch) -> int:
        position = self._append((Append(claim, batch),), waits=True).get(claim.partition)
        if position is None:
            raise Fenced(f"partition {claim.partition} has been claimed since")
        return position

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        """In one transaction: what is wrong with one batch makes it nobody's."""
        try:
            found = self._append(appends, waits=False)
        except LogUnreachable:
            raise
        except LogError as error:
            reason = f"{type(error).__name__}: {error}"
            _log.warning("what failed together is tried alone", extra={"reason": reason})
            found = {}
        return tuple(found.get(one.claim.partition) for one in appends)

    def _append(self, appends: Sequence[Append], *, waits: bool) -> dict[int, int]:
        for one in appends:
            check(one.batch)
        if len({one.claim.partition for one in appends}) < len(appends):
            raise LogError("a partition is appended to twice at once")
        try:
            with faults(), self._driver() as driver:
                return self._database.append(driver, appends, waits=waits)
        except LogUnreachable:
            self._writing.dispose()  # the pool's other connections are as dead, or soon will be
            raise

    @contextmanager
    def _driver(self) -> Iterator[DriverConnection]:
        """A connection of the pool that writes; one on which something failed is not used again."""
        pooled = self._writing.raw_connection()
        try:
            yield pooled.driver_connection
        except BaseException:
            pooled.invalidate()
            raise
        finally:
            pooled.close()

    def close(self) -> None:
        self._locks.leave()
        self._writing.dispose()
        super().close()


def stored_info(connection: Connection, name: str) -> LogInfo:
    """What the log says of itself; raises `LogMissing` where there is none."""
    if not inspect(connection).has_table("log"):
        raise LogMissing(f"no log at {name}: run `waraq db upgrade`")
    return _said_info(connection)


def _said_info(connection: Connection) -> LogInfo:
    found = connection.execute(_INFO).all()
    if len(found) != 1 or any(type(number) is not int for number in found[0]):
        raise LogError("what the log says of itself is not one row of three numbers")
    format_, generation, partitions = found[0]
    if not 1 <= partitions <= PARTITIONS_READ:
        raise LogError(f"the log says that it has {partitions} partitions")
    return LogInfo(format=format_, generation=generation, partitions=partitions)


def _row(stored: SqlRow[*tuple[Any, ...]]) -> Row:
    partition, position, stream, version, type_, command, line, head, secret = stored
    if tuple(map(type, stored)) not in _KINDS:  # SQLite keeps whatever a database tool puts there
        raise LogError("a row of the log holds something of another kind than its column's")
    return Row(
        partition=partition,
        position=position,
        entry=Entry(
            stream=stream,
            version=version,
            type=type_,
            command=command,
            line=line,
            head=head,
            secret=secret,
        ),
    )


def _no_partition(partition: int) -> LogError:
    return LogError(f"no partition {partition} in this log")
