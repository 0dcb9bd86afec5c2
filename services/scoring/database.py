"""The standings' database opened, and its faults in words of ours: who asks by these functions
need not know SQLAlchemy.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from services.scoring import ledger

BUSY_SECONDS: Final = 10.0
"""How long a writer of an SQLite file waits for another one."""
SWITCH_AGAIN: Final = 0.01
"""Seconds between two tries to switch a new SQLite file to its journal."""
PATIENCE: Final = 4.0
"""Seconds that one statement has, where people wait for its answer."""

DENIED: Final = frozenset({"42501", "25006"})
"""PostgreSQL's states: no right to it, and none to write."""
REPAIR: Final = (
    "move the standings' file (standings.db, or what WARAQ_STANDINGS_URL names) away and run `waraq"
    " standings rebuild`; the tickets that were given are forgotten with it"
)

Connection = sa.Connection
Engine = sa.Engine


class StandingsError(Exception):
    """Base of all faults of the standings' database."""


class StandingsMissing(StandingsError):
    """Nothing has been counted here, or only by another form of this program."""


class StandingsUnreachable(StandingsError):
    """The database did not answer."""


class StandingsDenied(StandingsError):
    """The database does not let this role do it."""


class StandingsDamaged(StandingsError):
    """The file is no database, or not a whole one; says what to do."""


def open_engine(url: str) -> sa.Engine:
    """An engine on `sqlite:///path` or `postgresql://…`, nothing connected; raises
    `StandingsError` for another kind.
    """
    return _open(url, busy=BUSY_SECONDS, within={})


def _open(url: str, *, busy: float, within: Mapping[str, int]) -> sa.Engine:
    """`busy`: seconds for SQLite, `within`: how PostgreSQL is connected to."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise StandingsError("the standings' URL is sqlite:///path or postgresql://…") from None
    kind = parsed.drivername.partition("+")[0]
    if kind == "sqlite":
        engine = sa.create_engine(parsed, connect_args={"timeout": busy})
        sa.event.listen(engine, "connect", _begin_with_file)
        sa.event.listen(engine, "checkout", _refuse_file_that_is_gone)
        return engine
    if kind != "postgresql":
        raise StandingsError(f"the standings' URL is sqlite:///… or postgresql://…, not {kind}://…")
    return sa.create_engine(parsed, hide_parameters=True, connect_args=dict(within))


def open_shared(url: str) -> sa.Engine:
    """As `open_engine`, for whoever stays beside the scoring workers and makes no tables: the
    database may be missing, away, or be put in another's place at any time. Nobody waits for a
    statement longer than `PATIENCE`.
    """
    engine = _open(url, busy=PATIENCE, within={"connect_timeout": ceil(PATIENCE)})
    if engine.dialect.name == "postgresql":
        sa.event.listen(engine, "connect", _hurry)
    return engine


def open_existing(url: str) -> sa.Engine:
    """As `open_engine`, for whoever only reads: raises `StandingsMissing` if there is nothing to
    read, `StandingsUnreachable`.
    """
    engine = open_engine(url)
    try:
        with reading(engine):
            return engine
    except StandingsError:
        engine.dispose()
        raise


@contextmanager
def disposing(engine: sa.Engine) -> Iterator[sa.Engine]:
    """The engine, all its connections closed in the end."""
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def reading(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection to read by, in one transaction; raises `StandingsMissing` if nothing has been
    counted, or in another form.

    The form is read first: who drops the tables takes it first too, so neither waits for the other
    with half of them in his hands.
    """
    _refuse_missing(engine)
    with faults(), engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("begin")  # or sqlite3 reads each statement by itself
        form = ledger.form_of(connection)
        if form != ledger.FORM:
            raise StandingsMissing(f"the standings have form {form}, not {ledger.FORM}")
        yield connection


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection to write by, in one transaction, which waits its turn before it begins."""
    _refuse_missing(engine)
    with faults(), engine.connect() as connection:
        ledger.begin_writing(connection)
        yield connection
        connection.commit()


def _refuse_missing(engine: sa.Engine) -> None:
    """SQLite would make an empty file of one that is not there."""
    file = engine.url.database
    if engine.dialect.name == "sqlite" and file and not Path(file).is_file():
        raise StandingsMissing("nothing has been counted here yet")


@contextmanager
def faults() -> Iterator[None]:
    """Raises the database's errors as ours, without a statement in them."""
    try:
        yield
    except sa.exc.OperationalError as error:
        raise StandingsUnreachable(_reason(error)) from error
    except sa.exc.DatabaseError as error:
        if isinstance(error.orig, sqlite3.DatabaseError) and _damage(error.orig):
            raise StandingsDamaged(f"{_reason(error)}: {REPAIR}") from error
        if getattr(error.orig, "sqlstate", None) in DENIED:
            raise StandingsDenied(_reason(error)) from error
        raise StandingsError(_reason(error)) from error
    except sa.exc.SQLAlchemyError as error:
        raise StandingsError(_reason(error)) from error


def _reason(error: sa.exc.SQLAlchemyError) -> str:
    told = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return str(told).strip().partition("\n")[0]


def _damage(error: sqlite3.DatabaseError) -> bool:
    """By the low byte of SQLite's code: the others tell of which page."""
    code: int = getattr(error, "sqlite_errorcode", 0)  # Python's own errors have none
    return code & 0xFF in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def _begin_with_file(driver: Any, record: sa.pool.ConnectionPoolEntry) -> None:
    """Readers go on beside the writer. Which file it is is kept."""
    _read_beside_the_writer(driver)
    record.info["file"] = _file_of(driver)


def _refuse_file_that_is_gone(driver: Any, record: sa.pool.ConnectionPoolEntry, _: object) -> None:
    """A file that was taken away, or another put in its place, would be written to for ever where
    nobody reads: the pool connects anew instead.
    """
    if record.info["file"] != _file_of(driver):
        raise sa.exc.DisconnectionError("the file is another one now")


def _file_of(driver: Any) -> tuple[int, int] | None:
    """Which file lies where the connection's was, None for none; in memory it is always None."""
    path = driver.execute("pragma database_list").fetchone()[2]
    if not path:
        return None
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _read_beside_the_writer(driver: Any) -> None:
    """To switch a new file SQLite waits for nobody who has it open, so we do, for as long as it
    waits elsewhere.
    """
    busy_ms: int = driver.execute("pragma busy_timeout").fetchone()[0]
    end = time.monotonic() + busy_ms / 1_000
    while not _switched(driver):
        if time.monotonic() > end:
            raise sqlite3.OperationalError("database is locked")
        time.sleep(SWITCH_AGAIN)


def _switched(driver: Any) -> bool:
    try:
        driver.execute("pragma journal_mode=wal")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _hurry(driver: Any, _: object) -> None:
    driver.execute(f"set statement_timeout = {round(PATIENCE * 1_000)}")
    driver.commit()
