"""What a card is worth in the position: lowest, highest, master, and the risk that it is beaten."""

from typing import Final

from msgspec import Struct

from schemas.cards import HokmCard, Suit
from services.bot.hokm.reading import Cards, Reading, may_hold, opponents_may_hold
from services.rules.tricks import STRENGTH, SUIT_OF, beats


class Risk(Struct, frozen=True, order=True):
    """How a card may lose the trick to an opponent who is still to play; smaller is safer.

    `beaters`: unseen cards that would take it, a ruff counting only of one who is known to be out
    of the suit led. `open_to_ruff`: one of them may hold a trump that would, though nothing says
    that he is out of the suit.
    """

    beaters: int
    open_to_ruff: bool


CERTAIN: Final = Risk(beaters=0, open_to_ruff=False)
"""No opponent can take the trick, wherever the unseen cards lie."""


def of_suit(cards: Cards, suit: Suit) -> Cards:
    return tuple(card for card in cards if SUIT_OF[card] == suit)


def weakest(cards: Cards) -> HokmCard:
    """The lowest rank; of equal ranks the first."""
    return min(cards, key=STRENGTH.__getitem__)


def strongest(cards: Cards) -> HokmCard:
    """The highest rank; of equal ranks the first."""
    return max(cards, key=STRENGTH.__getitem__)


def cheapest_equal(reading: Reading, cards: Cards) -> HokmCard:
    """The lowest of `cards`, all of one suit, that is worth their highest: what lies between the
    two is mine or gone.
    """
    top = strongest(cards)
    below = (STRENGTH[c] for c in of_suit(reading.unseen, SUIT_OF[top]))
    floor = max((strength for strength in below if strength < STRENGTH[top]), default=-1)
    return weakest(tuple(card for card in cards if STRENGTH[card] > floor))


def is_master(reading: Reading, card: HokmCard) -> bool:
    """True if no opponent may hold a higher card of its suit."""
    suit = SUIT_OF[card]
    if not opponents_may_hold(reading, suit):
        return True
    return all(STRENGTH[c] < STRENGTH[card] for c in of_suit(reading.unseen, suit))


def winning(reading: Reading) -> Cards:
    """The playable cards that take the trick as it lies; there is one."""
    assert reading.best is not None
    best = reading.best.card
    return tuple(card for card in reading.playable if beats(card, best, reading.trump))


def risk(reading: Reading, card: HokmCard) -> Risk:
    """The risk that an opponent to come takes the trick from `card`, which holds it."""
    led = reading.led or SUIT_OF[card]
    stronger = [c for c in reading.unseen if beats(c, card, reading.trump)]
    known = sum(_may_be_played(reading, c, led) for c in stronger)
    return Risk(known, open_to_ruff=_may_be_ruffed(reading, stronger, led))


def _may_be_played(reading: Reading, card: HokmCard, led: Suit) -> bool:
    suit = SUIT_OF[card]
    return any(
        may_hold(reading, seat, suit) and (suit == led or not may_hold(reading, seat, led))
        for seat in reading.to_come
    )


def _may_be_ruffed(reading: Reading, stronger: list[HokmCard], led: Suit) -> bool:
    if led == reading.trump or not any(SUIT_OF[c] == reading.trump for c in stronger):
        return False
    return any(may_hold(reading, seat, reading.trump) for seat in reading.to_come)


def surest(reading: Reading, cards: Cards) -> HokmCard:
    """The card with the least risk, of equal ones a side suit's, then the lowest."""
    return min(
        cards,
        key=lambda card: (risk(reading, card), SUIT_OF[card] == reading.trump, STRENGTH[card]),
    )
