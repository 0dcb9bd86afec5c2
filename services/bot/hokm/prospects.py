"""What a round is worth: the chance to win the match from the score after it (H16 to H19)."""

from functools import lru_cache
from typing import Final

from schemas.commands import HokmOptions
from schemas.events import HokmRound
from services.bot.hokm.round import Round
from services.rules.hokm.score import round_score

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
    ours, theirs = round_.taken
    won = round_score(options, HokmRound(hakem=round_.hakem, tricks=(ours, theirs)))
    mine = options.target - score[won.side] - won.points
    # The side that won has the hakem of the next round, whoever had it before (H18).
    chance = _chance(
        options.win, options.kot, options.hakem_kot, mine, options.target - score[1 - won.side]
    )
    return chance if side == won.side else 1 - chance


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
