"""One meld, read exactly: runs, sets, the joker, the ace (N8 to N12, N20, N21). No state."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from schemas.cards import RANKS, HandCard

End = Literal["low", "high"]

RUN_RANKS: Final = "A23456789TJQKA"
"""The rank at each place of a run; an ace stands at the first or at the last, never at both."""
MELD_SIZE: Final = 3
"""Cards in the smallest meld."""
RUN_SIZE: Final = 13
"""Cards in the longest run (N8)."""
SET_SIZE: Final = 4
"""Cards in the largest set (N9)."""
LAST_PLACE: Final = len(RUN_RANKS) - 1
REACH: Final = 2
"""How far two cards of a run may stand apart for one card, or a joker, to join them."""
ACE: Final = 11
FACE: Final = 10
JOKER_HELD: Final = 15
"""What a joker in the hand costs (N41); on the table it is worth the card it stands for."""
VALUE_OF: Final[Mapping[str, int]] = {
    rank: int(rank) if rank.isdecimal() else ACE if rank == "A" else FACE for rank in RANKS
}
"""N12, by rank."""
_PLACES: Final = tuple(VALUE_OF[rank] for rank in RUN_RANKS)


class RunMeld(Struct, frozen=True):
    """Cards of one suit at the places `low` to `high` of `RUN_RANKS`; `joker` is its place."""

    suit: str
    low: int
    high: int
    joker: int | None


class SetMeld(Struct, frozen=True):
    """Cards of one rank; `suits` are those of the naturals, in the order listed."""

    rank: str
    suits: str
    joker: bool


Shape = RunMeld | SetMeld


def is_joker(card: HandCard) -> bool:
    return card.startswith("JK")


def jokers_in(cards: Sequence[HandCard]) -> int:
    return sum(map(is_joker, cards))


def held_value(card: HandCard) -> int:
    """What `card` costs if it is still in the hand at the end of a round (N41)."""
    return JOKER_HELD if is_joker(card) else VALUE_OF[card[0]]


def read(cards: Sequence[HandCard]) -> Shape | None:
    """The meld that `cards` are as they are listed (N11), None if they are none."""
    naturals = [card for card in cards if not is_joker(card)]
    if len(cards) < MELD_SIZE or len(naturals) < len(cards) - 1:
        return None
    if all(card[0] == naturals[0][0] for card in naturals):
        return _read_set(cards, naturals)
    return _read_run(cards, naturals)


def _read_set(cards: Sequence[HandCard], naturals: list[HandCard]) -> SetMeld | None:
    suits = "".join(card[1] for card in naturals)
    if len(cards) > SET_SIZE or len(set(suits)) < len(suits):
        return None
    return SetMeld(rank=naturals[0][0], suits=suits, joker=len(naturals) < len(cards))


def _read_run(cards: Sequence[HandCard], naturals: list[HandCard]) -> RunMeld | None:
    anchor = next(card for card in naturals if card[0] != "A")
    low = RUN_RANKS.index(anchor[0]) - cards.index(anchor)
    high = low + len(cards) - 1
    if low < 0 or high > LAST_PLACE or len(cards) > RUN_SIZE:
        return None
    joker, suit = None, anchor[1]
    for place, card in enumerate(cards, low):
        if is_joker(card):
            joker = place
        elif card[:2] != RUN_RANKS[place] + suit:
            return None
    return RunMeld(suit=suit, low=low, high=high, joker=joker)


def value(shape: Shape, low_ace: int) -> int:
    """Its worth on the table (N12); `low_ace`: that of the ace in a run that starts A-2-3."""
    if isinstance(shape, SetMeld):
        return VALUE_OF[shape.rank] * (len(shape.suits) + shape.joker)
    return run_value(shape.low, shape.high, low_ace)


def run_value(low: int, high: int, low_ace: int) -> int:
    """The worth of a run from place `low` to place `high`."""
    worth = sum(_PLACES[low : high + 1])
    return worth if low > 0 else worth - ACE + low_ace


def places(card: HandCard) -> tuple[int, ...]:
    """Where a natural card stands in a run of its suit: an ace low and high."""
    return (0, LAST_PLACE) if card[0] == "A" else (RUN_RANKS.index(card[0]),)


# Adding to a meld -----------------------------------------------------------------------------


def has_joker(shape: Shape) -> bool:
    return bool(shape.joker) if isinstance(shape, SetMeld) else shape.joker is not None


def has_room(shape: Shape) -> bool:
    """A run that is not full always has room at one of its ends."""
    if isinstance(shape, SetMeld):
        return len(shape.suits) + shape.joker < SET_SIZE
    return shape.high - shape.low + 1 < RUN_SIZE


def ends_for(shape: Shape, card: HandCard) -> tuple[End | None, ...]:
    """Where `card` fits, the preferred end first; on a set (None,); nowhere (N20).

    Whether the meld may get a second joker is not asked here.
    """
    if not has_room(shape):
        return ()
    if isinstance(shape, SetMeld):
        missing = card[0] == shape.rank and card[1] not in shape.suits
        return (None,) if missing or is_joker(card) else ()
    ends: tuple[tuple[End, int], ...] = (("high", shape.high + 1), ("low", shape.low - 1))
    return tuple(end for end, place in ends if _stands_at(shape, place, card))


def _stands_at(run: RunMeld, place: int, card: HandCard) -> bool:
    if not 0 <= place <= LAST_PLACE:
        return False
    return is_joker(card) or card[:2] == RUN_RANKS[place] + run.suit


def frees_joker(shape: Shape, card: HandCard) -> bool:
    """True if `card` takes the place of the meld's joker: the card it stands for (N21)."""
    if is_joker(card):
        return False
    if isinstance(shape, SetMeld):
        return shape.joker and card[0] == shape.rank and card[1] not in shape.suits
    return shape.joker is not None and card[:2] == RUN_RANKS[shape.joker] + shape.suit
