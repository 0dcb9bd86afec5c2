"""What a card is worth keeping: its live outs, what it costs in the hand, whom it would help.

The weights have no unit; duels chose them.
"""

from typing import Final

from schemas.cards import HandCard
from services.bot.hand.fitting import rooms
from services.bot.hand.outs import outs
from services.bot.hand.reading import Reading
from services.rules.hand.ending import makes_pair
from services.rules.melds import held_value, is_joker

TWIN: Final = 2.0
"""A second copy in the hand is dead weight."""
OPENED_OUTS: Final = 0.8
OPENED_POINTS: Final = 0.35
"""Once opened what is left is paid for, point by point (N41)."""
CLOSED_POINTS: Final = 0.6
"""Before, 100 are due anyway (N42), and dear cards reach the bar."""
LOST: Final = 5.0
"""For each point that is lost of what is held and of what the next card may bring."""
FITS_NEXT: Final = 4.0
"""The next seat has opened and can lay it off."""
FITS_ANOTHER: Final = 2.0
"""Somebody else could, if the next seat did not take it."""
NEAR_SHOWN: Final = 1.5
"""For each card near it that the next seat took from the fire and holds."""


def use(reading: Reading, card: HandCard, lost: float) -> float:
    """How much better it is to keep `card` than to throw it, for this hand. `lost`: what throwing
    it loses of the hand's chances to open, in points.
    """
    if is_joker(card):
        return 0.0
    twins = sum(held[:2] == card[:2] for held in reading.held.hand)
    found = outs(reading, card) - (TWIN if twins > 1 else 0)
    if reading.bar is None:
        return OPENED_OUTS * found - OPENED_POINTS * held_value(card)
    return found + CLOSED_POINTS * held_value(card) + LOST * lost


def danger(reading: Reading, card: HandCard) -> float:
    """How much better it is to keep `card`, for what the next seat may do with it."""
    if is_joker(card):
        return 0.0
    shown = (other for other in reading.after.shown if not is_joker(other))
    near = sum(makes_pair(card, other) for other in shown)
    return _fit(reading, card) + NEAR_SHOWN * near


def _fit(reading: Reading, card: HandCard) -> float:
    fits = any(card[:2] == room.face for meld in reading.held.melds for room in rooms(meld.cards))
    if not fits or not reading.rivals_opened:
        return 0.0
    return FITS_NEXT if reading.after.opened else FITS_ANOTHER
