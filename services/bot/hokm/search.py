"""What each card leads to: the same worlds for all of them, each played out by the rules of thumb.

The rule's own card is left only for one that is better by more than one standard error of what the
two gain in the same worlds. Without that gate a search plays worse than the rules: it takes the
luck of its worlds for knowledge, and what it assumes of the others is what the rules do.
"""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean
from typing import Final

from msgspec import Struct

from services.bot.hokm.bits import ABOVE, BIT, PACK, SUIT_OF, Cards, Number, lowest, numbers
from services.bot.hokm.position import Position
from services.bot.hokm.prospects import worth
from services.bot.hokm.round import Round
from services.bot.hokm.rule import rule_card
from services.bot.hokm.worlds import World, worlds
from services.rules.hokm.state import TRICKS_TO_WIN

GATE: Final = 1.0
"""Standard errors by which a card must be better than the rule's, or is as good as the best."""


class Weighed(Struct, frozen=True, kw_only=True):
    """Cards that are worth the same, and by world the chance to win the match with one of them and
    whether the round was won.
    """

    cards: Cards
    chances: tuple[float, ...]
    won: tuple[bool, ...]


def weigh(
    position: Position, sets: Sequence[Cards], luck: Random, count: int
) -> tuple[Weighed, ...]:
    """Each set of equal cards in the same `count` worlds, which `luck` alone decides."""
    drawn = worlds(position, luck, count)
    return tuple(_weighed(position, cards, drawn) for cards in sets)


def best(weighed: Sequence[Weighed], rules: Number) -> Weighed:
    """The one to play, `rules` being the card of one of them that the rules of thumb would."""
    own = next(one for one in weighed if one.cards & BIT[rules])
    top = top_of(weighed)
    return own if as_good(own, top) else top


def top_of(weighed: Sequence[Weighed]) -> Weighed:
    """The one with the best chance on an average; of equal ones the first."""
    return max(weighed, key=lambda one: fmean(one.chances))


def as_good(one: Weighed, top: Weighed) -> bool:
    """True if `one` is not known to be worse than `top`: both were tried in the same worlds."""
    gains = [b - a for a, b in zip(one.chances, top.chances, strict=True)]
    mean, count = fmean(gains), len(gains)
    spread = sum((gain - mean) ** 2 for gain in gains) / max(1, count - 1)
    return mean <= GATE * sqrt(spread / count)


def equals(round_: Round, cards: Cards) -> list[Cards]:
    """`cards` in sets of those that no card of another or of the trick comes between (H4)."""
    between = PACK & ~round_.played & ~round_.hands[round_.turn]
    for card in round_.trick:
        between |= BIT[card]
    found: list[Cards] = []
    before = -1
    for card in numbers(cards):
        if before >= 0 and _equal(before, card, between):
            found[-1] |= BIT[card]
        else:
            found.append(BIT[card])
        before = card
    return found


def _equal(low: Number, high: Number, between: Cards) -> bool:
    return SUIT_OF[low] == SUIT_OF[high] and not between & ABOVE[low] & ~ABOVE[high]


def _weighed(position: Position, cards: Cards, drawn: Sequence[World]) -> Weighed:
    side, card = position.me & 1, lowest(cards)
    ends = [_played_out(position.round.copy(world), card) for world in drawn]
    return Weighed(
        cards=cards,
        chances=tuple(worth(end, position.options, position.score, side) for end in ends),
        won=tuple(end.taken[side] == TRICKS_TO_WIN for end in ends),
    )


def _played_out(round_: Round, card: Number) -> Round:
    round_.play(card)
    taken = round_.taken
    while taken[0] < TRICKS_TO_WIN and taken[1] < TRICKS_TO_WIN:
        round_.play(rule_card(round_))
    return round_
