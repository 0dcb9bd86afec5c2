"""Rules of thumb: each looks at what the seat sees and either names a card or leaves it to the
next.
"""

from collections.abc import Callable

from services.bot.hokm.bits import Number
from services.bot.hokm.sight import Sight

Rule = Callable[[Sight], Number | None]


def first_answer(rules: tuple[Rule, ...], sight: Sight) -> Number:
    """The card of the first rule that names one; the last of `rules` always does."""
    for rule in rules:
        card = rule(sight)
        if card is not None:
            return card
    raise AssertionError("the last rule names a card")
