"""A round in one row, and the points that it brought."""

from collections.abc import Iterator, Sequence

from schemas.commands import HandScore, HokmScore
from schemas.events import (
    CardsShuffled,
    HandDealt,
    HokmRound,
    RoundEnded,
    RoundScored,
    TrumpChosen,
    TurnTimedOut,
)
from services.analytics.deals import starter
from services.analytics.story import Round, Step, before, span, unit_of, utc
from services.analytics.tables import PlayRow, RoundRow, ScoreRow
from services.rules.match import MatchState, game_of


def round_row(round_: Round, plays: Sequence[PlayRow]) -> RoundRow:
    first, last = round_.steps[0], _end(round_)
    body, state = last.event.body, before(last)
    assert isinstance(body, RoundEnded)
    result, score = body.result, game_of(state).round_score(state.opened.options, body.result)
    hokm = isinstance(result, HokmRound)
    bodies = [step.event.body for step in round_.steps]
    return RoundRow(
        match=last.event.match,
        round=round_.number,
        dealt=utc(first.event.time),
        ended=utc(last.event.time),
        duration_ms=span(first.event.time, last.event.time),
        starter=starter(round_),
        dealer=next((one.dealer for one in bodies if isinstance(one, HandDealt)), None),
        trump=next((one.suit for one in bodies if isinstance(one, TrumpChosen)), None),
        tricks=result.tricks if isinstance(result, HokmRound) else None,
        kind=score.kind if isinstance(score, HokmScore) else _kind(score, hand=_is_hand(last)),
        won_by=_winner(state, score),
        points=score.points if isinstance(score, HokmScore) else None,
        went_out=None if isinstance(result, HokmRound) else result.went_out,
        opened=None if isinstance(result, HokmRound) else result.opened,
        turns=plays[-1].turn,
        decisions=len(plays),
        timeouts=sum(isinstance(one, TurnTimedOut) for one in bodies),
        reshuffles=None if hokm else sum(isinstance(one, CardsShuffled) for one in bodies) - 1,
        scored=any(isinstance(one, RoundScored) for one in bodies),
    )


def score_rows(round_: Round) -> Iterator[ScoreRow]:
    """A row a unit, none if the points are not recorded yet."""
    for step in round_.steps:
        body = step.event.body
        if not isinstance(body, RoundScored):
            continue
        won = _winner(before(step), body.score)
        points = _points(body.score)
        for unit, (gain, total) in enumerate(zip(points, body.totals, strict=True)):
            yield ScoreRow(
                match=step.event.match,
                round=round_.number,
                unit=unit,
                points=gain,
                total=total,
                won=unit == won,
            )


def _end(round_: Round) -> Step:
    return next(step for step in round_.steps if isinstance(step.event.body, RoundEnded))


def _is_hand(step: Step) -> bool:
    body = step.event.body
    assert isinstance(body, RoundEnded)
    return not isinstance(body.result, HokmRound) and body.result.hand


def _kind(score: HandScore, *, hand: bool) -> str:
    if score.void:
        return "void"
    return "hand" if hand else "out"


def _winner(state: MatchState, score: HokmScore | HandScore) -> int | None:
    """The unit whose round it was, None of a void one."""
    won = game_of(state).round_winners(score)
    return unit_of(state.opened.options, won[0]) if won else None


def _points(score: HokmScore | HandScore) -> tuple[int, ...]:
    if isinstance(score, HandScore):
        return score.penalties
    return (score.points, 0) if score.side == 0 else (0, score.points)
