"""Estimates with their 95 % intervals, from what each deal brought. A deal's two rounds depend on
each other, two deals do not: so the deal is the unit, and its spread over the deals the measure of
what is not known. Normal approximation: with fewer than some thirty deals it is too narrow.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Final

from msgspec import Struct

NORMAL: Final = 1.959964
"""Standard errors on either side that hold 95 % of a normal distribution."""
LEAST: Final = 2
"""Deals; of one the spread is not known."""


class Estimate(Struct, frozen=True):
    """A value and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of one value a deal, of `LEAST` deals or more."""
    value = fmean(values)
    return _around(value, [each - value for each in values])


def ratio_of(parts: Sequence[int], wholes: Sequence[int]) -> Estimate | None:
    """All `parts` of all `wholes`, one of each a deal; None if there is nothing to be a part of.

    Wholes differ where a round is decided for nobody. The usual estimate of a ratio's error: that
    of the mean of what each deal is above its due, over the mean whole. With equal wholes it is
    the mean of the deals' shares and its error, exactly. Shares end at 0 and 1.
    """
    whole = fmean(wholes)
    if whole == 0:
        return None
    value = sum(parts) / sum(wholes)
    due = zip(parts, wholes, strict=True)
    found = _around(value, [(part - value * own) / whole for part, own in due])
    return Estimate(value, max(found.low, 0.0), min(found.high, 1.0))


def _around(value: float, deviations: Sequence[float]) -> Estimate:
    """`deviations` of each deal, with the mean 0."""
    many = len(deviations)
    assert many >= LEAST, "the spread of one deal is not known"
    variance = sum(each * each for each in deviations) / (many - 1)
    reach = NORMAL * sqrt(variance / many)
    return Estimate(value, value - reach, value + reach)
