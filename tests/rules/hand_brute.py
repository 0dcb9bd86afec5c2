"""Every meld there is and every way to put them together, counted without the rules' search.

    python -m tests.rules.hand_brute --hands 2000 --seed 1

compares the search for an opening with this count and prints one JSON line: hands, how many of
them differ, and the mean and the longest time of the search in ms. Exit code 4 if any differs.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Final

from msgspec import Struct

from schemas.cards import HAND_PACK, HandCard
from services.rules.hand.search import Candidate, highest, lightest, ways

PLACES: Final = "A23456789TJQKA"
SUITS: Final = "SHDC"
BARS: Final = (51, 51, 51, 60, 75, 90, 120)
ACES: Final = (11, 1)


class AnyMeld(Struct, frozen=True):
    """A meld by its faces as listed, the joker being JK; its values with a low ace of 11 and 1."""

    faces: tuple[str, ...]
    values: tuple[int, int]


def worth(rank: str) -> int:
    return 11 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def _runs() -> Iterator[AnyMeld]:
    for suit in SUITS:
        for low in range(12):
            for size in range(3, 14):
                ranks = PLACES[low : low + size]
                if len(ranks) == size:
                    whole = tuple(rank + suit for rank in ranks)
                    high = sum(map(worth, ranks))
                    yield from _with_jokers(whole, (high, high - 10 * (low == 0)))


def _sets() -> Iterator[AnyMeld]:
    for rank in PLACES[:13]:
        for size in (3, 4):
            for suits in combinations(SUITS, size):
                whole = tuple(rank + suit for suit in suits)
                yield from _with_jokers(whole, (size * worth(rank), size * worth(rank)))


def _with_jokers(whole: tuple[str, ...], values: tuple[int, int]) -> Iterator[AnyMeld]:
    yield AnyMeld(whole, values)
    for at in range(len(whole)):
        yield AnyMeld((*whole[:at], "JK", *whole[at + 1 :]), values)


RUNS: Final = tuple(_runs())
SETS: Final = tuple(
    dict.fromkeys(AnyMeld(tuple(sorted(meld.faces)), meld.values) for meld in _sets())
)
"""As the search lists them, by text."""
MELDS: Final = (*RUNS, *SETS)


def faces(hand: tuple[HandCard, ...]) -> Counter[str]:
    return Counter(card[:2] for card in hand)


def held(face: str) -> int:
    return 15 if face == "JK" else worth(face[0])


def possible(hand: tuple[HandCard, ...]) -> list[AnyMeld]:
    """The melds that some cards of `hand` are, each by itself."""
    have = faces(hand)
    return [meld for meld in MELDS if all(have[face] for face in meld.faces)]


def families(hand: tuple[HandCard, ...]) -> Iterator[tuple[AnyMeld, ...]]:
    """Every way to lay melds from `hand`, in no order; the way that lays none comes first."""
    return _families(faces(hand), possible(hand), ())


def _families(
    left: Counter[str], melds: list[AnyMeld], chosen: tuple[AnyMeld, ...]
) -> Iterator[tuple[AnyMeld, ...]]:
    yield chosen
    for at, meld in enumerate(melds):
        if all(left[face] for face in meld.faces):
            less = left.copy()
            less.subtract(meld.faces)
            yield from _families(less, melds[at:], (*chosen, meld))


# Hands ----------------------------------------------------------------------------------------


def random_hand(luck: Random, size: int = 15) -> tuple[HandCard, ...]:
    return tuple(luck.sample(HAND_PACK, size))


def rich_hand(luck: Random, size: int = 15) -> tuple[HandCard, ...]:
    """A hand thrown together from melds, so that there are many ways to lay it."""
    hand: list[HandCard] = luck.sample(("JK1", "JK2"), luck.choice((0, 0, 1, 2)))
    while len(hand) < size:
        for face in luck.choice(MELDS).faces[:5]:
            copies = [face + copy for copy in "12" if face + copy not in hand]
            hand += copies[:1] if face != "JK" else ()
    return tuple(hand[:size])


# Against the search ---------------------------------------------------------------------------


class Difference(Exception):
    """The search and the count differ; the message says on what."""


def compare(hand: tuple[HandCard, ...], bar: int, low_ace: int) -> None:
    """Raises `Difference` unless the search finds every opening once, the highest value and the
    lightest rest.
    """
    at = ACES.index(low_ace)
    every = [way for way in families(hand) if way]
    value = [sum(meld.values[at] for meld in way) for way in every]
    wanted = sorted(spelled(way) for way, is_ in zip(every, value, strict=True) if is_ >= bar)
    found = sorted(map(spelled, ways(hand, low_ace=low_ace, bar=bar)))
    _same("openings", found, wanted)
    _same("highest", highest(hand, low_ace=low_ace), max(value, default=0))
    best = lightest(hand, low_ace=low_ace, bar=bar, allowed=lambda _: True)
    rest = [left(hand, way) for way, is_ in zip(every, value, strict=True) if is_ >= bar]
    laid = sum(held(card[:2]) for meld in best or () for card in meld)
    total = sum(held(card[:2]) for card in hand)
    _same("lightest", (total - laid if best else None), min(rest, default=None))


def _same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Difference(f"{what}: the search says {found}, the count {wanted}")


def spelled(way: tuple[AnyMeld | Candidate, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(meld.faces for meld in way))


def left(hand: tuple[HandCard, ...], way: tuple[AnyMeld, ...]) -> int:
    """The value that stays in the hand."""
    laid = sum(held(face) for meld in way for face in meld.faces)
    return sum(held(card[:2]) for card in hand) - laid


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1_000 * (time.perf_counter() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    luck, differ, spent = Random(asked.seed), 0, []
    for number in range(asked.hands):
        hand = (random_hand, rich_hand)[number % 2](luck)
        fresh = random_hand(luck)
        spent.append(milliseconds(lambda: next(ways(fresh, low_ace=11, bar=51), None)))  # noqa: B023
        try:
            compare(hand, luck.choice(BARS), luck.choice(ACES))
        except Difference as difference:
            differ += 1
            sys.stderr.write(f"{' '.join(hand)}: {difference}\n")
        if number % 100 == 99:
            sys.stderr.write(f"{number + 1} of {asked.hands} hands\n")
    mean = round(sum(spent) / len(spent), 3)
    result = {
        "hands": asked.hands,
        "differ": differ,
        "mean_ms": mean,
        "max_ms": round(max(spent), 3),
    }
    sys.stdout.write(json.dumps(result) + "\n")
    return 4 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
