"""The rows of one match and what is read from them; where that fails, the command ends."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeVar

from schemas.ids import MatchId, matches
from services.cli.exits import DIFFERENCE, NOT_FOUND, stop
from services.cli.place import Place, reader, stop_for
from services.event_log.port import LogError, LogUnreachable, Reader, Row
from services.runtime.faults import place_of

T = TypeVar("T")


def rows_of(place: Place, match_id: str) -> tuple[Row, ...]:
    """The whole stream, one row at least."""
    if not matches(match_id, MatchId):
        stop(NOT_FOUND, f"{match_id!a} is no match's id: see `waraq match list`")
    with closing(reader(place)) as log:
        try:
            rows = log.load(match_id)
        except LogError as error:
            stop_for(error)
    if not rows:
        stop(NOT_FOUND, f"the log has no match {match_id}: see `waraq match list`")
    return rows


def is_there(log: Reader, match_id: MatchId) -> bool:
    """True also for a match whose first row cannot be read: that is for others to say."""
    try:
        return bool(log.load(match_id, limit=1))
    except LogUnreachable:
        raise
    except LogError:
        return True


def all_streams(log: Reader) -> Iterator[MatchId]:
    """The ids of all matches, sorted."""
    after = ""
    while streams := log.streams(after=after):
        yield from streams
        after = streams[-1]


def read(match_id: str, reading: Callable[[], T]) -> T:
    """What `reading` makes of a stream, unless it is damaged."""
    try:
        return reading()
    except Exception as error:  # noqa: BLE001 whatever is wrong with a stream, the audit finds it
        reason = f"{match_id} cannot be read ({place_of(error)})"
        stop(DIFFERENCE, f"{reason}: see `waraq audit {match_id}`")


def one_stream(log: Reader, match_id: str) -> Iterator[MatchId]:
    """That match alone; stops the command if the log has none of that id."""
    if not matches(match_id, MatchId) or not is_there(log, match_id):
        stop(NOT_FOUND, f"the log has no match {match_id!a}: see `waraq match list`")
    yield match_id
