"""How long was thought: decisions counted by their microseconds, so that however many there were
they are added up in any order and take little room.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

P99: Final = 0.99
_US: Final = 1_000
"""Microseconds in a millisecond."""

Thinking = Counter[int]
"""How many decisions took so many microseconds."""


class Times(Struct, frozen=True, kw_only=True):
    """Milliseconds a decision; `p99`: 99 of 100 took no longer. All 0 where nothing was decided."""

    decisions: int
    mean_ms: float
    p99_ms: float
    max_ms: float


def note(thinking: Thinking, seconds: float) -> None:
    thinking[round(seconds * _US * _US)] += 1


def times(thinking: Mapping[int, int]) -> Times:
    """The figures of all decisions that were counted."""
    decisions = sum(thinking.values())
    spent = sum(took * count for took, count in thinking.items())
    return Times(
        decisions=decisions,
        mean_ms=_ms(spent / decisions if decisions else 0),
        p99_ms=_ms(_reached(thinking, P99 * decisions)),
        max_ms=_ms(max(thinking, default=0)),
    )


def _reached(thinking: Mapping[int, int], wanted: float) -> int:
    """The shortest time within which `wanted` decisions were made."""
    seen = 0
    for took in sorted(thinking):
        seen += thinking[took]
        if seen >= wanted:
            return took
    return 0


def _ms(microseconds: float) -> float:
    return round(microseconds / _US, 3)
