"""Hand as `services.rules.decider.Game`: this module satisfies the Protocol."""

from services.rules.hand.house import house_move
from services.rules.hand.play import (
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
from services.rules.hand.score import round_score, round_winners, score, sound, totals, winner
from services.rules.hand.view import hand, judge, view

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
