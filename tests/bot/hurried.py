"""The bots, with a master who looks into few worlds: for tests that need whole matches of them and
do not ask how well they play.

The rules of thumb, the nevers, the search and its gate are the production's own. What is decided
takes an eighth of the time and is now and then another card, and so the policy has another name.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from schemas.commands import GameAction, Suggestion
from schemas.ids import Level
from schemas.views import BotTurn, HokmView
from services.bot import hokm, policy
from services.bot.hokm.habits import HABITS, Habits
from services.replay.audit import Policy

WORLDS: Final = 6
"""In how many a card is weighed."""
LEVELS: Final[Mapping[Level, Habits]] = {
    level: replace(habits, worlds=min(habits.worlds, WORLDS)) for level, habits in HABITS.items()
}


def suggest(turn: BotTurn) -> Suggestion:
    if isinstance(turn.view, HokmView):
        return hokm.suggest_by(turn, LEVELS[turn.level])
    return policy.suggest(turn)


def choose(turn: BotTurn) -> GameAction:
    return suggest(turn).actions[0]


async def think(turn: BotTurn) -> Suggestion:
    """For a bot's worker: in its own loop and at once."""
    return suggest(turn)


HURRIED: Final = Policy("hurried@1", choose)
