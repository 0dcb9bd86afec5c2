"""Can this turn still end? The exact answer behind N18, N22 and N23.

A turn ends with a discard or with an empty hand. Both are decided from what the seat holds and
what lies on the table.

*By a discard.* Every freed joker must be placed and a card that is neither freed nor taken must be
left. A joker-free meld with room takes a joker; call it a home. No lay-off makes a home; a swap
makes one at most and frees a joker for it; only a new meld gains: it takes a freed joker itself,
or is the home of one. So with more jokers than homes, as many new melds are needed as jokers are
over, and each needs two cards of the hand that make a meld with a joker: a pair. Disjoint pairs
and one more card to throw are therefore necessary, and they are enough.

*By an empty hand.* Where it ends no turn by a discard, the cards that could be thrown are all
needed for pairs, so the hand is small (`FEW`), and every order of every move is tried.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.ids import Seat
from services.rules.hand.search import candidates, pool_of, spell
from services.rules.hand.state import HandState
from services.rules.hand.table import Melds, joker_in, shape_of, with_card, with_melds, with_swap
from services.rules.melds import (
    ACE,
    LAST_PLACE,
    RUN_RANKS,
    End,
    Shape,
    ends_for,
    frees_joker,
    has_joker,
    has_room,
    is_joker,
)

FEW: Final = 7
"""The most cards in a hand that can go out where it cannot discard: two pairs, two freed jokers and
the taken card."""
_REACH: Final = 2
"""How far two cards of a run with a joker may stand apart."""


class Holding(Struct, frozen=True, kw_only=True):
    """What a seat on turn holds and sees: `must_place`: freed jokers in its hand; `taken`: the
    card from the fire, which it may not throw.
    """

    seat: Seat
    hand: tuple[HandCard, ...]
    must_place: tuple[HandCard, ...] = ()
    taken: HandCard | None = None
    melds: Melds = ()


def holding_of(state: HandState, seat: Seat) -> Holding:
    """What `seat`, on turn, holds and sees."""
    return Holding(
        seat=seat,
        hand=state.hands[seat],
        must_place=state.now.must_place,
        taken=state.now.taken,
        melds=state.melds,
    )


# After a move ---------------------------------------------------------------------------------


def after_melds(holding: Holding, submitted: Sequence[tuple[HandCard, ...]]) -> Holding:
    laid = {card for cards in submitted for card in cards}
    melds = with_melds(holding.melds, holding.seat, submitted)
    return replace(_without(holding, laid), melds=melds)


def after_lay_off(holding: Holding, meld_id: int, card: HandCard, end: End | None) -> Holding:
    melds = with_card(holding.melds, meld_id, card, end)
    return replace(_without(holding, {card}), melds=melds)


def after_swap(holding: Holding, meld_id: int, card: HandCard) -> Holding:
    joker = joker_in(holding.melds, meld_id)
    left = _without(holding, {card})
    return replace(
        left,
        hand=(*left.hand, joker),
        must_place=(*left.must_place, joker),
        melds=with_swap(holding.melds, meld_id, card),
    )


def _without(holding: Holding, gone: set[HandCard]) -> Holding:
    return replace(
        holding,
        hand=tuple(card for card in holding.hand if card not in gone),
        must_place=tuple(card for card in holding.must_place if card not in gone),
    )


# Can it end? ----------------------------------------------------------------------------------


def can_end(holding: Holding) -> bool:
    """True if some sequence of legal commands ends the turn; the seat has opened."""
    if not holding.hand or _by_discard(holding):
        return True
    return len(holding.hand) <= FEW and _by_going_out(holding, set())


def _by_discard(holding: Holding) -> bool:
    kept = (*holding.must_place, holding.taken)
    spare = {card for card in holding.hand if card not in kept}
    homes = (
        sum(_is_home(meld) for meld in map(shape_of, holding.melds)) if holding.must_place else 0
    )
    over = max(0, len(holding.must_place) - homes)
    if over == 0:
        return bool(spare)
    naturals = [card for card in holding.hand if not is_joker(card)]
    pairs = [set(pair) for pair in combinations(naturals, 2) if makes_pair(*pair)]
    chosen = (set().union(*some) for some in combinations(pairs, over))
    return any(len(used) == 2 * over and spare - used for used in chosen)


def _is_home(shape: Shape) -> bool:
    return not has_joker(shape) and has_room(shape)


def makes_pair(one: HandCard, other: HandCard) -> bool:
    """True if two naturals make a meld with a joker."""
    if one[0] == other[0]:
        return one[1] != other[1]
    if one[1] != other[1]:
        return False
    return any(abs(a - b) <= _REACH for a in _places(one) for b in _places(other))


def _places(card: HandCard) -> tuple[int, ...]:
    return (0, LAST_PLACE) if card[0] == "A" else (RUN_RANKS.index(card[0]),)


def _by_going_out(holding: Holding, seen: set[Holding]) -> bool:
    if not holding.hand:
        return True
    if holding in seen:
        return False
    seen.add(holding)
    return any(_by_going_out(after, seen) for after in moves(holding))


def moves(holding: Holding) -> Iterator[Holding]:
    """What every meld, lay-off and swap there is leads to, whatever comes of it. Where all must go
    two copies of a card are one, so a new meld is spelled in one way only.
    """
    for meld in holding.melds:
        shape = shape_of(meld)
        for card in holding.hand:
            if not (is_joker(card) and has_joker(shape)):
                for end in ends_for(shape, card):
                    yield after_lay_off(holding, meld.id, card, end)
            if frees_joker(shape, card):
                yield after_swap(holding, meld.id, card)
    for new in candidates(pool_of(holding.hand), ACE):
        yield after_melds(holding, spell((new,), holding.hand))
