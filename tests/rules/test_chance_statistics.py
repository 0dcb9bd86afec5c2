"""Is the shuffle fair to every card and place, the first hakem to every seat? (H5, H6, N4)

The seeds are fixed, so the numbers are always the same; what is asserted is that they are
plausible: neither far from what chance does, nor closer to the mean than chance comes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from math import sqrt
from typing import Final

import pytest

from schemas.cards import HOKM_PACK
from services.rules.chance import drawn, shuffled
from services.rules.hokm.deal import turn_up

SHUFFLES: Final = 100_000
UNLIKELY: Final = 3.3
"""Standard deviations from the mean: one in a thousand, both sides together."""

pytestmark = pytest.mark.slow


def seeds(purpose: str) -> Iterator[bytes]:
    return (sha256(f"{purpose} {number}".encode()).digest() for number in range(SHUFFLES))


def deviation(found: Iterable[int], expected: float, freedom: int) -> float:
    """Chi-square of the counts, as standard deviations from its mean (Wilson and Hilferty)."""
    chi_square = sum((count - expected) ** 2 for count in found) / expected
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


class Counts:
    """Of all shuffles: how often which card came to which place, and which came after which."""

    def __init__(self, orders: Iterable[tuple[str, ...]]) -> None:
        columns = tuple(zip(*orders, strict=True))
        self.places = [Counter(column) for column in columns]
        self.pairs = Counter[tuple[str, str]]()
        for one, two in zip(columns[::2], columns[1::2], strict=True):
            self.pairs.update(zip(one, two, strict=True))


@pytest.fixture(scope="module")
def counts() -> Counts:
    return Counts(shuffled(seed, "deal", HOKM_PACK) for seed in seeds("deal"))


def test_every_card_comes_to_every_place_as_often_as_chance_has_it(counts: Counts) -> None:
    cards = len(HOKM_PACK)
    found = [place[card] for place in counts.places for card in HOKM_PACK]
    assert abs(deviation(found, SHUFFLES / cards, (cards - 1) ** 2)) < UNLIKELY


def test_what_follows_a_card_is_as_often_any_other(counts: Counts) -> None:
    """A shuffle can be fair to places and not to pairs."""
    cards = len(HOKM_PACK)
    pairs = [counts.pairs[one, two] for one in HOKM_PACK for two in HOKM_PACK if one != two]
    expected = SHUFFLES * (cards // 2) / len(pairs)
    assert abs(deviation(pairs, expected, len(pairs) - 1)) < UNLIKELY


def test_H5_every_seat_is_the_first_hakem_as_often() -> None:
    hakems = Counter[int]()
    for seed in seeds("hakem"):
        pack = shuffled(seed, "ace_draw", HOKM_PACK)
        hakems[turn_up(pack, drawn(seed, "ace_draw", 4)).hakem] += 1
    assert abs(deviation(hakems.values(), SHUFFLES / 4, 3)) < UNLIKELY


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_N4_every_seat_is_the_first_dealer_as_often(seats: int) -> None:
    dealers = Counter(drawn(seed, "first_dealer", seats) for seed in seeds("dealer"))
    assert len(dealers) == seats
    assert abs(deviation(dealers.values(), SHUFFLES / seats, seats - 1)) < UNLIKELY
