"""The next one action of a seat on turn: a draw, a step on the table or the discard."""

from schemas.views import HandView
from services.bot.hand.drawing import draw
from services.bot.hand.habits import Habits
from services.bot.hand.planning import best_plan
from services.bot.hand.reading import Reading, read
from services.bot.hand.reasons import Decision, begun, owed
from services.bot.hand.throwing import throw
from services.bot.luck import luck_of
from services.rules.hand.house import house_move


def decide(view: HandView, habits: Habits) -> Decision:
    reading = read(view)
    if view.phase == "draw":
        return draw(reading, habits)
    plan = best_plan(reading, swapping=habits.swaps) if view.phase == "act" else None
    if plan is not None:
        return begun(reading, plan)
    if _owes(reading, view):
        return owed(reading, house_move(view))
    return throw(reading, habits, luck_of(view))


def _owes(reading: Reading, view: HandView) -> bool:
    """Something must still go to the table, by a way that no plan found: the house has an exact
    one (N22, N23).
    """
    held = reading.held
    return view.must_open or bool(held.must_place) or held.hand == (held.taken,)
