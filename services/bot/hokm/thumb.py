"""Rules of thumb: each looks at a reading and either names a card or leaves it to the next."""

from collections.abc import Callable

from schemas.cards import HokmCard
from services.bot.hokm.reading import Reading

Rule = Callable[[Reading], HokmCard | None]


def first_answer(rules: tuple[Rule, ...], reading: Reading) -> HokmCard:
    """The card of the first rule that names one; the last of `rules` always does."""
    answers = (rule(reading) for rule in rules)
    return next(card for card in answers if card is not None)
