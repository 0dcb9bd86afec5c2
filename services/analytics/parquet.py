"""A folder of Parquet files, written by DuckDB; an extra, imported when one is asked for.

Rows go in batches: what a batch holds is in memory once, and lies in files when the next begins.
One thread, so that the same log makes the same bytes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import duckdb
import msgspec
from msgspec import Struct

from services.analytics.folder import day_of, files_of, part
from services.analytics.match_rows import MatchRows
from services.analytics.tables import TABLES, AnyRow, columns
from services.analytics.views import quoted

BATCH_ROWS: Final = 50_000
"""Rows of all tables that are in memory at most, besides those of the match that fills them."""
MEMORY: Final = "256MB"
"""What DuckDB itself may take."""
SCRATCH: Final = ".batch.jsonl"
"""In the folder that is being written, for the rows of one file on their way."""
SETTINGS: Final = {
    "threads": "1",
    "memory_limit": MEMORY,
    "temp_directory": "",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""It asks nobody for anything, and leaves nothing where the command was called."""


class TablesUnwritable(Exception):
    """DuckDB could not write or read; says why."""


class _Place(Struct, frozen=True):
    """Whose file a row goes to."""

    table: str
    game: str
    day: date


class TableWriter:
    """Writes matches into a new folder."""

    def __init__(self, folder: Path, *, batch_rows: int = BATCH_ROWS) -> None:
        self._folder = folder
        self._batch_rows = batch_rows
        self._rows: dict[_Place, list[AnyRow]] = {}
        self._batches = 0
        self.waiting = 0
        """Rows that are in memory."""
        self._encoder = msgspec.json.Encoder()
        self._duck = duckdb.connect(config=dict(SETTINGS))

    def close(self) -> None:
        self._duck.close()

    def add(self, match: MatchRows) -> None:
        """Take a match; writes a batch if it is full. Raises `TablesUnwritable`, OSError."""
        for table, rows in match.rows.items():
            if rows:
                self._rows.setdefault(_Place(table, match.game, match.day), []).extend(rows)
                self.waiting += len(rows)
        if self.waiting >= self._batch_rows:
            self.flush()

    def flush(self) -> None:
        """Write what waits. Raises `TablesUnwritable`, OSError."""
        self._batches += 1
        for place, rows in self._rows.items():
            self._write(place, rows)
        self._rows, self.waiting = {}, 0

    def _write(self, place: _Place, rows: Sequence[AnyRow]) -> None:
        file = part(self._folder, place.table, place.game, place.day, self._batches)
        file.parent.mkdir(parents=True, exist_ok=True)
        scratch = self._folder / SCRATCH
        scratch.write_bytes(self._encoder.encode_lines(rows))
        types = ", ".join(f"{quoted(c.name)}: {quoted(c.type)}" for c in columns(place.table))
        with _faults():
            self._duck.execute(
                f"COPY (SELECT * FROM read_json({quoted(str(scratch))},"  # noqa: S608 our own words
                f" format = 'newline_delimited', columns = {{{types}}}))"
                f" TO {quoted(str(file))} (FORMAT parquet, COMPRESSION zstd)"
            )
        scratch.unlink()


def row_counts(folder: Path, *, since: date = date.min) -> Counter[str]:
    """How many rows each table has in its files, on the days from `since` on. Raises
    `TablesUnwritable`.
    """
    found: Counter[str] = Counter()
    with closing(duckdb.connect(config=dict(SETTINGS))) as duck, _faults():
        for table in TABLES:
            files = [str(file) for file in files_of(folder, table) if day_of(file) >= since]
            if files:
                counted = duck.execute("SELECT count(*) FROM read_parquet($1)", [files]).fetchone()
                assert counted is not None
                found[table] = counted[0]
    return found


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise TablesUnwritable(str(error).partition("\n")[0]) from error
