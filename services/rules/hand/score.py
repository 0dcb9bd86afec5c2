"""What a round costs, who can still win and who has won (N40 to N47)."""

from typing import Final

from msgspec.structs import replace

from schemas.commands import HandOptions, HandScore, Options, Score
from schemas.events import HandRound, HokmRound, RoundScored
from schemas.ids import Seat
from services.rules.hand.state import (
    SIDES,
    HandState,
    in_sides,
    next_seat,
    unit_of,
    units,
)
from services.rules.melds import held_value

WENT_OUT: Final = -30
NOT_OPENED: Final = 100
DOUBLED: Final = 2
"""Every penalty of a round that ended with Hand (N40 to N42)."""
VOID_TIE_BREAKS: Final = 3
"""Void tie-breaks in a row after which the order of seats decides (N47)."""
ROUNDS: Final = (3, 5, 7, 9)
SEATS: Final = (2, 3, 4)
SEATS_IN_SIDES: Final = 4


def sound(options: Options) -> bool:
    """Two to four seats, four in a partnership; 3, 5, 7 or 9 rounds (N1)."""
    if not isinstance(options, HandOptions) or options.rounds not in ROUNDS:
        return False
    return options.seats == SEATS_IN_SIDES if in_sides(options) else options.seats in SEATS


def round_score(options: Options, ended: HokmRound | HandRound) -> HandScore:
    """The penalties of a round that ended so, a seat each, in the partnership variants a side."""
    assert isinstance(options, HandOptions)
    assert isinstance(ended, HandRound)
    penalties = [0] * units(options)
    if ended.went_out is None:
        return HandScore(penalties=tuple(penalties), void=True)
    for seat in range(options.seats):
        penalties[unit_of(options, seat)] += _penalty(options, ended, seat)
    return HandScore(penalties=tuple(penalties), void=False)


def _penalty(options: HandOptions, ended: HandRound, seat: Seat) -> int:
    assert ended.went_out is not None
    times = DOUBLED if ended.hand else 1
    if seat == ended.went_out:
        return WENT_OUT * times
    if unit_of(options, seat) == unit_of(options, ended.went_out):
        return 0
    if not ended.opened[seat]:
        return NOT_OPENED * times
    return sum(map(held_value, ended.left[seat])) * times


def round_winners(score: Score) -> tuple[Seat, ...]:
    """The seat that went out, in a partnership both of its side; of a void round nobody.

    Two penalties are those of two sides or of two seats, which a score does not say: then the
    seat across is named too, and at a table of two nobody sits there.
    """
    assert isinstance(score, HandScore)
    if score.void:
        return ()
    won = next(unit for unit, penalty in enumerate(score.penalties) if penalty < 0)
    return (won, won + SIDES) if len(score.penalties) == SIDES else (won,)


def score(state: HandState) -> HandScore:
    """The penalties of the round that has ended and is not scored yet."""
    assert state.last is not None
    return round_score(state.options, state.last)


def totals(state: HandState, score: Score) -> tuple[int, ...]:
    """Penalties per unit once `score` is recorded."""
    assert isinstance(score, HandScore)
    return tuple(had + more for had, more in zip(state.totals, score.penalties, strict=True))


def winner(state: HandState) -> int | None:
    """The unit that alone can still win: there are several until the last round is scored."""
    return state.contenders[0] if len(state.contenders) == 1 else None


# After a scored round -------------------------------------------------------------------------


def after_round(state: HandState, scored: RoundScored) -> HandState:
    """The state once a round is scored: another round, or the end of the match (N46)."""
    assert isinstance(scored.score, HandScore)
    void_tie_break = scored.score.void and state.round > state.options.rounds
    after = replace(state, totals=scored.totals, voids=state.voids + 1 if void_tie_break else 0)
    after = replace(after, contenders=_contenders(after))
    return replace(after, step="shuffle" if winner(after) is None else "end_match")


def _contenders(state: HandState) -> tuple[int, ...]:
    if state.round < state.options.rounds:
        return state.contenders
    if state.voids == VOID_TIE_BREAKS:
        return (_first_from_starter(state),)
    lowest = min(state.totals[unit] for unit in state.contenders)
    return tuple(unit for unit in state.contenders if state.totals[unit] == lowest)


def _first_from_starter(state: HandState) -> int:
    """Of the tied, the one that sits first from the starter of the round that ended (N47)."""
    options = state.options
    seat = next_seat(options, state.dealer)
    while unit_of(options, seat) not in state.contenders:
        seat = next_seat(options, seat)
    return unit_of(options, seat)
