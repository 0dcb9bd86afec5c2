"""How often one address may ask: a bucket each, filled again as time goes by."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from msgspec import Struct

ADDRESSES: Final = 100_000
"""Addresses that are remembered; the one that was quiet longest is forgotten first."""
HOME_BITS: Final = 64
"""Of an IPv6 address: one household has all that follow."""


class Rate(Struct, frozen=True):
    """`burst` at once, and `per_second` after that."""

    burst: int
    per_second: float


SESSIONS: Final = Rate(burst=60, per_second=1.0)
"""Sessions and names: behind one address may be a whole mobile network."""
READS: Final = Rate(burst=200, per_second=20.0)


class _Bucket(Struct):
    left: float
    at: float


class Rates:
    """The buckets of one rate. Times are seconds of a clock that never goes back."""

    def __init__(self, rate: Rate, most: int = ADDRESSES) -> None:
        self._rate = rate
        self._most = most
        self._buckets: dict[str, _Bucket] = {}

    def wait(self, address: str, now: float) -> float:
        """0 if `address` may ask now, which counts, or the seconds until it may."""
        home = household(address)
        bucket = self._buckets.pop(home, None) or _Bucket(self._rate.burst, now)
        self._buckets[home] = bucket  # the latest is the last
        if len(self._buckets) > self._most:
            self._buckets.pop(next(iter(self._buckets)))
        filled = bucket.left + (now - bucket.at) * self._rate.per_second
        bucket.left, bucket.at = min(filled, self._rate.burst), now
        if bucket.left < 1:
            return (1 - bucket.left) / self._rate.per_second
        bucket.left -= 1
        return 0.0


def household(address: str) -> str:
    """What is counted as one: an IPv4 address, or an IPv6 network."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ip_network((int(found), HOME_BITS), strict=False))
    return str(found)
