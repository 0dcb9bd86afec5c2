"""A turn in, an action out: pure, from the seat's view alone, the same turn the same action."""

from schemas.commands import GameAction
from schemas.views import BotTurn, HandView, HokmView
from services.bot import hand, hokm


def choose(turn: BotTurn) -> GameAction:
    """What a bot does on `turn`, an action that the rules do not refuse.

    In Hokm `turn.level` changes nothing yet: white, black and chrome all play by the rules of
    thumb, without chance; equal choices are settled by the order of the pack. In Hand a level is
    its habits, and chance, where it has any, follows from match, seat and move.
    """
    assert turn.seat == turn.view.seat, "a turn with another seat's view"
    match turn.view:
        case HokmView() as view:
            return hokm.choose(view)
        case HandView():
            return hand.choose(turn)
