"""Exact search for melds among the cards of one hand: openings (N14, N18), what stays (N50).

Two copies of a card are one *face* here; a hand is a counter of two bits for each face, packed
into one integer, and a number of jokers. Every way to put disjoint melds together is visited
once: the lowest face left is either melded or stays, and a bound on the rest, remembered for each
rest, cuts off what cannot reach the bar. Copies are told apart only when a way is spelled out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import SUITS, HandCard
from services.rules.melds import (
    JOKER_HELD,
    LAST_PLACE,
    MELD_SIZE,
    RUN_RANKS,
    RUN_SIZE,
    SET_SIZE,
    VALUE_OF,
    is_joker,
    run_value,
)

JOKER: Final = "JK"
"""The joker's face; of two jokers either will do until a way is spelled out."""
FACES: Final = tuple(rank + suit for rank in RUN_RANKS[:LAST_PLACE] for suit in SUITS)
"""A face's place here is its place in a packed counter."""
_UNIT: Final[Mapping[str, int]] = {face: 1 << 2 * at for at, face in enumerate(FACES)}
_ONES: Final = sum(_UNIT.values())

Spelled = tuple[tuple[HandCard, ...], ...]
"""Melds as they are submitted."""


class Pool(Struct, frozen=True):
    """A hand as counters: `naturals` packed, two bits a face; `jokers`."""

    naturals: int
    jokers: int


class Candidate(Struct, frozen=True):
    """A meld that a pool can make. `need`: its naturals, packed; `value` on the table, `held` in
    the hand; `faces` as they are listed.
    """

    need: int
    joker: bool
    value: int
    held: int
    faces: tuple[str, ...]


Way = tuple[Candidate, ...]
"""Disjoint candidates of one pool."""
_Bound = Callable[[int, int], int]


class _Node(Struct, frozen=True):
    """A way in the making and what is left of the pool; `value` and `held` are the way's."""

    naturals: int
    jokers: int
    way: Way
    value: int
    held: int


def pool_of(cards: Sequence[HandCard]) -> Pool:
    naturals = [card for card in cards if not is_joker(card)]
    packed = sum(_UNIT[card[:2]] for card in naturals)
    return Pool(naturals=packed, jokers=len(cards) - len(naturals))


def candidates(pool: Pool, low_ace: int) -> list[Candidate]:
    """Every meld that `pool` can make. A joker may also stand for a card that is held: that card
    may be wanted elsewhere.
    """
    present = (pool.naturals | pool.naturals >> 1) & _ONES
    faces = {face for face, unit in _UNIT.items() if present & unit}
    runs = [run for suit in SUITS for run in _runs(faces, suit, pool.jokers, low_ace)]
    return runs + _sets(faces, pool.jokers)


def _runs(faces: set[str], suit: str, jokers: int, low_ace: int) -> Iterator[Candidate]:
    suited = [rank + suit for rank in RUN_RANKS]
    for low in range(LAST_PLACE):
        missing = 0
        for high in range(low, min(low + RUN_SIZE, LAST_PLACE + 1)):
            missing += suited[high] not in faces
            if missing > min(jokers, 1):
                break
            if high - low + 1 >= MELD_SIZE:
                worth = run_value(low, high, low_ace)
                for listed in _listings(suited[low : high + 1], faces, jokers):
                    yield _candidate(listed, worth)


def _listings(run: list[str], faces: set[str], jokers: int) -> Iterator[list[str]]:
    """A run of which one card may be missing: as it is, and with the joker at each place where
    all other cards are held.
    """
    missing = [at for at, face in enumerate(run) if face not in faces]
    if not missing:
        yield run
    for at in (missing or range(len(run))) if jokers else ():
        yield [*run[:at], JOKER, *run[at + 1 :]]


def _sets(faces: set[str], jokers: int) -> list[Candidate]:
    found: list[Candidate] = []
    for rank in RUN_RANKS[:LAST_PLACE]:
        held = [rank + suit for suit in SUITS if rank + suit in faces]
        for size in range(MELD_SIZE - 1, len(held) + 1):
            for naturals in combinations(held, size):
                if size >= MELD_SIZE:
                    found.append(_candidate(sorted(naturals), VALUE_OF[rank] * size))
                if jokers and size < SET_SIZE:
                    listed = sorted((*naturals, JOKER))
                    found.append(_candidate(listed, VALUE_OF[rank] * len(listed)))
    return found


def _candidate(faces: Sequence[str], worth: int) -> Candidate:
    naturals = [face for face in faces if face != JOKER]
    joker = len(naturals) < len(faces)
    return Candidate(
        need=sum(_UNIT[face] for face in naturals),
        joker=joker,
        value=worth,
        held=sum(VALUE_OF[face[0]] for face in naturals) + JOKER_HELD * joker,
        faces=tuple(faces),
    )


# Ways -----------------------------------------------------------------------------------------


def ways(cards: Sequence[HandCard], *, low_ace: int, bar: int) -> Iterator[Way]:
    """Every way to lay melds from `cards` that are worth `bar` at least, each once; not the empty
    one.
    """
    pool = pool_of(cards)
    groups = _by_lowest(candidates(pool, low_ace))
    most = _bound(groups, _value)

    def promising(node: _Node) -> bool:
        return node.value + most(node.naturals, node.jokers) >= bar

    return _grow(_start(pool), groups, promising)


def highest(cards: Sequence[HandCard], *, low_ace: int) -> int:
    """The most that melds from `cards` can be worth together; 0 if there are none."""
    pool = pool_of(cards)
    return worths(pool, low_ace)(pool.naturals, pool.jokers)


