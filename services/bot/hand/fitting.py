"""Where one card goes on the melds of the table: lay-offs and swaps (N20, N21)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from schemas.cards import SUITS, HandCard
from schemas.commands import LayOff, SwapJoker
from services.rules.hand.ending import Holding, by_face
from services.rules.hand.search import JOKER
from services.rules.melds import (
    LAST_PLACE,
    RUN_RANKS,
    End,
    RunMeld,
    SetMeld,
    Shape,
    ends_for,
    frees_joker,
    has_joker,
    read,
)

REMEMBERED: Final = 4_096
"""Melds whose places are remembered; what is remembered follows from the cards alone."""


class Room(Struct, frozen=True):
    """A card of `face` may be laid off at `end`."""

    face: str
    end: End | None


@lru_cache(maxsize=REMEMBERED)
def rooms(cards: tuple[HandCard, ...]) -> tuple[Room, ...]:
    """Every lay-off that the meld of `cards` takes, the joker's last."""
    shape = _shape(cards)
    wanted = [*_neighbours(shape), *(() if has_joker(shape) else (JOKER,))]
    return tuple(Room(face, end) for face in wanted for end in ends_for(shape, face))


@lru_cache(maxsize=REMEMBERED)
def keys(cards: tuple[HandCard, ...]) -> tuple[str, ...]:
    """The faces that free the joker of the meld of `cards`; none if it has none."""
    shape = _shape(cards)
    if not has_joker(shape):
        return ()
    return tuple(face for face in _faces(shape) if frees_joker(shape, face))


def reach(cards: tuple[HandCard, ...], faces: frozenset[str], *, joker: bool) -> Iterator[str]:
    """The faces that may come on the meld of `cards` when any of `faces` is laid off there, and
    with `joker` a joker once, in whatever order.
    """
    shape = _shape(cards)
    if isinstance(shape, SetMeld):
        yield from (face for face in _faces(shape) if face[1] not in shape.suits)
        return
    if all(face[1] != shape.suit for face in faces):
        return
    down, up = range(shape.low - 1, -1, -1), range(shape.high + 1, LAST_PLACE + 1)
    for way in (down, up):
        spare = int(joker)
        for face in (RUN_RANKS[place] + shape.suit for place in way):
            yield face
            spare -= face not in faces
            if spare < 0:
                break


def _shape(cards: tuple[HandCard, ...]) -> Shape:
    shape = read(cards)
    assert shape is not None, "what lies on the table is a meld"
    return shape


def _neighbours(shape: Shape) -> list[str]:
    if isinstance(shape, RunMeld):
        ends = (shape.low - 1, shape.high + 1)
        return [RUN_RANKS[place] + shape.suit for place in ends if 0 <= place <= LAST_PLACE]
    return _faces(shape)


def _faces(shape: Shape) -> list[str]:
    """The faces of a run's places, or those of a set's rank."""
    if isinstance(shape, RunMeld):
        return [RUN_RANKS[place] + shape.suit for place in range(shape.low, shape.high + 1)]
    return [shape.rank + suit for suit in SUITS]


def lay_offs(held: Holding) -> Iterator[LayOff]:
    """Every lay-off that fits, by meld; of two copies of a card the taken one."""
    hand = by_face(held)
    for meld in held.melds:
        for room in rooms(meld.cards):
            if room.face in hand:
                yield LayOff(meld=meld.id, card=hand[room.face], end=room.end)


def swaps(held: Holding) -> Iterator[SwapJoker]:
    """Every swap that fits, by meld; of two copies of a card the taken one."""
    hand = by_face(held)
    for meld in held.melds:
        for face in keys(meld.cards):
            if face in hand:
                yield SwapJoker(meld=meld.id, card=hand[face])
