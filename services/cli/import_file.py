"""`waraq import`: matches from a file into a log, with the heads that they had."""

from collections.abc import Iterator
from itertools import chain

import click
from msgspec import Struct

from schemas.ids import Hex32, MatchId
from schemas.subjects import partition_of
from services.cli import complete, say
from services.cli.exits import DIFFERENCE, USAGE, stop
from services.cli.in_file import Found, matches_at
from services.cli.place import Place, as_json, at_place
from services.cli.writing import Appender, writable_log
from services.event_log.port import STREAM_EVENTS, Entry, EventLog
from services.replay.match_entries import audit_file, entries
from services.replay.match_file import MatchFile
from services.replay.rebuild import JUDGE
from services.replay.text.several import Untrue


class Imported(Struct, frozen=True, kw_only=True):
    """A match that is in the log now; `already`: and was before."""

    match: MatchId
    events: int
    head: Hex32
    already: bool


@click.command("import")
@click.argument("name", metavar="FILE", shell_complete=complete.files)
@at_place
@as_json
def import_file(place: Place, name: str, *, as_json: bool) -> None:
    """Put the matches of a file (- is stdin) into the log: each as it was, or not at all.

    They are audited before. What is in the log already is left as it is.
    """
    found = matches_at(name)
    first = next(found)  # before a log is made for nothing
    with writable_log(place) as log:
        done = Import(log, as_json=as_json)
        done.run(chain([first], found))
    done.end()


class Import:
    """Takes matches into one log, and counts what came of them."""

    def __init__(self, log: EventLog, *, as_json: bool) -> None:
        self._log = log
        self._partitions = log.info().partitions
        self._appender = Appender(log)
        self._as_json = as_json
        self._new = self._already = self._bad = self._left_out = self._notes = 0

    def run(self, found: Iterator[Found]) -> None:
        """Take them in, each for itself: what cannot be read undoes nothing before it."""
        try:
            for one in found:
                if isinstance(one, Untrue):
                    self._refuse(one.match, say.fault(one.fault.version, one.fault.reason))
                else:
                    self._take(one)
        finally:
            sums = f"{self._new} imported, {self._already} there already"
            say.prose(f"{sums}, {self._left_out} left out, {self._bad} bad")
            if self._notes:
                say.prose(f"{self._notes} notes are left out: a log keeps none")

    def end(self) -> None:
        """Stops the command if a match is not in the log as the file has it."""
        if self._bad:
            stop(DIFFERENCE, f"{self._bad} not as they should be, and not imported")
        if not self._new and not self._already:
            stop(USAGE, "nothing is imported: import the judge's file of a match that is over")

    def _take(self, file: MatchFile) -> None:
        match = file.header.match
        reason = _not_for_a_log(file)
        if reason is not None:
            self._left_out += 1
            say.prose(f"{match} is left out: {reason}")
            return
        bad = audit_file(file).first_bad
        if bad is not None:
            self._refuse(match, say.fault(bad.version, bad.reason))
            return
        self._notes += len(file.header.notes) + sum(len(line.notes) for line in file.lines)
        self._put(file, entries(file))

    def _put(self, file: MatchFile, wanted: tuple[Entry, ...]) -> None:
        match = file.header.match
        partition = partition_of(match, self._partitions)
        self._appender.take(partition)
        had = tuple(row.entry for row in self._log.load(match, limit=STREAM_EVENTS))
        if not had:
            self._appender.append(partition, wanted)
            self._new += 1
        elif had == wanted:
            self._already += 1
        else:
            self._refuse(match, _difference(had, wanted))
            return
        self._tell(file, already=bool(had))

    def _refuse(self, match: MatchId, reason: str) -> None:
        self._bad += 1
        say.prose(f"{match} is not imported: {reason}")

    def _tell(self, file: MatchFile, *, already: bool) -> None:
        header = file.header
        told = Imported(match=header.match, events=header.events, head=header.head, already=already)
        if self._as_json:
            say.line(told)


def _not_for_a_log(file: MatchFile) -> str | None:
    """Why a file, true as it may be, is not what a log must hold."""
    if not file.header.over:
        return "it was being played when the file was written"
    if file.header.viewer != JUDGE:
        return "only a judge's file has the commands' ids, and a log accepts each of them once"
    return None


def _difference(had: tuple[Entry, ...], wanted: tuple[Entry, ...]) -> str:
    if len(had) != len(wanted):
        return f"the log has it with {len(had)} events, not {len(wanted)}"
    pairs = zip(had, wanted, strict=True)
    version = next(ours.version for ours, theirs in pairs if ours != theirs)
    what = "another head" if had[-1].head != wanted[-1].head else "another command or pack"
    return f"the log has it with {what}: version {version} is the first that differs"
