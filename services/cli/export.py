"""`waraq export`: matches as files, each with what its viewer may see."""

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import BinaryIO, Final

import click
from msgspec import Struct

from schemas.ids import Hex32, MatchId
from services.cli import complete, say
from services.cli.exits import DIFFERENCE, FAILED, USAGE, stop
from services.cli.heads import head_key, no_head_key
from services.cli.out_file import STDOUT, written
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.cli.progress import Progress
from services.cli.streams import all_streams, one_stream
from services.cli.tally import Tally
from services.event_log.port import LogError, Reader, Row
from services.replay.audit_log import audited
from services.replay.match_entries import entries
from services.replay.match_file import MatchFile, match_file, write
from services.replay.rebuild import JUDGE, PUBLIC, VIEWERS, ViewerUnknown, is_over
from services.replay.signed_heads import HeadKey, Signed
from services.replay.text.form import MatchUnwritable
from services.replay.text.match_text import write as write_text

TEXT: Final = "text"
"""The form for people: of a match that is over, with all that the judge sees, and not signed."""

PARQUET: Final = "parquet"
"""Tables for analysts, in a folder (docs/analytics.md): of what was revealed, and not signed."""
LIBRARY: Final = "duckdb"
"""What writes them, and nothing else needs."""


def _as_text(made: MatchFile) -> Iterable[bytes]:
    return (write_text(entries(made)).encode(), b"\n")


FORMS: Final[Mapping[str, Callable[[MatchFile], Iterable[bytes]]]] = {
    "jsonl": write,
    TEXT: _as_text,
}
"""The forms in which a match can be written into a file."""


class Wish(Struct, frozen=True, kw_only=True):
    """What is to be written, and signed with what. `viewer` None: as the match is over or not."""

    form: str
    viewer: str | None
    live: bool
    key: HeadKey | None


class Exported(Struct, frozen=True, kw_only=True):
    """A match that was written."""

    match: MatchId
    events: int
    viewer: str
    head: Hex32
    signed: Signed | None


class LeftOut(Exception):
    """The match is not one for this viewer; says why."""


class Damaged(Exception):
    """The match is not as it should be; says where."""


