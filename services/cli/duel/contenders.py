"""The bots behind the names; loading them takes long, so the command does it when it must."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from schemas.commands import GameAction
from schemas.ids import Level
from schemas.views import BotTurn, HandView, HokmView
from services.bot import hokm
from services.bot.hokm.habits import RULE
from services.bot.policy import choose
from services.cli.duel.matchup import Name
from services.rules.hand.house import house_move as house_at_hand
from services.rules.hokm.house import house_move as house_at_hokm

Player = Callable[[BotTurn], GameAction]


class Contender(Struct, frozen=True):
    """Who answers turns, and the level that these name."""

    level: Level
    play: Player


def _rule(turn: BotTurn) -> GameAction:
    return hokm.suggest_by(turn, RULE).actions[0]


def _house(turn: BotTurn) -> GameAction:
    match turn.view:
        case HokmView():
            return house_at_hokm(turn.view)
        case HandView():
            return house_at_hand(turn.view)


CONTENDERS: Final[Mapping[Name, Contender]] = {
    "white": Contender("white", choose),
    "black": Contender("black", choose),
    "chrome": Contender("chrome", choose),
    "rule": Contender("white", _rule),
    "house": Contender("white", _house),
}
"""The level is nothing to `rule` and `house`."""
