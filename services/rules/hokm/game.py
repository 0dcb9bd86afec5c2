"""Hokm as `services.rules.decider.Game`: this module satisfies the Protocol."""

from services.rules.hokm.house import house_move
from services.rules.hokm.play import (
    act,
    clock,
    consequence,
    dealt,
    evolve,
    initial_state,
    refuse,
    seats,
    turn,
)
from services.rules.hokm.presets import sound
from services.rules.hokm.score import round_score, round_winners, score, totals, winner
from services.rules.hokm.view import hand, judge, view

__all__ = [
    "act",
    "clock",
    "consequence",
    "dealt",
    "evolve",
    "hand",
    "house_move",
    "initial_state",
    "judge",
    "refuse",
    "round_score",
    "round_winners",
    "score",
    "seats",
    "sound",
    "totals",
    "turn",
    "view",
    "winner",
]
