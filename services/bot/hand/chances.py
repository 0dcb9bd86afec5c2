"""What the next card may bring a hand that is not open yet: how near to the bar its melds come with
each card that may still be had, and what of that is lost by throwing one of it.

Hands are packed as in `services.rules.hand.search`, two bits a face. A joker that may come is not
counted: it helps whatever is kept.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final

from msgspec import Struct

from schemas.cards import SUITS
from services.bot.hand.reading import Reading, live
from services.rules.hand.search import FACES, Pool, pool_of, worths
from services.rules.melds import (
    LAST_PLACE,
    MELD_SIZE,
    RUN_RANKS,
    SET_SIZE,
    VALUE_OF,
    run_value,
)

LONGEST: Final = 5
"""Cards in a run that is looked at; a longer one is two side by side."""
OPENS: Final = 40.0
"""Points that an opening is worth beside the value of its melds; duels chose it."""
_UNIT: Final[Mapping[str, int]] = {face: pool_of((face + "1",)).naturals for face in FACES}
_ONES: Final = sum(_UNIT.values())


class Pattern(Struct, frozen=True):
    """A meld without a joker: its faces packed, and its worth."""

    need: int
    value: int


class Promise(Struct, frozen=True):
    """A meld of `value` that lacks one card: the naturals, packed, and jokers it takes besides."""

    rest: int
    jokers: int
    value: int


_Coming = Mapping[int, list[Promise]]
"""By the unit of the card that may come."""
_Most = Callable[[int, int], int]


def losses(reading: Reading, bar: int) -> Mapping[str, float]:
    """By face of the hand, what is lost in points by throwing one: of the melds it holds, and of
    those that one card more would make, on an average over all cards that may come.
    """
    pool = pool_of(reading.held.hand)
    most, coming = worths(pool, reading.low_ace), _coming(pool, reading.low_ace)
    chances = _chances(reading, coming)

    def promise(naturals: int) -> float:
        now = _use(most(naturals, pool.jokers), bar)
        return now + sum(
            chance * (_use(_with_card(naturals, pool.jokers, coming[unit], most), bar) - now)
            for unit, chance in chances.items()
        )

    whole = promise(pool.naturals)
    held = [face for face in FACES if _UNIT[face] & _present(pool.naturals)]
    return {face: whole - promise(pool.naturals - _UNIT[face]) for face in held}


def _use(worth: int, bar: int) -> float:
    return worth + OPENS if worth >= bar else worth


def _chances(reading: Reading, coming: _Coming) -> Mapping[int, float]:
    """By unit, for the cards that would make a meld and may come."""
    copies = {_UNIT[face]: live(reading, face) for face in FACES}
    total = sum(copies.values())
    return {unit: copies[unit] / total for unit in coming if copies[unit]}


def _with_card(naturals: int, jokers: int, promises: list[Promise], most: _Most) -> int:
    """The most that melds can be worth once a card has come to this part of the hand."""
    best, present = most(naturals, jokers), _present(naturals)
    for each in promises:
        if each.jokers <= jokers and not each.rest & ~present:
            best = max(best, each.value + most(naturals - each.rest, jokers - each.jokers))
    return best


# Melds that lack a card -----------------------------------------------------------------------


def _coming(pool: Pool, low_ace: int) -> _Coming:
    """The melds for which a second copy, or one missing card, would have to come; a joker of the
    hand may stand for one card more.
    """
    present, lacking = _present(pool.naturals), 1 + min(pool.jokers, 1)
    coming: dict[int, list[Promise]] = {}
    for pattern in patterns(low_ace):
        missing = pattern.need & ~present
        if missing.bit_count() > lacking:
            continue
        for unit in _units(missing or pattern.need):
            promise = Promise(
                rest=pattern.need & ~missing & ~unit,
                jokers=(missing & ~unit).bit_count(),
                value=pattern.value,
            )
            coming.setdefault(unit, []).append(promise)
    return coming


@lru_cache(maxsize=2)
def patterns(low_ace: int) -> tuple[Pattern, ...]:
    """Every set, and every run of `LONGEST` cards at most; remembered for both worths of an ace."""
    return (*_runs(low_ace), *_sets())


def _runs(low_ace: int) -> Iterator[Pattern]:
    for suit in SUITS:
        for low in range(LAST_PLACE):
            for high in range(low + MELD_SIZE - 1, min(low + LONGEST, LAST_PLACE + 1)):
                need = sum(_UNIT[rank + suit] for rank in RUN_RANKS[low : high + 1])
                yield Pattern(need=need, value=run_value(low, high, low_ace))


def _sets() -> Iterator[Pattern]:
    for rank in RUN_RANKS[:LAST_PLACE]:
        for size in range(MELD_SIZE, SET_SIZE + 1):
            for suits in combinations(SUITS, size):
                need = sum(_UNIT[rank + suit] for suit in suits)
                yield Pattern(need=need, value=VALUE_OF[rank] * size)


def _present(naturals: int) -> int:
    """A bit for each face of which there is a copy."""
    return (naturals | naturals >> 1) & _ONES


def _units(packed: int) -> Iterator[int]:
    while packed:
        unit = packed & -packed
        yield unit
        packed -= unit
