"""Hokm (docs/rules/hokm.md, clauses H1 to H25)."""

from typing import Final

from services.rules.decider import Game
from services.rules.hokm import game
from services.rules.hokm.presets import PRESETS

GAME: Final[Game] = game

__all__ = ["GAME", "PRESETS"]
