"""Hand: exact melds, whole plans on the table, discards by live outs and danger.

Where to look: `deciding` says the next action and `ahead` what the seat will see after it.
`reading` is what a view tells; `drawing`, `planning` and `throwing` are the three parts of a turn.
`fitting` knows where a card goes on the table, `outs` and `chances` what may still come, `gifts`
and `worth` whom a card would help. `habits` are the levels, `reasons` the words.
"""

from collections.abc import Iterator
from itertools import islice

from schemas.commands import MOST_ACTIONS, GameAction, Suggestion
from schemas.views import BotTurn, HandView
from services.bot.hand.ahead import after
from services.bot.hand.deciding import decide
from services.bot.hand.habits import HABITS, Habits
from services.bot.hand.reasons import Decision


def suggest(turn: BotTurn) -> Suggestion:
    """The next action of the seat of `turn`, which must be a turn of Hand, and why. For the task
    `advise` all its actions up to the end of its turn, or to a card that nobody knows.
    """
    view, habits = turn.view, HABITS[turn.level]
    assert isinstance(view, HandView)
    first = decide(view, habits)
    rest = _rest(view, first, habits) if turn.task == "advise" else ()
    return Suggestion(actions=(first.action, *islice(rest, MOST_ACTIONS - 1)), reason=first.reason)


def _rest(view: HandView, made: Decision, habits: Habits) -> Iterator[GameAction]:
    """What is done after `made`, each as it will be decided when it is asked for."""
    ahead = after(view, made.action)
    while ahead is not None:
        made = decide(ahead, habits)
        yield made.action
        ahead = after(ahead, made.action)
