"""`waraq match replay`: a match at any of its versions, for any viewer, as JSON, text or screen."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from functools import partial
from typing import Final

import click

from services.cli import complete, say
from services.cli.exits import FAILED, NOT_FOUND, USAGE, stop
from services.cli.place import Place, as_json, at_place
from services.cli.streams import read, rows_of
from services.event_log.port import Row
from services.replay import rebuild
from services.replay.looks import look
from services.replay.pages import page
from services.replay.rebuild import JUDGE, PUBLIC
from services.replay.timeline import MOST_MOMENTS, timeline

LIBRARY: Final = "textual"
"""What `--screen` needs, and nothing else does."""


@click.command()
@click.argument("match_id", metavar="ID", shell_complete=complete.match_ids)
@at_place
@click.option("--to", "version", type=int, help="The version to rebuild; the last if not given.")
@click.option(
    "--as",
    "viewer",
    help="judge, public or seat:N.",
    metavar="VIEWER",
    shell_complete=complete.viewers,
)
@click.option("--live", is_flag=True, help="Look into the hands of a running match.")
@click.option("--screen", is_flag=True, help="Walk through the match in a full screen.")
@as_json
def replay(  # noqa: PLR0913 an option each
    place: Place,
    match_id: str,
    version: int | None,
    viewer: str | None,
    *,
    live: bool,
    screen: bool,
    as_json: bool,
) -> None:
    """Rebuild a match at any of its versions, as a viewer saw it.

    On the screen: right and left go one version, down and up a trick or a turn, PgDn and PgUp a
    round, Home and End to the ends; j and k (or Shift with down and up) scroll the page; v looks
    with the next viewer's eyes; q or Ctrl-C ends it.
    """
    if screen:
        _check_screen(as_json=as_json)
    rows = rows_of(place, match_id)
    viewers = _viewers(rows, viewer, live=live)
    here = _version(rows, version)
    if screen:
        _walk(rows, viewers, here)
    else:
        _show(rows, viewers[0], here, as_json=as_json)


def _viewers(rows: Sequence[Row], viewer: str | None, *, live: bool) -> tuple[str, ...]:
    """Whose eyes may be used, the one asked for first."""
    match_id, over = rows[0].entry.stream, rebuild.is_over(rows)
    present = read(match_id, partial(rebuild.viewers, rows))
    first = viewer if viewer is not None else JUDGE if over else PUBLIC
    if first not in present:
        stop(USAGE, f"{first!a} is nobody at this match: say one of {', '.join(present)}")
    if over or live:
        return (first, *(one for one in present if one != first))
    if first != PUBLIC:
        stop(USAGE, f"{match_id} is being played: to look into its hands say --live")
    return (PUBLIC,)


def _version(rows: Sequence[Row], version: int | None) -> int:
    here = len(rows) if version is None else version
    if not 1 <= here <= len(rows):
        stop(NOT_FOUND, f"{rows[0].entry.stream}: the match has versions 1 to {len(rows)}")
    return here


# One moment -----------------------------------------------------------------------------------


def _show(rows: Sequence[Row], viewer: str, version: int, *, as_json: bool) -> None:
    moment = read(rows[0].entry.stream, partial(rebuild.at, rows, version))
    seen = look(viewer, moment.state)
    found = {
        "match": moment.match,
        "version": moment.version,
        "head": moment.head,
        "state": rebuild.seen_by(viewer, moment.state),
        "deduced": seen.deduced,
    }
    say.result(found, page(moment, seen, len(rows)), as_json=as_json)


# The screen -----------------------------------------------------------------------------------


def _check_screen(*, as_json: bool) -> None:
    if as_json:
        stop(USAGE, "--screen is for people and --json for programs: say one of them")
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        stop(USAGE, "--screen needs a terminal; without one see a moment as text: --to VERSION")
    if importlib.util.find_spec(LIBRARY) is None:
        stop(FAILED, f"--screen needs {LIBRARY}: python -m pip install {LIBRARY}")


def _walk(rows: Sequence[Row], viewers: Sequence[str], version: int) -> None:
    """Show the match in a full screen until it is quit."""
    match_id = rows[0].entry.stream
    if len(rows) > MOST_MOMENTS:
        many = f"{match_id} has {len(rows)} versions, a screen holds {MOST_MOMENTS}"
        stop(FAILED, f"{many}: see one at a time with --to VERSION")
    line = read(match_id, partial(timeline, rows))
    screens = importlib.import_module("services.cli.screen")  # an extra, and slow to import
    screens.ReplayScreen(line, viewers, version=version).run()
