"""`waraq export --format parquet`: matches as tables for analysts; imported when one asks for it.

Nothing is told but what was revealed (services/analytics/told.py).
"""

from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from schemas.events import decode_event
from schemas.ids import MatchId
from services.analytics.counts import counts
from services.analytics.folder import (
    NOTE,
    VIEWS,
    NoExport,
    Note,
    day_of,
    days_of,
    files_of,
    read_note,
    write_note,
)
from services.analytics.match_rows import match_rows
from services.analytics.parquet import TablesUnwritable, TableWriter, row_counts
from services.analytics.story import utc
from services.analytics.tables import FORMAT, TABLES
from services.analytics.told import told
from services.analytics.views import views
from services.cli import say
from services.cli.exits import DIFFERENCE, FAILED, USAGE, stop
from services.cli.out_file import STDOUT
from services.cli.out_folder import growing, link_or_copy, locked
from services.cli.progress import Progress
from services.cli.streams import all_streams, one_stream
from services.cli.tally import Tally
from services.event_log.port import LogError, LogUnreachable, Reader
from services.replay.audit_log import audited

LAST: Final = "last"
"""For `--since`: from the day on that the export before this one has noted."""

PATTERN: Final = frozenset("*?[")
"""What DuckDB, and whoever else reads a folder of files, takes for more than a name."""


class TablesWish(Struct, frozen=True, kw_only=True):
    """`match` None: all of them. `since`: a day or `last`; what is older stays as it is."""

    match: str | None
    out: str
    since: str | None
    as_json: bool


class TableWritten(Struct, frozen=True, kw_only=True):
    """A table as it is now: its rows, and the bytes of its files."""

    table: str
    rows: int
    bytes: int


def export_tables(log: Reader, wish: TablesWish) -> int:
    """Write the folder; how many matches are damaged. Stops the command where nothing is written,
    and leaves what was there as it was.
    """
    out = Path(wish.out)
    _check_place(out, wish.out)
    try:
        with locked(out) as names:
            note, since = _before(names.place, wish.since)
            with growing(names) as new:
                work = _Work(log, new, since)
                if note is not None:
                    work.keep(names.place)
                work.take(wish)
                written = work.finish(work.resume(note) if wish.match is None else None)
    except TablesUnwritable as error:
        stop(FAILED, f"{out} cannot be written: {error}")
    except OSError as error:
        stop(FAILED, f"{out} cannot be written: {error.strerror}")
    for table in written:
        if wish.as_json:
            say.line(table)
    sums = ", ".join(f"{table.rows} {table.table}" for table in written)
    say.prose(f"{work.tally.sums()}: {out}: {sums}")
    return work.tally.damaged


def _check_place(out: Path, said: str) -> None:
    """What stands there is an export, an empty folder or nothing: nothing else is replaced."""
    if said == STDOUT:
        stop(USAGE, "tables are a folder: name one with --out")
    if PATTERN & set(str(out.resolve())):
        stop(USAGE, f"{out} would be read as a pattern: name a folder without * ? [ in its path")
    if out.exists() and not out.is_dir():
        stop(USAGE, f"{out} is no folder: tables are one, name another place")
    if out.is_dir() and any(out.iterdir()) and not (out / NOTE).is_file():
        stop(USAGE, f"{out} holds something else: name an export, or a folder that is empty")


def _before(place: Path, since: str | None) -> tuple[Note | None, date | None]:
    """The export that is there, if some of it stays, and the day from which on none of it does."""
    if since is None or (since == LAST and not (place / NOTE).exists()):
        return None, None
    try:
        note = read_note(place)
    except NoExport as error:
        stop(USAGE, f"{error}: leave --since away")
    day = note.next if since == LAST else _day(since)
    return (note, day) if day is not None else (None, None)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        stop(USAGE, f"--since takes a day, as 2026-11-30, or {LAST}: not {text!a}")


