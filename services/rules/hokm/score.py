"""What a round is worth, who is hakem next and who has won (H16, H18, H19)."""

from schemas.commands import HokmOptions, HokmScore, Options, Score
from schemas.events import HandRound, HokmRound
from schemas.ids import Seat
from services.rules.hokm.state import (
    SEATS,
    SIDES,
    TRICKS_TO_WIN,
    HokmState,
    Side,
    more,
    next_seat,
    side_of,
)


def round_score(options: Options, ended: HokmRound | HandRound) -> HokmScore:
    """The points of a round that ended so. It is the side's tricks that count (H16)."""
    assert isinstance(options, HokmOptions)
    assert isinstance(ended, HokmRound)
    won = SIDES[ended.tricks.index(TRICKS_TO_WIN)]
    if min(ended.tricks) > 0:
        return HokmScore(side=won, kind="win", points=options.win)
    if won == side_of(ended.hakem):
        return HokmScore(side=won, kind="kot", points=options.kot)
    return HokmScore(side=won, kind="hakem_kot", points=options.hakem_kot)


def round_winners(score: Score) -> tuple[Seat, ...]:
    """Both seats of the side whose round it was."""
    assert isinstance(score, HokmScore)
    return tuple(seat for seat in range(SEATS) if side_of(seat) == score.side)


def score(state: HokmState) -> HokmScore:
    """The points of the round that has ended and is not scored yet."""
    return round_score(state.options, HokmRound(hakem=state.hakem, tricks=state.tricks))


def totals(state: HokmState, score: Score) -> tuple[int, int]:
    """Points per side once `score` is recorded; one above the target is kept (H19)."""
    assert isinstance(score, HokmScore)
    return more(state.score, score.side, score.points)


def winner(state: HokmState) -> Side | None:
    """The side that has reached the target, None if neither has (H19)."""
    reached = (side for side in SIDES if state.score[side] >= state.options.target)
    return next(reached, None)


def next_hakem(state: HokmState) -> Seat:
    """The hakem of the round after this one: the first is drawn, then H18."""
    won = state.round == 0 or state.tricks[side_of(state.hakem)] == TRICKS_TO_WIN
    return state.hakem if won else next_seat(state.hakem)
