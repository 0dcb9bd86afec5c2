"""Stock or fire: what to draw (N6, N7, N18, N19)."""

from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.commands import Draw
from services.bot.hand.habits import Habits
from services.bot.hand.planning import best_plan, goes_out
from services.bot.hand.reading import Cards, Reading
from services.bot.hand.reasons import Decision, because
from services.rules.hand.search import highest
from services.rules.melds import held_value


def draw(reading: Reading, habits: Habits) -> Decision:
    """The fire card where it opens, melds or ends the round, else the stock."""
    card = reading.fire
    if card is not None and _wants(reading, card, habits):
        return because(Draw(source="fire"), "take_fire", card)
    return because(Draw(source="stock"), "draw_stock")


def _wants(reading: Reading, card: HandCard, habits: Habits) -> bool:
    if reading.bar is None:
        return _gains(reading, card, habits)
    return habits.opens_from_fire and _opens(reading, card, reading.bar)


def _opens(reading: Reading, card: HandCard, bar: int) -> bool:
    """It makes an opening, or a dearer one than is held already."""
    hand, ace = reading.held.hand, reading.low_ace
    most, held = highest((*hand, card), low_ace=ace), highest(hand, low_ace=ace)
    if most < bar or most == held:
        return False
    return best_plan(_with_fire(reading, card), swapping=0) is not None


def _gains(reading: Reading, card: HandCard, habits: Habits) -> bool:
    """It takes other cards of the hand to the table with it, or ends the round."""
    plan = best_plan(_with_fire(reading, card), swapping=habits.swaps)
    if plan is None or card in plan.left.hand:
        return False
    without = best_plan(reading, swapping=habits.swaps)
    left = reading.held.hand if without is None else without.left.hand
    return goes_out(plan) or _weight(plan.left.hand) < _weight(left)


def _weight(hand: Cards) -> int:
    return sum(map(held_value, hand))


def _with_fire(reading: Reading, card: HandCard) -> Reading:
    held = replace(reading.held, hand=(*reading.held.hand, card), taken=card)
    return replace(reading, held=held)