class _Work:
    """Writes matches of one log into one folder, and counts what came of them."""

    def __init__(self, log: Reader, folder: Path, since: date | None) -> None:
        self.tally = Tally()
        self._log, self._folder, self._since = log, folder, since
        self._kept: Counter[str] = Counter()
        self._due: Counter[str] = Counter()
        self._latest: date | None = None
        self._open: date | None = None

    def keep(self, before: Path) -> None:
        """The files of the days that stay."""
        assert self._since is not None
        for table in TABLES:
            for file in files_of(before, table):
                if day_of(file) < self._since:
                    link_or_copy(file, self._folder / file.relative_to(before))
        self._kept = row_counts(self._folder)

    def take(self, wish: TablesWish) -> None:
        """Write the matches; stops the command where there is nothing to write."""
        self._open = self._earliest_open()
        one = wish.match
        streams = all_streams(self._log) if one is None else one_stream(self._log, one)
        writer, progress = TableWriter(self._folder), Progress("matches")
        try:
            for stream in streams:
                self._take(stream, writer, progress)
                progress.report(self.tally.taken)
            writer.flush()
        finally:
            writer.close()
            progress.clear()
        if not self.tally.written and not self._kept:
            self.tally.refuse(one=one is not None)

    def _take(self, stream: MatchId, writer: TableWriter, progress: Progress) -> None:
        day = self._opened(stream)
        if day is not None:
            self._latest = max(day, self._latest or day)
            if self._since is not None and day < self._since:
                return
        found = audited(self._log, stream)
        bad = found.finding.first_bad
        known = told([row.entry for row in found.rows]) if bad is None else None
        if known is not None:
            writer.add(match_rows(known))
            self._due += counts(known)
            self.tally.written += 1
        elif bad is not None:
            self.tally.damaged += 1
            progress.clear()
            say.prose(f"{stream} is not exported: {say.fault(bad.version, bad.reason)}")
        else:
            self.tally.left_out += 1
            progress.clear()
            say.prose(f"{stream} is left out: it is played, and no round of it is revealed yet")

    def finish(self, next_: date | None) -> tuple[TableWritten, ...]:
        """Check the tables against the log, and say in the folder what is in it."""
        rows = row_counts(self._folder)
        for table in TABLES:
            due = self._kept[table] + self._due[table]
            if rows[table] != due:
                reason = f"{table} has {rows[table]} rows, by the log it must have {due}"
                stop(DIFFERENCE, f"nothing is written, for this is a fault of ours: {reason}")
        filled = [table for table in TABLES if rows[table]]
        (self._folder / VIEWS).write_text(views(filled))
        all_rows = {table: rows[table] for table in TABLES}
        days = days_of(self._folder)
        write_note(self._folder, Note(format=FORMAT, rows=all_rows, days=days, next=next_))
        return tuple(self._table(table, rows[table]) for table in TABLES)

    def _table(self, table: str, rows: int) -> TableWritten:
        sizes = (file.stat().st_size for file in files_of(self._folder, table))
        return TableWritten(table=table, rows=rows, bytes=sum(sizes))

    def resume(self, before: Note | None) -> date | None:
        """Where a later export must begin: with the earliest match that is played, else with the
        last day that there is; where the one before it must have begun, if this one began later.
        A day that is not yet comes from a clock that was wrong.
        """
        earlier = before.next if before is not None else None
        if self._latest is None or (earlier and self._since and earlier < self._since):
            return earlier
        days = (self._open, self._latest, _today())
        return min(day for day in days if day is not None)

    def _earliest_open(self) -> date | None:
        partitions = range(self._log.info().partitions)
        streams = (stream for number in partitions for stream in self._log.open_streams(number))
        days = (self._opened(stream) for stream in streams)
        return min((day for day in days if day is not None), default=None)

    def _opened(self, stream: MatchId) -> date | None:
        """The day on which it was opened, None where its first line cannot be read."""
        try:
            (row,) = self._log.load(stream, limit=1)
            return utc(decode_event(row.entry.line).time).date()
        except LogUnreachable:
            raise
        except (LogError, ValueError, msgspec.DecodeError):
            return None


def _today() -> date:
    return datetime.now(UTC).date()