def _viewer(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and value not in VIEWERS:
        raise click.BadParameter(f"{value!a} is not judge, public or seat:0 to seat:3")
    return value


@click.command()
@click.argument("match_id", metavar="[ID]", required=False, shell_complete=complete.match_ids)
@click.option("--all", "whole", is_flag=True, help="Every match, one after the other.")
@click.option(
    "--out",
    required=True,
    metavar="PATH",
    help="Replaced if it is there; - is stdout.",
    shell_complete=complete.files,
)
@click.option("--format", "form", type=click.Choice(sorted([*FORMS, PARQUET])), default="jsonl")
@click.option(
    "--as",
    "viewer",
    callback=_viewer,
    help="judge, public or seat:N.",
    metavar="VIEWER",
    shell_complete=complete.viewers,
)
@click.option("--live", is_flag=True, help="Look into the hands of a running match.")
@click.option(
    "--since",
    metavar="DAY",
    help="parquet: write anew the matches opened from that day on (last: since the last export).",
)
@at_place
@as_json
def export(  # noqa: PLR0913 an option each
    place: Place,
    match_id: str | None,
    out: str,
    form: str,
    viewer: str | None,
    since: str | None,
    *,
    whole: bool,
    live: bool,
    as_json: bool,
) -> None:
    """Write a match into a file, with all that its viewer may see.

    By default that is the judge of a match that is over, and anybody for one that is being played.
    With --format parquet PATH is a folder of tables for analysts: what was revealed, for anybody.
    """
    if (match_id is None) == (not whole):
        stop(USAGE, "name one match, or say --all")
    if form == PARQUET:
        if viewer is not None or live:
            stop(USAGE, "tables hold what was revealed to everybody: leave --as and --live away")
        _write_tables(place, match_id, out, since, as_json=as_json)
        return
    if since is not None:
        stop(USAGE, f"--since is for --format {PARQUET}")
    if as_json and out == STDOUT:
        stop(USAGE, "--out - puts the file on stdout: name a file, or leave --json away")
    key = None if form == TEXT else head_key(place)
    wish = Wish(form=form, viewer=viewer, live=live, key=key)
    with closing(reader(place)) as log:
        try:
            bad = Export(log, wish, as_json=as_json).run(match_id, out)
        except LogError as error:
            stop_for(error)
    if key is None and form != TEXT:
        say.prose(f"not signed: {no_head_key(place)}")
    _end(bad)


def _write_tables(
    place: Place, match_id: str | None, out: str, since: str | None, *, as_json: bool
) -> None:
    if match_id is not None and since is not None:
        stop(USAGE, "--since is for --all")
    if importlib.util.find_spec(LIBRARY) is None:
        stop(FAILED, f"--format {PARQUET} needs {LIBRARY}: python -m pip install {LIBRARY}")
    tables = importlib.import_module("services.cli.export_tables")  # an extra, and slow to import
    wish = tables.TablesWish(match=match_id, out=out, since=since, as_json=as_json)
    with closing(reader(place)) as log:
        try:
            bad = tables.export_tables(log, wish)
        except LogError as error:
            stop_for(error)
    _end(bad)


def _end(bad: int) -> None:
    if bad:
        stop(DIFFERENCE, f"{bad} not as they should be: see `waraq audit --all`")


class Export:
    """Writes matches of one log, and counts what came of them."""

    def __init__(self, log: Reader, wish: Wish, *, as_json: bool) -> None:
        self._log = log
        self._wish = wish
        self._as_json = as_json
        self._tally = Tally()
        self._progress = Progress("matches")

    def run(self, match_id: str | None, out: str) -> int:
        """Write one match, or with None all of them; how many are damaged.

        Stops the command, and leaves `out` as it was, where there is nothing to write.
        """
        streams = all_streams(self._log) if match_id is None else one_stream(self._log, match_id)
        with written(out, private=self._wish.live) as file:
            for stream in streams:
                self._take(stream, file)
                self._progress.report(self._tally.taken)
            if not self._tally.written:
                self._tally.refuse(one=match_id is not None)
        self._progress.clear()
        say.prose(f"{self._tally.sums()}: {out}")
        return self._tally.damaged

    def _take(self, stream: MatchId, file: BinaryIO) -> None:
        try:
            made = self._made(stream)
            file.writelines(FORMS[self._wish.form](made))
        except LeftOut as error:
            self._progress.clear()
            self._tally.left_out += 1
            say.prose(f"{stream} is left out: {error}")
        except (Damaged, MatchUnwritable) as error:
            self._progress.clear()
            self._tally.damaged += 1
            say.prose(f"{stream} is not exported: {error}")
        else:
            self._tally.written += 1
            self._tell(made)

    def _made(self, stream: MatchId) -> MatchFile:
        """What is written of the match; raises `LeftOut`, `Damaged`."""
        rows = _sound_rows(self._log, stream)
        viewer = self._wish.viewer or (JUDGE if is_over(rows) else PUBLIC)
        if self._wish.form == TEXT and not (viewer == JUDGE and is_over(rows)):
            raise LeftOut("a text is written of a match that is over, for the judge")
        if viewer != PUBLIC and not is_over(rows) and not self._wish.live:
            raise LeftOut("it is being played: to look into its hands say --live")
        try:
            return match_file(rows, viewer, self._wish.key)
        except ViewerUnknown:
            raise LeftOut(f"it has no {viewer}") from None

    def _tell(self, made: MatchFile) -> None:
        header = made.header
        if self._as_json:
            told = Exported(
                match=header.match,
                events=header.events,
                viewer=header.viewer,
                head=header.head,
                signed=header.signed,
            )
            self._progress.clear()
            say.line(told)


def _sound_rows(log: Reader, stream: MatchId) -> tuple[Row, ...]:
    """The rows of a match that audits clean: nothing else is written, let alone signed."""
    found = audited(log, stream)
    bad = found.finding.first_bad
    if bad is not None:
        raise Damaged(say.fault(bad.version, bad.reason))
    return found.rows
