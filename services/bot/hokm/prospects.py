"""What a round is worth: the chance to win the match from the score after it (H16 to H19)."""

from functools import lru_cache
from typing import Final

from schemas.commands import HokmOptions
from services.bot.hokm.round import Round
from services.rules.hokm.state import TRICKS_TO_WIN

WON: Final = 0.573
"""Share of rounds that the hakem's side wins without a kot; measured, rules of thumb on all seats,
6,000 rounds. The others likewise.
"""
WON_BY_KOT: Final = 0.029
LOST_BY_KOT: Final = 0.011
LOST: Final = 1 - WON - WON_BY_KOT - LOST_BY_KOT
REMEMBERED: Final = 65_536
"""Scores whose chance is remembered; it follows from the numbers alone. The longest match has
10,000 of them.
"""


def worth(round_: Round, options: HokmOptions, score: tuple[int, int], side: int) -> float:
    """The chance of `side` to win the match, 0 to 1, once the round that is over is scored."""
    winner = 0 if round_.taken[0] == TRICKS_TO_WIN else 1
    need = [options.target - score[0], options.target - score[1]]
    need[winner] -= _points(round_, options, winner)
    # The side that won has the hakem of the next round, whoever had it before (H18).
    chance = _chance(options.win, options.kot, options.hakem_kot, need[winner], need[1 - winner])
    return chance if side == winner else 1 - chance


def _points(round_: Round, options: HokmOptions, winner: int) -> int:
    if round_.taken[1 - winner]:
        return options.win
    return options.kot if winner == round_.hakem & 1 else options.hakem_kot


@lru_cache(maxsize=REMEMBERED)
def _chance(win: int, kot: int, hakem_kot: int, mine: int, theirs: int) -> float:
    """The chance of the side whose player is hakem now, that needs `mine` points."""
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    points = win, kot, hakem_kot
    return (
        WON * _chance(*points, mine - win, theirs)
        + WON_BY_KOT * _chance(*points, mine - kot, theirs)
        + LOST * (1 - _chance(*points, theirs - win, mine))
        + LOST_BY_KOT * (1 - _chance(*points, theirs - hakem_kot, mine))
    )
