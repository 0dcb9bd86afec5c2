"""Whole matches of Hand between bots, in every variant and at every number of seats."""

import pytest

from schemas.commands import HandOptions
from schemas.ids import Level
from tests.bot.hand_rounds import bots, last_state
from tests.rules.hand_play import ALL_CARDS, VARIANTS, Table, every_place, match_steps

MIXED: tuple[Level, ...] = ("white", "black", "white", "chrome")

variants = pytest.mark.parametrize(
    "options", VARIANTS, ids=[f"{each.variant}-{each.seats}" for each in VARIANTS]
)


@variants
@pytest.mark.parametrize("levels", [("white",) * 4, ("black",) * 4, MIXED], ids="/".join)
def test_a_match_of_bots_ends_with_a_winner(
    options: HandOptions, levels: tuple[Level, ...]
) -> None:
    state = last_state(Table(options, 11, bots(levels)))
    assert state.step == "over"
    assert state.round >= options.rounds
    assert state.winner is not None
    assert state.totals[state.winner] == min(state.totals)


@variants
def test_no_card_is_lost_on_the_way(options: HandOptions) -> None:
    for _, state in match_steps(Table(options, 12, bots(MIXED))):
        if state.step in {"discard_first", "draw", "act", "score"}:
            assert every_place(state) == ALL_CARDS


@variants
def test_whites_too_end_rounds_that_are_not_void(options: HandOptions) -> None:
    ended = [
        state.last
        for fact, state in match_steps(Table(options, 13, bots(("white",) * 4)))
        if state.step == "score"
    ]
    assert [last for last in ended if last is not None and last.went_out is not None]


def test_the_same_match_is_played_twice_alike() -> None:
    table = Table(VARIANTS[2], 14, bots(MIXED))
    again = Table(VARIANTS[2], 14, bots(MIXED))
    assert [fact for fact, _ in match_steps(table)] == [fact for fact, _ in match_steps(again)]
