"""What to lead: the first rule of thumb that has an answer decides. Tips are numbered as in the
guide (docs/rules/hokm.md).
"""

from typing import Final

from schemas.cards import SUITS, HokmCard, Suit
from services.bot.hokm.reading import (
    Reading,
    decisive,
    first_for_hakem,
    known_ruff,
    opponents_may_hold,
    partner_of,
    ruffs,
)
from services.bot.hokm.strength import (
    CERTAIN,
    cheapest_equal,
    is_master,
    of_suit,
    risk,
    surest,
    weakest,
)
from services.bot.hokm.thumb import Rule, first_answer
from services.rules.tricks import STRENGTH, SUIT_OF

MANY_TRUMPS: Final = 4
"""Trumps with which the hakem's side draws those of the others."""
WITH_MASTER: Final = 3
"""Trumps that are enough for it when the highest one out is among them."""


def lead(reading: Reading) -> HokmCard:
    """The card to lead."""
    return first_answer(RULES, reading)


def take_needed_trick(reading: Reading) -> HokmCard | None:
    """A trick that decides the round, or the hakem's side's first, if it is certain."""
    if not decisive(reading) and not first_for_hakem(reading):
        return None
    card = surest(reading, reading.hand)
    return card if risk(reading, card) == CERTAIN else None


def draw_trumps(reading: Reading) -> HokmCard | None:
    """Tip 2: the hakem's side with many trumps, while an opponent may hold one."""
    if not reading.hakems_side or not opponents_may_hold(reading, reading.trump):
        return None
    trumps = of_suit(reading.hand, reading.trump)
    if len(trumps) >= WITH_MASTER and is_master(reading, trumps[-1]):
        return cheapest_equal(reading, trumps)
    return trumps[0] if len(trumps) >= MANY_TRUMPS else None


def cash_winner(reading: Reading) -> HokmCard | None:
    """Tip 6: a master, of the suit of which the others hold most: the least likely to be ruffed."""
    tops = (of_suit(reading.hand, suit)[-1] for suit in _safe_suits(reading))
    return max(
        (card for card in tops if is_master(reading, card)),
        key=lambda card: len(of_suit(reading.unseen, SUIT_OF[card])),
        default=None,
    )


def run_long_suit(reading: Reading) -> HokmCard | None:
    """With the opponents out of trumps nothing is ruffed: the highest of the longest suit."""
    suits = _safe_suits(reading)
    if opponents_may_hold(reading, reading.trump) or not suits:
        return None
    return max((of_suit(reading.hand, suit) for suit in suits), key=len)[-1]


def return_suit(reading: Reading) -> HokmCard | None:
    """Tip 5: the suit of the partner's first lead."""
    suit = reading.partners_suit
    return of_suit(reading.hand, suit)[0] if suit in _safe_suits(reading) else None


def give_ruff(reading: Reading) -> HokmCard | None:
    """A suit that the partner can ruff and the opponents, as far as is known, cannot."""
    partner = partner_of(reading.me)
    suits = (suit for suit in _safe_suits(reading) if ruffs(reading, partner, suit))
    return next((of_suit(reading.hand, suit)[0] for suit in suits), None)


def make_void(reading: Reading) -> HokmCard | None:
    """Tip 4: from the shortest side suit, of equal ones the lowest card."""
    suits = (of_suit(reading.hand, suit) for suit in _safe_suits(reading))
    shortest = min(suits, key=lambda cards: (len(cards), STRENGTH[cards[0]]), default=None)
    return shortest[0] if shortest else None


def lead_trump(reading: Reading) -> HokmCard | None:
    """Where every side suit would be ruffed, or none is left."""
    trumps = of_suit(reading.hand, reading.trump)
    if not trumps:
        return None
    return trumps[-1] if is_master(reading, trumps[-1]) else trumps[0]


def lead_low(reading: Reading) -> HokmCard:
    """Into a ruff, since nothing else is left."""
    return weakest(reading.hand)


def _safe_suits(reading: Reading) -> tuple[Suit, ...]:
    """My side suits that no opponent is known to ruff."""
    return tuple(
        suit
        for suit in SUITS
        if suit != reading.trump and of_suit(reading.hand, suit) and not known_ruff(reading, suit)
    )


RULES: Final[tuple[Rule, ...]] = (
    take_needed_trick,
    draw_trumps,
    cash_winner,
    run_long_suit,
    return_suit,
    give_ruff,
    make_void,
    lead_trump,
    lead_low,
)
