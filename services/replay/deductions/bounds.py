"""How many cards of a kind somebody holds: the exact bounds of what can be."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct


class Bounds(Struct, frozen=True):
    """So many at least and so many at most."""

    least: int
    most: int


class Holder(Struct, frozen=True):
    """Who holds `cards` hidden cards, of the kinds `may` alone."""

    cards: int
    may: frozenset[str]


def bounds(hidden: Mapping[str, int], holders: Sequence[Holder], holder: int, kind: str) -> Bounds:
    """How many of the hidden cards of `kind` the one at place `holder` has, where all `hidden`
    cards, counted by kind, lie with `holders` and fill them.

    Hall's condition, asked of every set of kinds: they must find room with those who may hold any
    of them. Giving x of `kind` to `holder` and leaving this pair out, each set says either that x
    is not below what it cannot place elsewhere, or not above what it leaves free. What lies
    between the two can be dealt.
    """
    asked = holders[holder]
    if kind not in asked.may:
        return Bounds(0, 0)
    least, most = 0, min(hidden[kind], asked.cards)
    for some in _subsets(hidden):
        others = [one for at, one in enumerate(holders) if at != holder and one.may & some]
        spare = sum(one.cards for one in others) - sum(hidden[each] for each in some)
        shares = bool(asked.may & (some - {kind}))
        if kind in some and not shares:
            least = max(least, -spare)
        elif kind not in some and shares:
            most = min(most, spare + asked.cards)
    return Bounds(least, most)


def _subsets(kinds: Mapping[str, int]) -> Iterator[frozenset[str]]:
    for size in range(1, len(kinds) + 1):
        yield from map(frozenset, combinations(kinds, size))
