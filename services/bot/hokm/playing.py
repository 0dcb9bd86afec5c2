"""A card in hand of what a level knows, does and does not do; and, where it searched, how good each
other card would have been.
"""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean

from msgspec import Struct

from schemas.advice import Candidate
from services.bot.hokm.bits import BIT, Cards, Number, lowest, name_of, numbers
from services.bot.hokm.habits import Habits
from services.bot.hokm.nevers import proper
from services.bot.hokm.position import Position, forgotten
from services.bot.hokm.rule import rule_card
from services.bot.hokm.search import Weighed, as_good, best, equals, top_of, weigh
from services.bot.hokm.sight import Sight


class Chosen(Struct, frozen=True):
    """A card, and those that were weighed, the card itself first."""

    card: Number
    candidates: tuple[Candidate, ...] = ()


def play(position: Position, habits: Habits, luck: Random) -> Chosen:
    """The card by `habits`; one that needs no thought gets none."""
    seen = position if habits.remembers else forgotten(position)
    cards = _open_to(seen, habits)
    if luck.random() < habits.whims:
        return Chosen(luck.choice(list(numbers(cards))))
    rules = rule_card(seen.round)
    if not habits.worlds or cards == BIT[rules]:
        return Chosen(rules)
    sets = [equal for equal in equals(position.round, position.round.legal()) if equal & cards]
    weighed = weigh(position, sets, luck, habits.worlds)
    return Chosen(_card(best(weighed, rules), cards, rules))


def advise(position: Position, habits: Habits, luck: Random) -> Chosen:
    """The same card, and every legal one weighed in the worlds that `play` has, those too that
    nobody should play.
    """
    luck.random()  # the whim that is asked for in `play`: the worlds after it are the same
    cards, rules = _open_to(position, habits), rule_card(position.round)
    sets = equals(position.round, position.round.legal())
    weighed = weigh(position, sets, luck, habits.worlds)
    top = best([one for one in weighed if one.cards & cards], rules)
    card = _card(top, cards, rules)
    return Chosen(card, tuple(_candidates(weighed, cards, card)))


def _open_to(position: Position, habits: Habits) -> Cards:
    legal = position.round.legal()
    return proper(Sight(position.round, legal)) if habits.proper else legal


def _card(one: Weighed, cards: Cards, rules: Number) -> Number:
    """Of equal cards the rules', else the lowest of `cards`."""
    return rules if one.cards & BIT[rules] else lowest(one.cards & cards)


def _candidates(weighed: Sequence[Weighed], cards: Cards, card: Number) -> Iterator[Candidate]:
    """`card` first, then by chance. None is as good that is not of `cards`, whatever it won."""
    top = top_of([one for one in weighed if one.cards & cards])
    for one in sorted(weighed, key=lambda one: (not one.cards & BIT[card], -_chance(one))):
        shown = card if one.cards & BIT[card] else lowest(one.cards)
        equal = bool(one.cards & cards) and as_good(one, top)
        yield Candidate(card=name_of(shown), chance=_chance(one), equal=equal)


def _chance(one: Weighed) -> int:
    return round(1_000 * fmean(one.won))
