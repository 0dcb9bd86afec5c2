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
from schemas.views import HandView, Meld
from services.rules.hand.search import JOKER, candidates, pool_of, spell
from services.rules.hand.state import HandState
from services.rules.hand.table import Melds, joker_in, shape_of, with_card, with_melds, with_swap
from services.rules.melds import (
    ACE,
    REACH,
    End,
    SetMeld,
    Shape,
    ends_for,
    frees_joker,
    has_joker,
    has_room,
    is_joker,
    places,
)

FEW: Final = 7
"""The most cards in a hand that can go out where it cannot discard: two pairs, two freed jokers and
the taken card."""


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


def holding_seen(view: HandView) -> Holding:
    """The same from the view of that seat."""
    assert view.seat is not None
    return Holding(
        seat=view.seat,
        hand=view.hand,
        must_place=view.must_place,
        taken=view.taken,
        melds=view.melds,
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
    return len(holding.hand) <= FEW and goes_out(holding, set())


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
    return any(abs(a - b) <= REACH for a in places(one) for b in places(other))


def goes_out(holding: Holding, seen: set[Holding]) -> bool:
    """True if every card can go to the table; `seen` are the states that came to nothing."""
    if not holding.hand:
        return True
    if holding in seen:
        return False
    seen.add(holding)
    return any(goes_out(after, seen) for after in moves(holding))


def moves(holding: Holding) -> Iterator[Holding]:
    """What the melds, lay-offs and swaps there are lead to, whatever comes of it.

    Ways that come to the same are one: where all must go two copies of a card are one, the one
    that must go first, so a new meld is spelled in one way only; and see `_with_joker`.
    """
    for meld in holding.melds:
        yield from _with_natural(holding, meld)
    yield from _with_joker(holding)
    for new in candidates(pool_of(holding.hand), ACE):
        yield after_melds(holding, spell((new,), holding.hand))


def _with_natural(holding: Holding, meld: Meld) -> Iterator[Holding]:
    shape = shape_of(meld)
    for card in by_face(holding).values():
        if is_joker(card):
            continue
        for end in ends_for(shape, card):
            yield after_lay_off(holding, meld.id, card, end)
        if frees_joker(shape, card):
            yield after_swap(holding, meld.id, card)


def _with_joker(holding: Holding) -> Iterator[Holding]:
    """A joker laid off. Where no natural of the hand can come it is as good on one meld as on any
    other, and at either end: of those the first is tried.
    """
    hand = by_face(holding)
    if JOKER not in hand:
        return
    joker, tried = hand[JOKER], False
    for meld in holding.melds:
        shape = shape_of(meld)
        if not _is_home(shape):
            continue
        if any(_may_come(card, shape, len(holding.hand)) for card in hand):
            for end in ends_for(shape, joker):
                yield after_lay_off(holding, meld.id, joker, end)
        elif not tried:
            tried = True
            yield after_lay_off(holding, meld.id, joker, ends_for(shape, joker)[0])


def _may_come(face: str, shape: Shape, cards: int) -> bool:
    """True if a card of `face` could come on the meld once it has grown by so many cards."""
    if face == JOKER:
        return False
    if isinstance(shape, SetMeld):
        return face[0] == shape.rank
    near = (shape.low - cards <= place <= shape.high + cards for place in places(face))
    return face[1] == shape.suit and any(near)


def by_face(holding: Holding) -> dict[str, HandCard]:
    """A card of each face in the hand, one that must go down before its twin."""
    urgent = (*holding.must_place, holding.taken)
    return {card[:2]: card for card in sorted(holding.hand, key=lambda card: card in urgent)}
