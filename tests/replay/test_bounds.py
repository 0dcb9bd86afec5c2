"""Bounds are exact: the least and the most of all ways in which hidden cards can lie."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from services.replay.deductions.bounds import Bounds, Holder, bounds

KINDS: Final = "SHD"
Row = tuple[int, ...]


class Deal(Struct, frozen=True):
    """`held`: by holder, how many it has of each kind; `may`: the kinds that it could have."""

    held: tuple[Row, ...]
    may: tuple[frozenset[str], ...]

    def hidden(self) -> dict[str, int]:
        columns = zip(KINDS, zip(*self.held, strict=True), strict=True)
        return {kind: sum(column) for kind, column in columns}

    def holders(self) -> list[Holder]:
        return [Holder(sum(row), may) for row, may in zip(self.held, self.may, strict=True)]


def deal(dice: Random) -> Deal:
    """Three hands; nobody has what it may not have."""
    may = [frozenset(kind for kind in KINDS if dice.random() < 0.7) for _ in range(3)]
    held = (tuple(dice.randint(0, 3) * (kind in some) for kind in KINDS) for some in may)
    return Deal(tuple(held), tuple(may))


def every_deal(hidden: Mapping[str, int], holders: Sequence[Holder]) -> Iterator[tuple[Row, ...]]:
    """All ways in which the hidden cards can lie, tried one by one."""
    for rows in product(*(_rows(hidden, one) for one in holders)):
        if tuple(map(sum, zip(*rows, strict=True))) == tuple(hidden.values()):
            yield rows


def _rows(hidden: Mapping[str, int], holder: Holder) -> list[Row]:
    ranges = (range(count + 1 if kind in holder.may else 1) for kind, count in hidden.items())
    return [row for row in product(*ranges) if sum(row) == holder.cards]


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_bounds_are_the_least_and_the_most_of_all_deals_that_can_be(seed: int) -> None:
    one = deal(Random(seed))
    hidden, holders = one.hidden(), one.holders()
    deals = list(every_deal(hidden, holders))
    assert one.held in deals
    for holder, (at, kind) in product(range(3), enumerate(KINDS)):
        counts = [rows[holder][at] for rows in deals]
        assert bounds(hidden, holders, holder, kind) == Bounds(min(counts), max(counts))


def test_who_alone_may_hold_a_suit_holds_all_of_it() -> None:
    holders = [Holder(3, frozenset("H")), Holder(3, frozenset("SH"))]
    assert bounds({"S": 2, "H": 4}, holders, 1, "S") == Bounds(2, 2)
    assert bounds({"S": 2, "H": 4}, holders, 1, "H") == Bounds(1, 1)
    assert bounds({"S": 2, "H": 4}, holders, 0, "S") == Bounds(0, 0)
