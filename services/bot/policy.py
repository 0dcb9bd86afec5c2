"""A turn in, what a bot would do out: pure, from the seat's view alone, the same position and level
the same answer. The same function plays a seat, stands in for somebody who left, and advises.
"""

from schemas.commands import GameAction, Suggestion
from schemas.views import BotTurn, HandView, HokmView
from services.bot import hand, hokm


def suggest(turn: BotTurn) -> Suggestion:
    """What a bot of `turn.level` would do and why; its first action is not refused by the rules.

    A turn whose task is `advise` has the reasons, the rest of the turn and the candidates found as
    well as may be, at any cost in time that is bounded; its first action is that of `play`.
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
    view = turn.view
    if not isinstance(view, HokmView) or view.trump is None:
        return False
    return len(view.playable) > 1 and (turn.level == "chrome" or turn.task == "advise")
