"""How often somebody may do something: a bucket each, filled again as time goes by."""

from typing import Final

from msgspec import Struct

REMEMBERED: Final = 100_000
"""Those who are remembered; the one that was quiet longest is forgotten first."""


class Rate(Struct, frozen=True):
    """`burst` at once, and `per_second` after that."""

    burst: int
    per_second: float


class _Bucket(Struct):
    left: float
    at: float


class Rates:
    """The buckets of one rate. Times are seconds of a clock that never goes back."""

    def __init__(self, rate: Rate, most: int = REMEMBERED) -> None:
        self._rate = rate
        self._most = most
        self._buckets: dict[str, _Bucket] = {}

    def wait(self, who: str, now: float) -> float:
        """0 if `who` may do it now, which counts, or the seconds until he may."""
        bucket = self._buckets.pop(who, None) or _Bucket(self._rate.burst, now)
        self._buckets[who] = bucket  # the latest is the last
        if len(self._buckets) > self._most:
            self._buckets.pop(next(iter(self._buckets)))
        filled = bucket.left + (now - bucket.at) * self._rate.per_second
        bucket.left, bucket.at = min(filled, self._rate.burst), now
        if bucket.left < 1:
            return (1 - bucket.left) / self._rate.per_second
        bucket.left -= 1
        return 0.0
