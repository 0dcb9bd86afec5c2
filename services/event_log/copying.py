"""A copy of an SQLite file while others read and write it: as it was at one moment."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from services.event_log.database import faults
from services.event_log.port import LogError
from services.event_log.sqlite import BUSY_SECONDS, FILE_MODE


def copy_file(source: Path, to: Path) -> None:
    """Copy the database at `source` into the new file `to`, in one step, so that whoever writes
    meanwhile is neither waited for nor seen by half. Raises `LogError`.
    """
    to.touch(mode=FILE_MODE, exist_ok=False)
    with faults(), closing(_reader(source)) as reading, closing(sqlite3.connect(to)) as writing:
        reading.execute("pragma wal_autocheckpoint=0")  # only its writer may checkpoint
        reading.backup(writing)
        fault = writing.execute("pragma quick_check(1)").fetchone()[0]
        # The copy is one file: its journal is begun by whoever opens it next.
        writing.execute("pragma journal_mode=delete")
    if fault != "ok":
        raise LogError(f"the copy of {source} is not whole: {fault}")


def _reader(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_SECONDS)
