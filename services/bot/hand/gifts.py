"""Would this discard let the next seat go out, as far as the view shows it?"""

from typing import Final

from schemas.cards import HandCard
from services.bot.hand.reading import Reading
from services.rules.hand.ending import Holding, moves

MOST: Final = 6
"""Known cards of another's hand that are looked into."""
LOOKED: Final = 20
"""Positions that are looked at for one card; what is not found by then counts as no gift. One who
throws what it took would else choose how long the others' bots think."""


def lets_out(reading: Reading, card: HandCard) -> bool:
    """True if the next seat can take `card`, lay all that it is known to hold, and throw the one
    card that nobody knows, or one of the others: it needs no luck.
    """
    after = reading.after
    unknown = after.left - len(after.shown)
    if not after.opened or unknown > 1 or len(after.shown) > MOST:
        return False
    hand = (*after.shown, card)
    start = Holding(seat=after.seat, hand=hand, taken=card, melds=reading.held.melds)
    return _clears(start, spare=1 - unknown, seen=set())


def _clears(held: Holding, *, spare: int, seen: set[Holding]) -> bool:
    """True if all but `spare` cards, which then can be thrown, go to the table."""
    throwable = not held.must_place and held.taken not in held.hand
    if not held.hand or (len(held.hand) <= spare and throwable):
        return True
    if held in seen:
        return False
    if len(seen) >= LOOKED:
        return False
    seen.add(held)
    return any(_clears(after, spare=spare, seen=seen) for after in moves(held))
