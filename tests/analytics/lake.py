"""Logs and their tables for tests: the golden matches and some eventful ones, one still running."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from services.analytics.match_rows import MatchRows, match_rows
from services.analytics.told import told
from services.event_log.port import Row
from services.event_log.sql import file_url
from services.event_log.upgrade import upgrade
from services.replay.match_entries import as_rows, entries
from tests.cli.logs import Log
from tests.eventful import mixed
from tests.golden_logs import files

EVENTFUL = 20
"""Eventful matches beside the golden ones: Hokm and every variant, abandoned ones among them."""
SOME = 12
"""Events into a round: it is far from its end then."""


@cache
def golden() -> tuple[tuple[Row, ...], ...]:
    return tuple(as_rows(entries(file)) for file in files().values())


@cache
def many() -> tuple[tuple[Row, ...], ...]:
    """All kinds of matches, each over."""
    return (*golden(), *(tuple(rows) for rows in mixed(EVENTFUL)))


def running(rows: Sequence[Row], rounds: int) -> tuple[Row, ...]:
    """The match as it stood in the middle of the round after so many, between two commands."""
    deals = [at for at, row in enumerate(rows) if row.entry.type in ("five_dealt", "hand_dealt")]
    middle = range(deals[rounds] + SOME, len(rows))
    return tuple(rows[: next(at for at in middle if rows[at].entry.command is not None)])


def rows_of(rows: Sequence[Row]) -> MatchRows | None:
    """The match's rows, None if nothing may be told of it."""
    known = told([row.entry for row in rows])
    return match_rows(known) if known is not None else None


def new_log(data: Path, matches: Sequence[Sequence[Row]] = ()) -> Log:
    """A log of its own on SQLite that holds these matches."""
    data.mkdir(mode=0o700)
    url = file_url(data / "log.db")
    upgrade(url)
    log = Log(url, {"WARAQ_DATA": str(data)})
    log.store(*matches)
    return log


def export(log: Log, out: Path, *words: str) -> Path:
    """All of a log as tables."""
    done = log.waraq("export", "--all", "--format", "parquet", "--out", str(out), *words)
    assert done.exit_code == 0, done.stderr
    return out


def opened(folder: Path) -> duckdb.DuckDBPyConnection:
    """The views over an export, as docs/analytics.md says to make them."""
    tables = duckdb.connect()
    tables.execute(f"SET file_search_path = '{folder}'")
    tables.execute((folder / "views.sql").read_text())
    return tables


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def answer(tables: duckdb.DuckDBPyConnection, question: str) -> list[tuple[Any, ...]]:
    return tables.execute(question).fetchall()
