"""A turn in, an action out: pure, from the seat's view alone, the same turn the same action."""

from schemas.commands import GameAction
from schemas.views import BotTurn, HandView, HokmView
from services.bot import hokm


class NoPolicy(Exception):
    """The turn is of a game that this build's bots cannot play."""


def choose(turn: BotTurn) -> GameAction:
    """What a bot does on `turn`, an action that the rules do not refuse.

    `turn.level` changes nothing yet: white, black and chrome all play by the rules of thumb.
    No chance is used; equal choices are settled by the order of the pack. Raises `NoPolicy`.
    """
    assert turn.seat == turn.view.seat, "a turn with another seat's view"
    match turn.view:
        case HokmView() as view:
            return hokm.choose(view)
        case HandView():
            raise NoPolicy("hand")
