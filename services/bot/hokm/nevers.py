"""What no level above white does: the cards that are left when those are taken away.

These are judgements that hold wherever the unseen cards lie; a search has nothing to say about them
and a whim does not reach them.
"""

from typing import Final

from services.bot.hokm.bits import BIT, SUIT, Cards, highest, numbers
from services.bot.hokm.danger import danger
from services.bot.hokm.sight import Sight, known_ruff, partner_holds, winning
from services.rules.hokm.state import TRICKS_TO_WIN

ACES: Final[Cards] = sum(BIT[highest(suit)] for suit in SUIT)


def proper(sight: Sight) -> Cards:
    """The legal cards that are not against one of the nevers; there is one at least."""
    if sight.round.trick:
        return _on_a_trick(sight)
    must = _must_take(sight, sight.legal)
    return _sparing_trumps(sight, must) if must else _leads(sight)


def _on_a_trick(sight: Sight) -> Cards:
    if _partner_keeps_it(sight):
        return _left_to_partner(sight)
    takers = winning(sight)
    return (_must_take(sight, takers) if takers else 0) or sight.legal


def _must_take(sight: Sight, takers: Cards) -> Cards:
    """The cards that take a trick for certain which makes seven for my side, or is the first of the
    hakem's and not the partner's as it lies, or else would be the others' seventh; none if it is
    not that trick or none is certain.
    """
    seventh = sight.ours == TRICKS_TO_WIN - 1
    first = sight.saving and (sight.deciding or not partner_holds(sight))
    return _certain(sight, takers) if seventh or first else 0


def _certain(sight: Sight, takers: Cards) -> Cards:
    return sum(BIT[card] for card in numbers(takers) if danger(sight, card) == 0)


# The partner's trick ---------------------------------------------------------------------------


def _partner_keeps_it(sight: Sight) -> bool:
    """He holds it, and no card that an opponent may hold takes it from him."""
    return partner_holds(sight) and danger(sight, sight.round.best) == 0


def _left_to_partner(sight: Sight) -> Cards:
    """Neither ruffed nor overtaken, and no ace of a side suit thrown on it, unless one must."""
    cards = sight.legal & ~winning(sight) or sight.legal
    modest = cards & ~(ACES & ~sight.trumps)
    return modest if modest & ~sight.trumps else cards


# Leads -----------------------------------------------------------------------------------------


def _leads(sight: Sight) -> Cards:
    """No suit that an opponent is known to ruff; and no trumps where they can hold none, unless the
    next trick is one that must be had.
    """
    cards = sight.hand
    if sight.their_trumps:
        ruffed = sum(SUIT[suit] for suit in range(4) if _would_be_ruffed(sight, suit))
        return cards & ~ruffed or cards
    side = cards & ~sight.trumps
    if (sight.deciding or sight.saving) and not _certain(sight, side):
        return cards
    return side or cards


def _sparing_trumps(sight: Sight, certain: Cards) -> Cards:
    """Of cards that take the trick for certain no trumps, where no opponent can hold one."""
    side = certain & ~sight.trumps
    return certain if sight.their_trumps else side or certain


def _would_be_ruffed(sight: Sight, suit: int) -> bool:
    return suit != sight.trump and bool(sight.hand & SUIT[suit]) and known_ruff(sight, suit)
