"""Making a log and bringing it to the newest form, checking it, counting its restorations."""

from collections.abc import Iterator
from threading import Lock
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from msgspec import Struct
from sqlalchemy import Connection, inspect, text

from services.event_log.database import Database, faults
from services.event_log.port import FORMAT, PARTITIONS_LIMIT, LogError, LogInfo
from services.event_log.sql import locate, stored_info

MIGRATIONS: Final = "migrations:"
"""An import path, so that a wheel finds its own."""

_NUMBERS: Final = text("select partition from partitions order by partition")
_RESTORED: Final = text("update log set generation = generation + 1")
_alembic = Lock()
"""Alembic's context is one a process."""


class LogMismatch(LogError):
    """The log is there, with another number of partitions than was asked for."""


class LogCheck(Struct, frozen=True, kw_only=True):
    """`revision` is the log's, `head` the newest; no `problems` means that all is well."""

    revision: str | None
    head: str
    problems: tuple[str, ...]


def upgrade(url: str, *, partitions: int | None = None) -> LogInfo:
    """Make the log at `url`, or bring it to the newest form, in one transaction.

    The number of partitions is chosen when the log is made and stays: by default 1 on SQLite, 16
    on PostgreSQL. Raises `LogMismatch` if it is there with another number, `LogUnreachable`, and
    `LogError` if a newer program made it or its folder is missing.
    """
    if partitions is not None and not 1 <= partitions <= PARTITIONS_LIMIT:
        raise LogError(f"{partitions} partitions: from 1 to {PARTITIONS_LIMIT}")
    database = locate(url)
    with database.upgrading() as connection:
        _refuse_other_number(connection, database, partitions)
        _migrate(connection, partitions or database.default_partitions)
        return stored_info(connection, database.name)


def check(url: str) -> LogCheck:
    """Whether the log at `url` is in the newest form and guarded; changes nothing.

    Raises `LogMissing`, `LogUnreachable`.
    """
    database = locate(url)
    engine = database.reading()
    try:
        with faults(), engine.connect() as connection:
            info = stored_info(connection, database.name)
            revision = MigrationContext.configure(connection).get_current_revision()
            problems = tuple(_problems(connection, database, info, revision))
    finally:
        engine.dispose()
    return LogCheck(revision=revision, head=_head(), problems=problems)


def restored(url: str) -> LogInfo:
    """Say that the log was put back from a copy: raises its generation, so that what is
    published again is not taken for what was published before. Raises as `check`.
    """
    database = locate(url)
    engine = database.writing()
    try:
        with faults(), engine.begin() as connection:
            stored_info(connection, database.name)
            connection.execute(_RESTORED)
            return stored_info(connection, database.name)
    finally:
        engine.dispose()


def _refuse_other_number(
    connection: Connection, database: Database, partitions: int | None
) -> None:
    if partitions is None or not inspect(connection).has_table("log"):
        return
    found = stored_info(connection, database.name).partitions
    if found != partitions:
        raise LogMismatch(f"the log at {database.name} has {found} partitions, not {partitions}")


def _migrate(connection: Connection, partitions: int) -> None:
    config = Config(attributes={"connection": connection, "partitions": partitions})
    config.set_main_option("script_location", MIGRATIONS)
    try:
        with _alembic:
            command.upgrade(config, "head")
    except CommandError as error:
        raise LogError(f"a newer program made this log: {error}") from error


def _head() -> str:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None, "there is at least one migration"
    return head


def _problems(
    connection: Connection, database: Database, info: LogInfo, revision: str | None
) -> Iterator[str]:
    if revision != _head():
        yield f"the tables are at revision {revision}, not {_head()}: run `waraq db upgrade`"
    if info.format != FORMAT:
        yield f"the log's format is {info.format}, not {FORMAT}"
    for guard in sorted(database.missing_guards(connection)):
        yield f"the trigger {guard} is missing or off: events could be changed"
    if list(connection.scalars(_NUMBERS)) != list(range(info.partitions)):
        yield f"the partitions are not numbered 0 to {info.partitions - 1}"
