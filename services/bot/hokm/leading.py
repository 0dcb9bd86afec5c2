"""What to lead: the first rule of thumb that has an answer decides. Tips are numbered as in the
guide (docs/rules/hokm.md).
"""

from typing import Final

from services.bot.hokm.bits import RANK_OF, SUIT, SUIT_OF, Cards, Number, highest, lowest
from services.bot.hokm.danger import danger, surest
from services.bot.hokm.sight import (
    Sight,
    cheapest_equal,
    is_master,
    known_ruff,
    ruffs,
    weakest,
)
from services.bot.hokm.thumb import Rule, first_answer

MANY_TRUMPS: Final = 4
"""Trumps with which the hakem's side draws those of the others."""
WITH_MASTER: Final = 3
"""Trumps that are enough for it when the highest one out is among them."""


def lead(sight: Sight) -> Number:
    """The card to lead."""
    return first_answer(RULES, sight)


def take_needed_trick(sight: Sight) -> Number | None:
    """A trick that decides the round, or the hakem's side's first, if it is certain."""
    if not (sight.deciding or sight.saving):
        return None
    card = surest(sight, sight.hand)
    return card if danger(sight, card) == 0 else None


def draw_trumps(sight: Sight) -> Number | None:
    """Tip 2: the hakem's side with many trumps, while an opponent may hold one."""
    trumps = sight.hand & sight.trumps
    if not trumps or not sight.hakems_side or not sight.their_trumps:
        return None
    many = trumps.bit_count()
    if many >= WITH_MASTER and is_master(sight, highest(trumps)):
        return cheapest_equal(sight, trumps)
    return lowest(trumps) if many >= MANY_TRUMPS else None


def cash_winner(sight: Sight) -> Number | None:
    """Tip 6: a master, of the suit of which the others hold most: the least likely to be ruffed."""
    best, most = None, -1
    for cards in _safe_suits(sight):
        top = highest(cards)
        out = (sight.unseen & SUIT[SUIT_OF[top]]).bit_count()
        if out > most and is_master(sight, top):
            best, most = top, out
    return best


def run_long_suit(sight: Sight) -> Number | None:
    """With the opponents out of trumps nothing is ruffed: the highest of the longest suit."""
    if sight.their_trumps:
        return None
    return max(map(_length_then_card, _safe_suits(sight)), default=(0, None))[1]


def _length_then_card(cards: Cards) -> tuple[int, Number]:
    return cards.bit_count(), highest(cards)


def return_suit(sight: Sight) -> Number | None:
    """Tip 5: the suit of the partner's first lead."""
    suit = sight.round.first_led[sight.partner]
    if suit < 0 or suit == sight.trump or not sight.hand & SUIT[suit] or known_ruff(sight, suit):
        return None
    return lowest(sight.hand & SUIT[suit])


def give_ruff(sight: Sight) -> Number | None:
    """A suit that the partner can ruff and the opponents, as far as is known, cannot."""
    for cards in _safe_suits(sight):
        if ruffs(sight, sight.partner, SUIT_OF[lowest(cards)]):
            return lowest(cards)
    return None


def make_void(sight: Sight) -> Number | None:
    """Tip 4: from the shortest side suit, of equal ones the lowest card."""
    suits = _safe_suits(sight)
    if not suits:
        return None
    return lowest(min(suits, key=_length_then_rank))


def _length_then_rank(cards: Cards) -> tuple[int, int]:
    return cards.bit_count(), RANK_OF[lowest(cards)]


def lead_trump(sight: Sight) -> Number | None:
    """Where every side suit would be ruffed, or none is left."""
    trumps = sight.hand & sight.trumps
    if not trumps:
        return None
    top = highest(trumps)
    return top if is_master(sight, top) else lowest(trumps)


def lead_low(sight: Sight) -> Number:
    """Into a ruff, since nothing else is left."""
    return weakest(sight.hand)


def _safe_suits(sight: Sight) -> list[Cards]:
    """My cards of each side suit that no opponent is known to ruff."""
    hand, trump = sight.hand, sight.trump
    return [
        hand & SUIT[suit]
        for suit in range(4)
        if suit != trump and hand & SUIT[suit] and not known_ruff(sight, suit)
    ]


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
