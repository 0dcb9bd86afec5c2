"""What the house plays for a seat whose time is up, from that seat's view alone (H24).

This page is the definition; the bots have rules of thumb of their own. A card is chosen so:
on lead the highest card of a side suit, trumps only when nothing else is left; on a trick that
the partner holds the lowest card; else the lowest card that takes the trick, and without one the
lowest card. Lowest and highest are by rank, a side suit before trumps, then S H D C.
"""

from collections.abc import Sequence

from schemas.cards import SUITS, HokmCard, Suit
from schemas.commands import ChooseTrump, GameAction, PlayCard
from schemas.ids import Seat
from schemas.views import HokmView, View
from services.rules.hokm.state import side_of
from services.rules.tricks import STRENGTH, SUIT_OF, beats, winner


def house_move(view: View) -> GameAction:
    """The house's move for the seat whose view this is; that seat must be on turn."""
    assert isinstance(view, HokmView)
    assert view.seat is not None
    assert view.seat == view.turn
    if view.trump is None:
        return ChooseTrump(suit=longest_suit(view.hand))
    return PlayCard(card=_card(view, view.seat, view.trump))


def longest_suit(cards: Sequence[HokmCard]) -> Suit:
    """Ties by the highest card, then the next highest and so on, then S H D C (H24)."""

    def worth(suit: Suit) -> tuple[int, list[int]]:
        ranks = sorted((STRENGTH[card] for card in cards if SUIT_OF[card] == suit), reverse=True)
        return len(ranks), ranks

    return max(SUITS, key=worth)


def _card(view: HokmView, seat: Seat, trump: Suit) -> HokmCard:
    if not view.trick:
        return _lead(view.playable, trump)
    best = winner(view.trick, trump)
    taking = [card for card in view.playable if beats(card, best.card, trump)]
    if side_of(best.seat) == side_of(seat) or not taking:
        return _lowest(view.playable, trump)
    return _lowest(taking, trump)


def _lead(cards: Sequence[HokmCard], trump: Suit) -> HokmCard:
    side_suits = [card for card in cards if SUIT_OF[card] != trump] or cards
    return max(side_suits, key=lambda card: (STRENGTH[card], -SUITS.index(SUIT_OF[card])))


def _lowest(cards: Sequence[HokmCard], trump: Suit) -> HokmCard:
    def cost(card: HokmCard) -> tuple[bool, int, int]:
        return SUIT_OF[card] == trump, STRENGTH[card], SUITS.index(SUIT_OF[card])

    return min(cards, key=cost)
