"""What to play on a trick that others have begun: the first rule of thumb that answers decides."""

from typing import Final

from services.bot.hokm.bits import RANK_OF, SUIT, SUIT_OF, Number, highest, lowest, numbers
from services.bot.hokm.danger import danger, surest
from services.bot.hokm.sight import (
    Sight,
    cheapest_equal,
    is_master,
    partner_holds,
    ruffs,
    weakest,
    winning,
)
from services.bot.hokm.thumb import Rule, first_answer

GOOD_ENOUGH: Final = 10
"""From this rank on, the queen's, a partner's card is not ruffed, although a higher one is out."""


def follow(sight: Sight) -> Number:
    """The card to play."""
    return first_answer(RULES, sight)


def take_deciding_trick(sight: Sight) -> Number | None:
    """As surely as can be, and over the partner only if that is surer."""
    if not sight.deciding:
        return None
    takers = winning(sight)
    if not takers:
        return None
    card = surest(sight, takers)
    if partner_holds(sight) and danger(sight, card) >= danger(sight, sight.round.best):
        return None
    return card


def take_first_trick(sight: Sight) -> Number | None:
    """Tip 7: the hakem's side with none takes a trick that it can keep, as far as is known."""
    if not sight.saving or partner_holds(sight):
        return None
    takers = winning(sight)
    if not takers:
        return None
    card = surest(sight, takers)
    return card if danger(sight, card) <= 1 else None


def leave_partner(sight: Sight) -> Number | None:
    """Tip 3: nothing is wasted on a trick that the partner keeps, as far as is known."""
    if partner_holds(sight) and danger(sight, sight.round.best) <= 1:
        return give_low(sight)
    return None


def no_chance(sight: Sight) -> Number | None:
    return None if winning(sight) else give_low(sight)


def take_as_last(sight: Sight) -> Number | None:
    return weakest(winning(sight)) if sight.last else None


def ruff(sight: Sight) -> Number | None:
    """Void in the suit led: the lowest trump that takes it, unless the partner's card will do."""
    takers = winning(sight)
    if takers & SUIT[SUIT_OF[sight.round.trick[0]]]:
        return None
    return give_low(sight) if _partner_does_well(sight) else lowest(takers)


def help_partner(sight: Sight) -> Number | None:
    """Over a partner who may be beaten, but only with a card that fewer cards beat than his."""
    if not partner_holds(sight):
        return None
    takers = winning(sight)
    helps = danger(sight, highest(takers)) >> 1 < danger(sight, sight.round.best) >> 1
    return cheapest_equal(sight, takers) if helps else give_low(sight)


def take_with_master(sight: Sight) -> Number | None:
    takers = winning(sight)
    return cheapest_equal(sight, takers) if is_master(sight, highest(takers)) else None


def third_hand_high(sight: Sight) -> Number | None:
    """With the partner's card beaten already, make the fourth spend a high one."""
    if len(sight.round.trick) < 2:
        return None
    return cheapest_equal(sight, winning(sight))


def give_low(sight: Sight) -> Number:
    """The lowest card that follows; else one thrown from a side suit, trumps last of all."""
    legal = sight.legal
    side = legal & ~sight.trumps
    if legal & SUIT[SUIT_OF[sight.round.trick[0]]] or not side:
        return lowest(legal)
    return min(numbers(side), key=lambda card: _cost(sight, card))


def _cost(sight: Sight, card: Number) -> int:
    """Masters cost most; of equal ranks the card of the shorter suit goes, for a void (tip 4)."""
    length = (sight.hand & SUIT[SUIT_OF[card]]).bit_count()
    return (is_master(sight, card) << 9) + (RANK_OF[card] << 4) + length


def _partner_does_well(sight: Sight) -> bool:
    """The partner holds the trick with a high card and nobody is known to ruff it."""
    led = SUIT_OF[sight.round.trick[0]]
    if not partner_holds(sight) or RANK_OF[sight.round.best] < GOOD_ENOUGH:
        return False
    return not ruffs(sight, sight.right, led)


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
