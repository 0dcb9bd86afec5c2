"""A log in an SQLite file: one writer process, any number of readers."""

import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, text

from services.event_log import sqlite_append
from services.event_log.database import POOL_SECONDS, DriverConnection, Locks, faults
from services.event_log.port import Append, Crew, LogError, LogMissing

BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another one."""
READ_CONNECTIONS: Final = 8
RESTORING: Final = ".restoring"
"""A folder beside the log while a copy is put back; what lies there then is no log yet."""
FILE_MODE: Final = 0o600
"""The log holds the packs' orders: its files are for its owner only."""
GUARDS: Final = frozenset({"events_no_update", "events_no_delete", "events_no_replace"})

_TRIGGERS: Final = text(
    "select name from sqlite_master where type = 'trigger' and tbl_name = 'events'"
)

_log = logging.getLogger(__name__)


class SqliteFile:
    """A `Database` in one file, its journal beside it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        return str(self._path)

    @property
    def default_partitions(self) -> int:
        return 1

    def reading(self) -> Engine:
        self._require()
        return _engine(lambda: _reader(self._path), connections=READ_CONNECTIONS)

    def writing(self) -> Engine:
        """One connection only: there is one writer at a time, and only it checkpoints."""
        self._require()
        engine = _engine(lambda: _writer(self._path), connections=1)
        event.listen(engine, "begin", _begin_immediate)
        return engine

    def locks(self) -> Locks:
        return FileLocks(self._path)

    def append(
        self,
        driver: DriverConnection,
        appends: Sequence[Append],
        *,
        waits: bool,  # noqa: ARG002  # as said below
    ) -> dict[int, int]:
        """There is one writer: all of the file is locked, or nothing."""
        return sqlite_append.append(driver, appends)

    @contextmanager
    def upgrading(self) -> Iterator[Connection]:
        self._create()
        engine = self.writing()
        try:
            with faults(), engine.begin() as connection:
                yield connection
        finally:
            engine.dispose()

    def missing_guards(self, connection: Connection) -> frozenset[str]:
        return GUARDS - frozenset(connection.scalars(_TRIGGERS))

    def held(self, _connection: Connection, partitions: int) -> frozenset[int]:
        return frozenset(each for each in range(partitions) if _is_held(self._path, each))

    def skew(self, _connection: Connection) -> float | None:
        return None

    def _require(self) -> None:
        refuse_half_restored(self._path.parent)
        if not self._path.is_file():
            raise LogMissing(f"no log at {self.name}: run `waraq db upgrade`")

    def _create(self) -> None:
        refuse_half_restored(self._path.parent)
        try:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, FILE_MODE))
        except OSError as error:
            raise LogError(f"cannot make a log at {self.name}: {error.strerror}") from error


def refuse_half_restored(folder: Path) -> None:
    """Raises `LogError`: what is in the folder may be only a part, of a generation too low."""
    if (folder / RESTORING).exists():
        raise LogError(
            f"a restore into {folder} was stopped on the way: run `waraq db restore` again, with"
            " the same --data"
        )


class FileLocks:
    """`flock` on a file beside the database; the file stays, the lock goes with its holder."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._files: dict[int, int] = {}
        self._guard = Lock()
        self._told = False

    def hold(self, partition: int) -> bool:
        with self._guard:
            if partition in self._files:
                return True
            file = self._open(partition)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                self._tell()
                return False
            self._files[partition] = file
            return True

    def release(self, partition: int) -> None:
        with self._guard:
            file = self._files.pop(partition, None)
            if file is not None:
                os.close(file)

    def join(self) -> Crew:
        """Always alone: one process writes the file, and shares it with none."""
        return Crew(workers=1, rank=0)

    def leave(self) -> None:
        for partition in list(self._files):
            self.release(partition)

    def _tell(self) -> None:
        """Say once why nothing happens here."""
        if not self._told:
            _log.warning(
                "an SQLite log has one writer process: another one has it, this one waits",
                extra={"log": str(self._database)},
            )
        self._told = True

    def _open(self, partition: int) -> int:
        path = _lock_file(self._database, partition)
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)
        except OSError as error:
            raise LogError(f"cannot lock {path}: {error.strerror}") from error


def _lock_file(database: Path, partition: int) -> str:
    return f"{database}.p{partition}.lock"


def _is_held(database: Path, partition: int) -> bool:
    """Tried with a shared lock, for an instant: who wants to hold it tries again at once."""
    try:
        file = os.open(_lock_file(database, partition), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _engine(connect: Callable[[], sqlite3.Connection], *, connections: int) -> Engine:
    return create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        hide_parameters=True,
    )


def _writer(path: Path) -> sqlite3.Connection:
    connection = _connect(path, "rw")
    # FULL: an append that was answered survives a power cut.
    for pragma in ("journal_mode=wal", "synchronous=full", "foreign_keys=on"):
        connection.execute(f"pragma {pragma}")
    return connection


def _reader(path: Path) -> sqlite3.Connection:
    connection = _connect(path, "ro")
    # Two checkpointing connections can corrupt a journal (SQLite 3.7 to 3.51.2).
    for pragma in ("query_only=on", "wal_autocheckpoint=0"):
        connection.execute(f"pragma {pragma}")
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Never makes a file. `isolation_level=None`: transactions begin where SQLAlchemy says so."""
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _begin_immediate(connection: Connection) -> None:
    """A deferred transaction would read first and then fail to become a writer."""
    connection.exec_driver_sql("begin immediate")
