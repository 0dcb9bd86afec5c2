"""How a card may lose the trick to an opponent who is still to play."""

from services.bot.hokm.bits import ABOVE, RANK_OF, SUIT_OF, Cards, Number, numbers
from services.bot.hokm.sight import Sight, may_hold

Danger = int
"""Twice the unseen cards that would take the trick, a ruff counting only of one who is known to be
out of the suit led; and one if there may be a trump that would, though nothing says that he is out.
Smaller is safer, 0 is certain.
"""


def danger(sight: Sight, card: Number) -> Danger:
    """The danger that an opponent to come takes the trick from `card`, which holds it."""
    trick = sight.round.trick
    led, played = SUIT_OF[trick[0]] if trick else SUIT_OF[card], len(trick)
    to_come = (sight.right, sight.left) if not played else (sight.right,) if played < 3 else ()
    known, open_ = 0, False
    for seat in to_come:
        known |= _beaters(sight, seat, card, led)
        open_ = open_ or _may_ruff(sight, seat, card, led)
    return 2 * known.bit_count() + open_


def _beaters(sight: Sight, seat: int, card: Number, led: int) -> Cards:
    beaters = 0
    if may_hold(sight, seat, led):
        if SUIT_OF[card] == led:
            beaters = sight.unseen & ABOVE[card]
        return beaters
    if may_hold(sight, seat, sight.trump):
        trumps = sight.unseen & sight.trumps
        beaters = trumps & ABOVE[card] if SUIT_OF[card] == sight.trump else trumps
    return beaters


def _may_ruff(sight: Sight, seat: int, card: Number, led: int) -> bool:
    if led == sight.trump or not may_hold(sight, seat, sight.trump):
        return False
    trumps = sight.unseen & sight.trumps
    return bool(trumps & ABOVE[card] if SUIT_OF[card] == sight.trump else trumps)


def surest(sight: Sight, cards: Cards) -> Number:
    """The card with the least danger, of equal ones a side suit's, then the lowest."""
    return min(
        numbers(cards),
        key=lambda card: (danger(sight, card), SUIT_OF[card] == sight.trump, RANK_OF[card]),
    )
