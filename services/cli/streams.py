"""The rows of one match and what is read from them; where that fails, the command ends."""

from collections.abc import Callable
from typing import TypeVar

from schemas.ids import MatchId, matches
from services.cli.exits import DIFFERENCE, NOT_FOUND, stop
from services.cli.place import stop_for
from services.event_log.port import LogError, Reader, Row
from services.runtime.faults import place_of

T = TypeVar("T")


def rows_of(log: Reader, match_id: str) -> tuple[Row, ...]:
    """The whole stream, one row at least."""
    if not matches(match_id, MatchId):
        stop(NOT_FOUND, f"{match_id!a} is no match's id: see `waraq match list`")
    try:
        rows = log.load(match_id)
    except LogError as error:
        stop_for(error)
    if not rows:
        stop(NOT_FOUND, f"the log has no match {match_id}: see `waraq match list`")
    return rows


def read(match_id: str, reading: Callable[[], T]) -> T:
    """What `reading` makes of a stream, unless it is damaged."""
    try:
        return reading()
    except Exception as error:  # noqa: BLE001 whatever is wrong with a stream, the audit finds it
        reason = f"{match_id} cannot be read ({place_of(error)})"
        stop(DIFFERENCE, f"{reason}: see `waraq audit {match_id}`")