def worths(pool: Pool, low_ace: int) -> Callable[[int, int], int]:
    """How much the melds can be worth at most that some naturals, packed, and some jokers of `pool`
    make; what has been asked once is remembered.
    """
    return _bound(_by_lowest(candidates(pool, low_ace)), _value)


def lightest(
    cards: Sequence[HandCard],
    *,
    low_ace: int,
    bar: int,
    allowed: Callable[[Spelled], bool],
    taken: HandCard | None = None,
) -> Spelled | None:
    """Of the allowed ways worth `bar` at least, the one that leaves the lowest value in the hand;
    ties: fewest melds, then cards as text (N50). None if there is none.
    """
    pool = pool_of(cards)
    groups = _by_lowest(candidates(pool, low_ace))
    most, heaviest = _bound(groups, _value), _bound(groups, _held)
    best: tuple[int, int, Spelled] | None = None

    def promising(node: _Node) -> bool:
        rest = node.naturals, node.jokers
        if node.value + most(*rest) < bar:
            return False
        return best is None or node.held + heaviest(*rest) >= -best[0]

    for way in _grow(_start(pool), groups, promising):
        held = sum(map(_held, way))
        for spelled in spellings(way, cards, taken):
            key = (-held, len(way), spelled)
            if (best is None or key < best) and allowed(spelled):
                best = key
    return None if best is None else best[2]


_Groups = Mapping[int, list[Candidate]]


def _value(candidate: Candidate) -> int:
    return candidate.value


def _held(candidate: Candidate) -> int:
    return candidate.held


def _by_lowest(found: list[Candidate]) -> _Groups:
    """Candidates by the unit of their lowest face."""
    groups: dict[int, list[Candidate]] = {}
    for candidate in found:
        groups.setdefault(candidate.need & -candidate.need, []).append(candidate)
    return groups


def _bound(groups: _Groups, gain: Callable[[Candidate], int]) -> _Bound:
    """The exact most that disjoint melds of a rest can gain together, remembered by rest."""
    weighed = {
        unit: [(each.need, each.joker, gain(each)) for each in group]
        for unit, group in groups.items()
    }
    known: dict[tuple[int, int], int] = {}

    def most(naturals: int, jokers: int) -> int:
        unit = _lowest(naturals)
        while naturals and unit not in weighed:
            naturals &= ~(3 * unit)
            unit = _lowest(naturals)
        if not naturals:
            return 0
        rest = (naturals, jokers)
        if rest not in known:
            known[rest] = _most(rest, unit, weighed[unit], most)
        return known[rest]

    return most


def _most(
    rest: tuple[int, int], unit: int, group: list[tuple[int, bool, int]], most: _Bound
) -> int:
    naturals, jokers = rest
    present = (naturals | naturals >> 1) & _ONES
    best = most(naturals & ~(3 * unit), jokers)
    for need, joker, gain in group:
        if joker <= jokers and not need & ~present:
            best = max(best, gain + most(naturals - need, jokers - joker))
    return best


def _lowest(naturals: int) -> int:
    """The unit of the lowest face in a packed counter, be there one of it or two."""
    bit = naturals & -naturals
    return bit if bit & _ONES else bit >> 1


def _grow(
    node: _Node, groups: _Groups, promising: Callable[[_Node], bool], since: int = 0
) -> Iterator[Way]:
    """Every way that goes on from `node`; `since`: melds of the lowest face before this one in
    its group were left out on purpose, so that a way is not seen in two orders.
    """
    if not promising(node):
        return
    if not node.naturals:
        if node.way:
            yield node.way
        return
    unit = _lowest(node.naturals)
    present = (node.naturals | node.naturals >> 1) & _ONES
    for at, each in enumerate(groups.get(unit, ())[since:], since):
        if each.joker <= node.jokers and not each.need & ~present:
            after = _with(node, each)
            again = bool(after.naturals & unit)
            yield from _grow(after, groups, promising, at if again else 0)
    kept = replace(node, naturals=node.naturals & ~(3 * unit))
    yield from _grow(kept, groups, promising)


def _start(pool: Pool) -> _Node:
    return _Node(naturals=pool.naturals, jokers=pool.jokers, way=(), value=0, held=0)


def _with(node: _Node, meld: Candidate) -> _Node:
    return _Node(
        naturals=node.naturals - meld.need,
        jokers=node.jokers - meld.joker,
        way=(*node.way, meld),
        value=node.value + meld.value,
        held=node.held + meld.held,
    )


# Spelling a way out in cards ------------------------------------------------------------------


def spellings(
    way: Sequence[Candidate], cards: Sequence[HandCard], taken: HandCard | None
) -> Iterator[Spelled]:
    """`way` in cards of the hand: as the first in text, then so that `taken` goes down before its
    twin. Which other copy goes down makes no difference to what is legal.
    """
    yield spell(way, cards)
    if taken is not None and any(taken[:2] in meld.faces for meld in way):
        yield spell(way, cards, first=taken)


def spell(
    way: Sequence[Candidate], cards: Sequence[HandCard], *, first: HandCard | None = None
) -> Spelled:
    """`way` in cards of the hand; of two copies `first` before its twin, else copy 1 first."""
    copies: dict[str, list[HandCard]] = {}
    for card in sorted(cards, key=lambda card: (card != first, card), reverse=True):
        copies.setdefault(card[:2], []).append(card)
    return tuple(tuple(copies[face].pop() for face in meld.faces) for meld in _in_text_order(way))


def _in_text_order(way: Sequence[Candidate]) -> list[Candidate]:
    return sorted(way, key=lambda meld: meld.faces)
