"""Where the files of an export lie, and what its note says of it.

export.json                                    the note, below
views.sql                                      views over all of it
plays/game=hokm/day=2026-11-30/000001.parquet  a table, a game, a day; more where it is long
"""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from services.analytics.tables import FORMAT, TABLES

NOTE: Final = "export.json"
VIEWS: Final = "views.sql"
DAY: Final = "day="


class Note(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rows` by table; `days`: the first and the last day, None if there is none; `next`: the day
    from which a later export of the same log must begin to leave no match out.
    """

    format: str
    rows: Mapping[str, int]
    days: tuple[date, date] | None
    next: date | None


class NoExport(Exception):
    """The folder holds no export of these tables; says what it is."""


def read_note(folder: Path) -> Note:
    """Raises `NoExport`."""
    try:
        note = msgspec.json.decode((folder / NOTE).read_bytes(), type=Note)
    except (OSError, msgspec.DecodeError) as error:
        raise NoExport(f"{folder} is no folder of tables: its {NOTE} cannot be read") from error
    if note.format != FORMAT:
        raise NoExport(f"{folder} has tables of another form, {note.format!a}")
    return note


def write_note(folder: Path, note: Note) -> None:
    (folder / NOTE).write_bytes(msgspec.json.format(msgspec.json.encode(note), indent=1) + b"\n")


def files_of(folder: Path, table: str) -> Iterator[Path]:
    """Its files, in the order of game, day and number."""
    yield from sorted((folder / table).glob(f"game=*/{DAY}*/*.parquet"))


def day_of(file: Path) -> date:
    """The day in whose folder it lies; raises ValueError where that is no day."""
    return date.fromisoformat(file.parent.name.removeprefix(DAY))


def part(folder: Path, table: str, game: str, day: date, number: int) -> Path:
    return folder / table / f"game={game}" / f"{DAY}{day.isoformat()}" / f"{number:06}.parquet"


def days_of(folder: Path) -> tuple[date, date] | None:
    """The first and the last day of which there is a match."""
    days = sorted(map(day_of, files_of(folder, next(iter(TABLES)))))
    return (days[0], days[-1]) if days else None
