"""A turn in, what a bot would do out: pure, from the seat's view alone, the same position and level
the same answer. The same function plays a seat, stands in for somebody who left, and advises.
"""

from schemas.commands import GameAction, Suggestion
from schemas.views import BotTurn, HandView, HokmView
from services.bot import hand, hokm


def suggest(turn: BotTurn) -> Suggestion:
    """What a bot of `turn.level` would do and why; its first action is not refused by the rules.

    For the task `advise` the rest of the turn and the candidates are found too, whatever they cost
    in time that is bounded; the first action and its reason are those of `play`.
    """
    assert turn.seat == turn.view.seat, "a turn with another seat's view"
    match turn.view:
        case HokmView():
            return hokm.suggest(turn)
        case HandView():
            return hand.suggest(turn)


def choose(turn: BotTurn) -> GameAction:
    """What a bot does on `turn`: the next of its actions."""
    return suggest(turn).actions[0]


def needs_search(turn: BotTurn) -> bool:
    """True where a decision takes so long that a worker's own loop should not make it."""
    return isinstance(turn.view, HokmView) and hokm.searches(turn)
