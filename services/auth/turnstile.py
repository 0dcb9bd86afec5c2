"""How often players may log in: each for himself, and all together.

Only good tokens are counted, so that nobody uses up another's log-ins with made-up ones. Counts are
a worker's own: two workers let twice as many in.
"""

from typing import Final, Literal

from schemas.ids import PlayerId
from services.runtime.clock import Clock
from services.runtime.rates import Rate, Rates

EACH: Final = Rate(burst=30, per_second=0.5)
"""One player. A client that lost its line comes back once; a few pages of his lose it together."""
ALL: Final = Rate(burst=10_000, per_second=500.0)
"""All players. A broker that was started again finds everybody at the door at once, and may hold
as many as come at once here.
"""
_EVERYBODY: Final = ""

TooMany = Literal["too_often", "too_many"]
"""`too_often`: this player; `too_many`: all of them together."""


class Turnstile:
    """Counts who comes in."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._each = Rates(EACH)
        self._all = Rates(ALL, most=1)

    def stops(self, player: PlayerId) -> TooMany | None:
        """None if `player` may come in now, which counts."""
        now = self._clock.ticks()
        if self._each.wait(player, now):
            return "too_often"
        return "too_many" if self._all.wait(_EVERYBODY, now) else None
