"""Hand: exact melds, whole plans on the table, discards by live outs and danger."""

from schemas.advice import Reason
from schemas.commands import GameAction, Suggestion
from schemas.views import BotTurn, HandView
from services.bot.hand.drawing import draw
from services.bot.hand.habits import HABITS
from services.bot.hand.planning import best_plan
from services.bot.hand.reading import Reading, read
from services.bot.hand.throwing import throw
from services.bot.luck import luck_of
from services.rules.hand.house import house_move


def suggest(turn: BotTurn) -> Suggestion:
    return Suggestion(actions=(choose(turn),), reason=Reason(why="throw_useless", cards=()))


def choose(turn: BotTurn) -> GameAction:
    """The next one action of the seat of `turn`, which must be a turn of Hand: a draw, a step on
    the table or the discard.
    """
    view, habits = turn.view, HABITS[turn.level]
    assert isinstance(view, HandView)
    reading = read(view)
    if view.phase == "draw":
        return draw(reading, habits)
    plan = best_plan(reading, swapping=habits.swaps) if view.phase == "act" else None
    if plan is not None:
        return plan.steps[0]
    if _owes(reading, view):
        return house_move(view)
    return throw(reading, habits, luck_of(view))


def _owes(reading: Reading, view: HandView) -> bool:
    """Something must still go to the table, by a way that no plan found: the house has an exact
    one (N22, N23).
    """
    held = reading.held
    return view.must_open or bool(held.must_place) or held.hand == (held.taken,)
