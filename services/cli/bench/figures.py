"""What a measure finds: numbers with their range, beside the budget they were given."""

from collections.abc import Sequence
from statistics import median
from typing import Literal

from msgspec import Struct

Databases = Literal["sqlite", "postgresql"]


class Budget(Struct, frozen=True):
    """`kind` says on which side of `limit` a value has to be."""

    kind: Literal["at most", "at least"]
    limit: float

    def met(self, value: float) -> bool:
        return value <= self.limit if self.kind == "at most" else value >= self.limit


class Point(Struct, frozen=True):
    """Where a figure stands in a plot: on the line `series`, at `x`."""

    series: str
    x: float


class Figure(Struct, frozen=True, kw_only=True):
    """A number: the median of `runs`, which lay between `low` and `high`."""

    name: str
    value: float
    unit: str
    low: float
    high: float
    runs: int
    budget: Budget | None = None
    met: bool | None = None
    point: Point | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of one measure; `failed` says why there are no figures. `seconds`: what it took.

    `notes` are what was seen on the way and belongs to the numbers.
    """

    measure: str
    database: Databases | None
    seconds: float
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    failed: str | None = None


class Found(Struct, frozen=True):
    """What a measure gives back."""

    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()


def figure(
    name: str,
    unit: str,
    values: Sequence[float],
    budget: Budget | None = None,
    point: Point | None = None,
) -> Figure:
    """The figure of several runs, at least one."""
    value = median(values)
    return Figure(
        name=name,
        value=_short(value),
        unit=unit,
        low=_short(min(values)),
        high=_short(max(values)),
        runs=len(values),
        budget=budget,
        met=None if budget is None else budget.met(value),
        point=point,
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of them lie, from 0 to 1: one that was seen, none between."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Ours over theirs, each pair of the same turn."""
    return [mine / its for mine, its in zip(ours, theirs, strict=True)]


def _short(value: float) -> float:
    """Four digits are more than any of this is worth."""
    return float(f"{value:.4g}")
