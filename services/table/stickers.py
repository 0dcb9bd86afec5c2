"""How often who sits may show a sticker (H23): more is shown to nobody, and costs nothing else."""

from collections import OrderedDict
from typing import Final

from msgspec import Struct

from schemas.ids import Hex32, MatchId, Seat

EVERY: Final = 3.0
"""The least seconds between two stickers of a seat."""
A_ROUND: Final = 20
"""The most stickers of a seat from one end of a round to the next."""
COUNTED: Final = 10_000
"""Seats that are counted; of more those are forgotten that were quiet for longest."""


class _Shown(Struct):
    """When the latest was shown, in seconds of `Clock.ticks`, and how many since the round that
    ended with the head `since`.
    """

    latest: float
    since: Hex32 | None
    count: int


class Manners:
    """The counts of one partition. A new owner begins anew."""

    def __init__(self) -> None:
        self._shown: OrderedDict[tuple[MatchId, Seat], _Shown] = OrderedDict()

    def allow(self, match: MatchId, seat: Seat, *, since: Hex32 | None, now: float) -> bool:
        """May `seat` show one more now? If so it is counted. `since`: the head at the latest end of
        a round, None in the first one and before it.
        """
        before = self._shown.get((match, seat))
        if before is not None and now < before.latest + EVERY:
            return False
        count = before.count if before is not None and before.since == since else 0
        if count >= A_ROUND:
            return False
        self._shown[match, seat] = _Shown(latest=now, since=since, count=count + 1)
        self._shown.move_to_end((match, seat))
        if len(self._shown) > COUNTED:
            self._shown.popitem(last=False)
        return True
