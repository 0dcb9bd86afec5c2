"""What the SQL adapter asks of a database in that database's own words, and its faults in ours."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Protocol

import psycopg
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from services.event_log.port import (
    Append,
    Conflict,
    Crew,
    LogDenied,
    LogError,
    LogReadOnly,
    LogUnreachable,
)

COLUMNS: Final = (
    "partition", "position", "stream", "version", "type", "command", "line", "head", "secret",
)  # fmt: skip
"""The columns of `events`, in the order in which rows are read."""
DriverConnection = Any
"""sqlite3's or psycopg's."""
DRIVER_ERRORS: Final = (sqlite3.Error, psycopg.Error)
SQLITE_KIND: Final = 0xFF
"""The bits of SQLite's error codes that name the kind."""
SQLITE_HOPELESS: Final = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_READONLY})
"""SQLite calls "no such table" operational too, which no amount of waiting mends."""
POSTGRES_GONE: Final = frozenset({"25P03", "25P04"})
"""States that psycopg does not call operational: the server gave up our transaction."""
POSTGRES_READ_ONLY: Final = "25006"
"""The server has become a copy of another one, or the role only reads."""
POSTGRES_DENIED: Final = "42501"
POOL_SECONDS: Final = 30.0
"""How long a thread waits for another one to be done with a connection."""


class Locks(Protocol):
    """The locks of one handle, one a partition. They die with the process."""

    def hold(self, partition: int) -> bool:
        """Try to take it, without waiting; true if it is ours now."""
        ...

    def release(self, partition: int) -> None: ...

    def join(self) -> Crew:
        """As the port's."""
        ...

    def leave(self) -> None:
        """As the port's; the next `hold` or `join` begins anew."""
        ...


class Database(Protocol):
    """A place where a log is or may be. Nothing is connected before an engine is used."""

    @property
    def name(self) -> str:
        """For messages: shows no password."""
        ...

    @property
    def default_partitions(self) -> int: ...

    def reading(self) -> Engine:
        """Reads outside a transaction; the database refuses writes. May raise `LogMissing`."""
        ...

    def writing(self) -> Engine:
        """What writes. May raise `LogMissing`."""
        ...

    def locks(self) -> Locks: ...

    def append(
        self, driver: DriverConnection, appends: Sequence[Append], *, waits: bool
    ) -> dict[int, int]:
        """Write the batches of partitions that still have their claims' epochs, and nothing of any
        other, in one transaction; the last positions of those, by partition.

        `driver` is a connection of `writing` as the database's own library has it: through
        SQLAlchemy the same statement takes twice the processor time. `waits`: for a partition that
        is locked; otherwise such a one is left out too.
        """
        ...

    def upgrading(self) -> AbstractContextManager[Connection]:
        """One transaction that may change the tables, alone, in a database made if missing."""
        ...

    def missing_guards(self, connection: Connection) -> frozenset[str]:
        """The append-only triggers of `events` that are gone or switched off."""
        ...

    def held(self, connection: Connection, partitions: int) -> frozenset[int]:
        """The partitions whose lock a living process has just now."""
        ...

    def skew(self, connection: Connection) -> float | None:
        """By how many seconds the server's clock is ahead of ours, None if it has none of its own;
        right to within the time of one question.
        """
        ...


@contextmanager
def faults() -> Iterator[None]:
    """Raises a database's errors as the port's."""
    try:
        yield
    except (SQLAlchemyError, *DRIVER_ERRORS) as error:
        raise fault(error) from error


def fault(error: Exception) -> LogError:
    """What an error of SQLAlchemy or of a driver is in the port's words."""
    told = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(told, sqlite3.IntegrityError | psycopg.IntegrityError):
        return Conflict(_reason(told))
    state = told.sqlstate if isinstance(told, psycopg.Error) else None
    if state == POSTGRES_READ_ONLY:
        return LogReadOnly(_reason(told))
    if state == POSTGRES_DENIED:
        return LogDenied(_reason(told))
    if _may_pass(told):
        return LogUnreachable(_reason(told))
    return LogError(_reason(told))


def _may_pass(told: BaseException | None) -> bool:
    """True if the same call may work later."""
    if isinstance(told, sqlite3.OperationalError):
        code: int = getattr(told, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return code & SQLITE_KIND not in SQLITE_HOPELESS
    if isinstance(told, psycopg.Error):
        connection = isinstance(told, psycopg.OperationalError | psycopg.InterfaceError)
        return connection or told.sqlstate in POSTGRES_GONE
    return isinstance(told, PoolExhausted)


_QUOTES_A_ROW: Final = "Could not decode to UTF-8"
"""SQLite goes on with the text itself, and with it perhaps a pack's order."""


def _reason(told: BaseException | None) -> str:
    """What the database said in one sentence, without the statement, its parameters or a row."""
    if isinstance(told, psycopg.Error) and told.diag.message_primary:
        return told.diag.message_primary
    said = str(told).strip()
    if isinstance(told, sqlite3.Error) and said.startswith(_QUOTES_A_ROW):
        return "a row of the log cannot be read: see `waraq audit --all`"
    return said
