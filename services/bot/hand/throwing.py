"""What to throw. Two things no level does while it can throw another card: break the opening that
it holds, and give the next seat a card that is seen to end the round.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from schemas.cards import HandCard
from schemas.commands import Discard
from services.bot.hand.gifts import lets_out
from services.bot.hand.habits import Habits
from services.bot.hand.planning import holds_opening
from services.bot.hand.reading import Cards, Reading
from services.bot.hand.worth import worth
from services.rules.hand.search import Spelled, highest, lightest, spell, ways
from services.rules.melds import held_value, is_joker


def throw(reading: Reading, habits: Habits, luck: Random) -> Discard:
    """The discard; there must be a card that may be thrown."""
    cards = _allowed(reading)
    if luck.random() < habits.whims:
        return Discard(card=luck.choice(cards))
    loose = _loose(reading, cards)
    if habits.counts:
        return Discard(card=min(loose, key=partial(worth, reading)))
    return Discard(card=max(loose, key=held_value))


# The nevers -----------------------------------------------------------------------------------


def _allowed(reading: Reading) -> Cards:
    """What may be thrown, without what must not be as long as there is another."""
    hand = reading.held.hand
    cards = tuple(card for card in hand if card != reading.held.taken)
    if holds_opening(reading, hand):
        cards = _unless(partial(_breaks_opening, reading), cards)
    if len(hand) > 1:
        cards = _unless(partial(lets_out, reading), cards)
    return cards


def _unless(bad: Callable[[HandCard], bool], cards: Cards) -> Cards:
    return tuple(card for card in cards if not bad(card)) or cards


def _breaks_opening(reading: Reading, card: HandCard) -> bool:
    return not holds_opening(reading, _without(reading.held.hand, (card,)))


def _without(hand: Cards, gone: Cards) -> Cards:
    return tuple(card for card in hand if card not in gone)


# What is loose --------------------------------------------------------------------------------


def _loose(reading: Reading, cards: Cards) -> Cards:
    """Of `cards` those that stand in no meld of the hand; a joker only if nothing else is left."""
    melded = tuple(card for meld in _melds(reading) for card in meld)
    naturals = tuple(card for card in cards if not is_joker(card))
    return _without(naturals, melded) or naturals or cards


def _melds(reading: Reading) -> Spelled:
    """The melds of the hand: before opening the dearest, then those that leave least in it."""
    hand, ace = reading.held.hand, reading.low_ace
    if reading.bar is None:
        return lightest(hand, low_ace=ace, bar=1, allowed=lambda _: True) or ()
    most = highest(hand, low_ace=ace)
    return spell(next(ways(hand, low_ace=ace, bar=most)), hand) if most else ()
