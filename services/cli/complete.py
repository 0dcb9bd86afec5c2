"""What a shell completes: viewers, words, files, and the ids of matches if the log answers at once.

Whatever goes wrong completes to nothing: whoever presses a key asks for no message.
"""

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from threading import Thread
from typing import Final

import click
from click.shell_completion import CompletionItem

from schemas.ids import MatchId, matches
from services.cli.place import Place
from services.event_log.sql import open_reader
from services.replay.rebuild import VIEWERS

Completer = Callable[[click.Context, click.Parameter, str], list[str]]

MOST_IDS: Final = 100
"""Matches that are offered at once, the oldest first."""
WITHIN: Final = 1.0
"""Seconds that a log has to answer; a shell waits for it."""
ID_MARK: Final = "m_"
"""Every match's id begins with it."""


def viewers(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    return [viewer for viewer in VIEWERS if viewer.startswith(begun)]


def words(known: Sequence[str]) -> Completer:
    """Completes the last of some of `known` that have commas between them."""

    def begun_by(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
        before, comma, last = begun.rpartition(",")
        return [before + comma + word for word in known if word.startswith(last)]

    return begun_by


def files(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The shell knows them best."""
    return [CompletionItem(begun, type="file")]


def match_ids(
    context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    place = context.params.get("place")
    if not isinstance(place, Place) or not _may_be_id(begun):
        return []
    found = [begun] if matches(begun, MatchId) else _known(place.log_url, begun)
    return [CompletionItem(match) for match in found]


def ids_or_files(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The file first: bash forgets what stood before it."""
    return [*files(context, parameter, begun), *match_ids(context, parameter, begun)]


def _may_be_id(begun: str) -> bool:
    return begun.startswith(ID_MARK) or ID_MARK.startswith(begun)


def _known(log_url: str, begun: str) -> list[str]:
    """The matches of the log whose ids begin so; a thread that is still waiting is left behind."""
    found: list[str] = []

    def look() -> None:
        with suppress(Exception), closing(open_reader(log_url)) as log:
            found.extend(log.streams(after=begun, limit=MOST_IDS))

    thread = Thread(target=look, daemon=True)
    thread.start()
    thread.join(WITHIN)
    return [match for match in found if match.startswith(begun)]
