"""Why a card is played: one of H21's eight reasons, told from the card and what the seat sees,
whether a rule, a search or a whim chose it.
"""

from typing import Final

from schemas.advice import HokmWhy, Reason
from services.bot.hokm.bits import BIT, RANK_OF, SUIT, SUIT_OF, Cards, Number, name_of, numbers
from services.bot.hokm.danger import danger
from services.bot.hokm.sight import Sight, is_master, partner_holds, winning

HIGH: Final = 8
"""From this rank on, the ten's, a card is meant to take the trick."""
SHORT: Final = 2
"""Cards of a suit that are soon gone."""


def reason(sight: Sight, card: Number) -> Reason:
    """The reason for `card`, a legal one, and the cards that explain it."""
    why = _why_on_a_trick(sight, card) if sight.round.trick else _why_lead(sight, card)
    return Reason(why=why, cards=tuple(map(name_of, numbers(_explaining(sight, card, why)))))


def _explaining(sight: Sight, card: Number, why: HokmWhy) -> Cards:
    """The partner's card that is left alone, the suit that is to be gone, else the card itself."""
    if why == "save_for_partner":
        return BIT[sight.round.best]
    if why == "make_void":
        return sight.hand & SUIT[SUIT_OF[card]]
    return BIT[card]


def _why_lead(sight: Sight, card: Number) -> HokmWhy:
    suit = SUIT_OF[card]
    if sight.saving and danger(sight, card) == 0:
        return "save_from_hakem_kot"
    if suit == sight.trump and sight.their_trumps:
        return "draw_trumps"
    if is_master(sight, card):
        return "cash_winner"
    if suit == sight.round.first_led[sight.partner]:
        return "return_suit"
    if _is_short(sight, card):
        return "make_void"
    return "cash_winner" if RANK_OF[card] >= HIGH else "low_card"


def _why_on_a_trick(sight: Sight, card: Number) -> HokmWhy:
    if BIT[card] & winning(sight):
        if sight.saving:
            return "save_from_hakem_kot"
        if SUIT_OF[card] == sight.trump != SUIT_OF[sight.round.trick[0]]:
            return "ruff"
        return "cash_winner" if _may_keep(sight, card) else "low_card"
    if partner_holds(sight):
        return "save_for_partner"
    thrown = SUIT_OF[card] != SUIT_OF[sight.round.trick[0]]
    return "make_void" if thrown and _is_short(sight, card) else "low_card"


def _may_keep(sight: Sight, card: Number) -> bool:
    """That a card is above the one on the table is no reason for it while higher ones may come."""
    return RANK_OF[card] >= HIGH or danger(sight, card) <= 1


def _is_short(sight: Sight, card: Number) -> bool:
    """Of a side suit that can soon be ruffed, for there are trumps to do it with (tip 4)."""
    suit = SUIT_OF[card]
    if suit == sight.trump or not sight.hand & sight.trumps:
        return False
    return (sight.hand & SUIT[suit]).bit_count() <= SHORT
