"""Hand (docs/rules/hand.md, clauses N1 to N52)."""

from typing import Final

from services.rules.decider import Game
from services.rules.hand import game

GAME: Final[Game] = game

__all__ = ["GAME"]
