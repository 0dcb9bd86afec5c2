"""What to throw. Two things no level does while it can throw another card: break the opening that
it holds, and give the next seat a card that is seen to end the round.
"""

from collections.abc import Callable, Iterable
from functools import partial
from random import Random

from msgspec import Struct

from schemas.cards import HandCard
from schemas.commands import Discard
from services.bot.hand.chances import losses
from services.bot.hand.gifts import lets_out
from services.bot.hand.habits import Habits
from services.bot.hand.planning import holds_opening
from services.bot.hand.reading import Cards, Reading
from services.bot.hand.reasons import Decision, because
from services.bot.hand.worth import danger, use
from services.rules.hand.search import Spelled, highest, lightest, spell, ways
from services.rules.melds import held_value, is_joker


class Weighed(Struct, frozen=True):
    """`use`: what `card` is worth to this hand; `danger`: what the next seat could gain by it."""

    card: HandCard
    use: float
    danger: float = 0.0


def throw(reading: Reading, habits: Habits, luck: Random) -> Decision:
    """The discard; there must be a card that may be thrown."""
    cards = _keeping_opening(reading)
    safe = _keeping_from_next(reading, cards)
    if luck.random() < habits.whims:
        return _thrown(reading, luck.choice(_loose(reading, safe)))
    scale = _counted(reading) if habits.counts else _dearest
    useless = min(map(scale, _offered(reading, habits, cards)), key=lambda each: each.use)
    offered = map(scale, _offered(reading, habits, safe))
    best = min(offered, key=lambda each: each.use + each.danger)
    return _thrown(reading, best.card, heeding=best.card != useless.card)


def _thrown(reading: Reading, card: HandCard, *, heeding: bool = False) -> Decision:
    if len(reading.held.hand) == 1:
        return because(Discard(card=card), "go_out", card)
    return because(Discard(card=card), "keep_from_next" if heeding else "throw_useless", card)


def _offered(reading: Reading, habits: Habits, cards: Cards) -> Cards:
    """What is weighed. Before its opening one who counts may break a meld: it knows what for."""
    if habits.counts and reading.bar is not None:
        return _naturals(cards)
    return _loose(reading, cards)


def _dearest(card: HandCard) -> Weighed:
    return Weighed(card, -held_value(card))


def _counted(reading: Reading) -> Callable[[HandCard], Weighed]:
    lost = {} if reading.bar is None else losses(reading, reading.bar)

    def weigh(card: HandCard) -> Weighed:
        return Weighed(card, use(reading, card, lost.get(card[:2], 0.0)), danger(reading, card))

    return weigh


# The nevers -----------------------------------------------------------------------------------


def _keeping_opening(reading: Reading) -> Cards:
    """What may be thrown, without what would break an opening as long as there is another."""
    hand = reading.held.hand
    cards = tuple(card for card in hand if card != reading.held.taken)
    if holds_opening(reading, hand):
        return _unless(partial(_breaks_opening, reading), cards)
    return cards


def _keeping_from_next(reading: Reading, cards: Cards) -> Cards:
    if len(reading.held.hand) == 1:
        return cards
    return _unless(partial(lets_out, reading), cards)


def _unless(bad: Callable[[HandCard], bool], cards: Cards) -> Cards:
    return tuple(card for card in cards if not bad(card)) or cards


def _breaks_opening(reading: Reading, card: HandCard) -> bool:
    return not holds_opening(reading, _without(reading.held.hand, (card,)))


def _without(hand: Cards, gone: Iterable[HandCard]) -> Cards:
    return tuple(card for card in hand if card not in gone)


# What is loose --------------------------------------------------------------------------------


def _naturals(cards: Cards) -> Cards:
    """Of `cards` those that are no jokers; a joker only if nothing else is left."""
    return tuple(card for card in cards if not is_joker(card)) or cards


def _loose(reading: Reading, cards: Cards) -> Cards:
    """Of its naturals those that stand in no meld of the hand, as long as there are any."""
    melded = tuple(card for meld in _melds(reading) for card in meld)
    naturals = _naturals(cards)
    return _without(naturals, melded) or naturals


def _melds(reading: Reading) -> Spelled:
    """The melds of the hand: before opening the dearest, then those that leave least in it."""
    hand, ace = reading.held.hand, reading.low_ace
    if reading.bar is None:
        return lightest(hand, low_ace=ace, bar=1, allowed=lambda _: True) or ()
    most = highest(hand, low_ace=ace)
    return spell(next(ways(hand, low_ace=ace, bar=most)), hand) if most else ()
