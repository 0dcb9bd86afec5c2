"""A whole match to walk through: its moments, and the versions at which one stops."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from schemas.events import CardDiscarded, RoundEnded, TrickTaken
from services.event_log.port import STREAM_EVENTS, Row
from services.replay.rebuild import Moment, moments
from services.rules.sight import DEALS

MOST_MOMENTS: Final = STREAM_EVENTS
"""Versions of a match that are kept in memory at once; neighbours share what did not change."""
TURN_ENDS: Final = (TrickTaken, CardDiscarded, RoundEnded, *DEALS)
"""A trick is over, or a turn of Hand; and where a round begins and ends."""


class Timeline(Struct, frozen=True):
    """`moments` by version from 1; `turns`, `rounds`: the versions at which a trick or a turn is
    over, and at which a round is dealt.
    """

    moments: tuple[Moment, ...]
    turns: tuple[int, ...]
    rounds: tuple[int, ...]

    @property
    def last(self) -> int:
        return len(self.moments)

    def at(self, version: int) -> Moment:
        return self.moments[version - 1]


def timeline(rows: Sequence[Row]) -> Timeline:
    """The match of these rows, a whole stream of at most `MOST_MOMENTS`."""
    assert len(rows) <= MOST_MOMENTS, "more than are kept in memory"
    found = tuple(moments(rows))
    return Timeline(
        moments=found,
        turns=_versions(found, TURN_ENDS),
        rounds=_versions(found, DEALS),
    )


def _versions(found: Sequence[Moment], kinds: tuple[type, ...]) -> tuple[int, ...]:
    return tuple(one.version for one in found if isinstance(one.event.body, kinds))


def next_stop(line: Timeline, stops: Sequence[int], version: int) -> int:
    """The first of `stops` after `version`, else the end."""
    at = bisect_right(stops, version)
    return stops[at] if at < len(stops) else line.last


def stop_before(stops: Sequence[int], version: int) -> int:
    """The last of `stops` before `version`, else the beginning."""
    at = bisect_left(stops, version)
    return stops[at - 1] if at else 1
