"""The rules of points and records, as numbers and as sentences that everybody may read."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

XO_POINTS: Final = 10
"""XO points for each round that a player's side wins at a masked table (H22)."""

RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "xo": f"{XO_POINTS} points for each round of Hokm that your side wins (H22)",
        "where": "only at a table with masks: seats 1 and 3 at the house, at one level (H20)",
        "whose": "of who owns a seat of that side when the round ends, also if the house plays it",
        "kept": "points stay if the match is lost, left or abandoned later",
        "counted": "a match is in your record once it has ended by its rules, not if abandoned",
        "played": "you owned a seat while the match was played",
        "won": "your side won, or without sides your seat, and you owned it at the end",
        "left": "you left after the start and owned no seat at the end; it is never won",
    }
)
"""Every rule by which standings are counted, in plain words, by what it is about."""


class Terms(Struct, frozen=True):
    """By which rules points and records are counted: the numbers, and the sentences by subject."""

    xo_points: int
    rules: Mapping[str, str]


TERMS: Final = Terms(xo_points=XO_POINTS, rules=dict(RULES))
