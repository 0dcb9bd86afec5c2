"""Would this discard let the next seat go out, as far as the view shows it?"""

from typing import Final

from schemas.cards import HandCard
from services.bot.hand.fitting import keys, reach
from services.bot.hand.reading import Reading
from services.rules.hand.ending import Holding, moves
from services.rules.hand.search import JOKER, candidates, pool_of
from services.rules.melds import ACE

MOST: Final = 6
"""Known cards of another's hand that are tried in every order; of more it is only asked whether
each has a place, and if so the card counts as a gift."""
LOOKED: Final = 20
"""Positions that are looked at for one card; what is not settled by then counts as a gift. One who
throws what it took would else choose how long the others' bots think."""


def lets_out(reading: Reading, card: HandCard) -> bool:
    """True if the next seat can take `card`, lay all that it is known to hold, and throw the one
    card that nobody knows, or one of the others: it needs no luck.
    """
    after = reading.after
    unknown = after.left - len(after.shown)
    if not after.opened or unknown > 1:
        return False
    hand = (*after.shown, card)
    start = Holding(seat=after.seat, hand=hand, taken=card, melds=reading.held.melds)
    if len(after.shown) > MOST:
        return not _is_stuck(start, 1 - unknown)
    return _clears(start, spare=1 - unknown, seen=set())


def _clears(held: Holding, *, spare: int, seen: set[Holding]) -> bool:
    """True if all but `spare` cards, which then can be thrown, go to the table."""
    throwable = not held.must_place and held.taken not in held.hand
    if not held.hand or (len(held.hand) <= spare and throwable):
        return True
    if held in seen or _is_stuck(held, spare):
        return False
    if len(seen) >= LOOKED:
        return True
    seen.add(held)
    return any(_clears(after, spare=spare, seen=seen) for after in moves(held))


def _is_stuck(held: Holding, spare: int) -> bool:
    """True if more cards than may stay have no place on the table, whatever else goes there before
    them. It tells at once what a search would find out at length.
    """
    faces = frozenset(card[:2] for card in held.hand)
    freed = {face for meld in held.melds for face in keys(meld.cards)} & faces
    joker = JOKER in faces or bool(freed)
    places = {*freed, JOKER}
    for meld in held.melds:
        places.update(reach(meld.cards, faces, joker=joker))
    if not _leaves(held, places, spare):
        return False
    wild = (JOKER,) if freed else ()
    places.update(*(new.faces for new in candidates(pool_of((*held.hand, *wild)), ACE)))
    return _leaves(held, places, spare)


def _leaves(held: Holding, places: set[str], spare: int) -> bool:
    """True if more cards than `spare`, or the taken one, are of no face of `places`."""
    left = [card for card in held.hand if card[:2] not in places]
    return len(left) > spare or held.taken in left
