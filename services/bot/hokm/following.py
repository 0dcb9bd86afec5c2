"""What to play on a trick that others have begun: the first rule of thumb that answers decides."""

from typing import Final

from schemas.cards import HokmCard
from schemas.views import Play
from services.bot.hokm.reading import Reading, decisive, first_for_hakem, partner_of, ruffs
from services.bot.hokm.strength import (
    cheapest_equal,
    is_master,
    of_suit,
    risk,
    strongest,
    surest,
    weakest,
    winning,
)
from services.bot.hokm.thumb import Rule, first_answer
from services.rules.tricks import STRENGTH, SUIT_OF

GOOD_ENOUGH: Final = STRENGTH["QS"]
"""From this rank on a partner's card is not ruffed, although a higher one is out."""


def follow(reading: Reading) -> HokmCard:
    """The card to play."""
    return first_answer(RULES, reading)


def take_deciding_trick(reading: Reading) -> HokmCard | None:
    """As surely as can be, and over the partner only if that is surer."""
    takers = winning(reading)
    if not decisive(reading) or not takers:
        return None
    card = surest(reading, takers)
    if _partner_holds(reading) and risk(reading, card) >= risk(reading, _best(reading).card):
        return None
    return card


def take_first_trick(reading: Reading) -> HokmCard | None:
    """Tip 7: the hakem's side with none takes a trick that it can keep, as far as is known."""
    takers = winning(reading)
    if not first_for_hakem(reading) or _partner_holds(reading) or not takers:
        return None
    card = surest(reading, takers)
    return card if risk(reading, card).beaters == 0 else None


def leave_partner(reading: Reading) -> HokmCard | None:
    """Tip 3: nothing is wasted on a trick that the partner keeps, as far as is known."""
    sure = _partner_holds(reading) and risk(reading, _best(reading).card).beaters == 0
    return give_low(reading) if sure else None


def no_chance(reading: Reading) -> HokmCard | None:
    return None if winning(reading) else give_low(reading)


def take_as_last(reading: Reading) -> HokmCard | None:
    return None if reading.to_come else weakest(winning(reading))


def ruff(reading: Reading) -> HokmCard | None:
    """Void in the suit led: the lowest trump that takes it, unless the partner's card will do."""
    takers = winning(reading)
    if SUIT_OF[takers[0]] == reading.led:
        return None
    return give_low(reading) if _partner_does_well(reading) else weakest(takers)


def help_partner(reading: Reading) -> HokmCard | None:
    """Over a partner who may be beaten, but only with a card that fewer cards beat than his."""
    if not _partner_holds(reading):
        return None
    takers = winning(reading)
    his, mine = risk(reading, _best(reading).card), risk(reading, strongest(takers))
    helps = mine.beaters < his.beaters
    return cheapest_equal(reading, takers) if helps else give_low(reading)


def take_with_master(reading: Reading) -> HokmCard | None:
    takers = winning(reading)
    return cheapest_equal(reading, takers) if is_master(reading, strongest(takers)) else None


def third_hand_high(reading: Reading) -> HokmCard | None:
    """With the partner's card beaten already, make the fourth spend a high one."""
    if reading.partner_to_come:
        return None
    return cheapest_equal(reading, winning(reading))


def give_low(reading: Reading) -> HokmCard:
    """The lowest card that follows; else one thrown from a side suit, trumps last of all."""
    side = tuple(card for card in reading.playable if SUIT_OF[card] != reading.trump)
    if SUIT_OF[reading.playable[0]] == reading.led or not side:
        return weakest(reading.playable)
    return min(side, key=lambda card: _cost(reading, card))


def _cost(reading: Reading, card: HokmCard) -> tuple[bool, int, int]:
    """Masters cost most; of equal ranks the card of the shorter suit goes, for a void (tip 4)."""
    return is_master(reading, card), STRENGTH[card], len(of_suit(reading.hand, SUIT_OF[card]))


def _best(reading: Reading) -> Play:
    assert reading.best is not None
    return reading.best


def _partner_holds(reading: Reading) -> bool:
    return _best(reading).seat == partner_of(reading.me)


def _partner_does_well(reading: Reading) -> bool:
    """The partner holds the trick with a high card and nobody is known to ruff it."""
    assert reading.led is not None
    ruffed = any(ruffs(reading, seat, reading.led) for seat in reading.to_come)
    high = STRENGTH[_best(reading).card] >= GOOD_ENOUGH
    return _partner_holds(reading) and high and not ruffed


RULES: Final[tuple[Rule, ...]] = (
    take_deciding_trick,
    take_first_trick,
    leave_partner,
    no_chance,
    take_as_last,
    ruff,
    help_partner,
    take_with_master,
    third_hand_high,
    give_low,
)
