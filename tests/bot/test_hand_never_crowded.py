"""The nevers of Hand's bots in positions that no round leads to by itself, decided by trying
everything that the rules allow.
"""

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.commands import Discard, LayMelds
from schemas.ids import Level
from services.bot.policy import choose
from services.rules.hand import GAME
from services.rules.hand.state import Turn
from tests.bot.hand_crowded import crowded, most_without, rich
from tests.bot.hand_positions import asked
from tests.bot.hand_rounds import LEVELS, Asked
from tests.bot.test_hand_never import gifts_in, throwable

seeds = st.integers(0, 2**32)
thorough = settings(max_examples=40, deadline=None)
every_level = pytest.mark.parametrize("level", LEVELS)
TELLING: Final = range(150)
"""Positions of which enough tell one who heeds the nevers from one who does not."""


@every_level
@thorough
@given(seed=seeds)
def test_the_next_seat_is_let_out_on_no_crowded_table(level: Level, seed: int) -> None:
    state = crowded(Random(seed))
    turn = asked(state, level)
    action, gifts = choose(turn), gifts_in(Asked(state, turn))
    if isinstance(action, Discard) and gifts != throwable(Asked(state, turn).view):
        assert action.card not in gifts


@every_level
@thorough
@given(seed=seeds)
def test_the_starters_discard_leaves_the_bar_in_reach_if_any_does(level: Level, seed: int) -> None:
    state = replace(rich(Random(seed)), step="discard_first", now=Turn())
    most = most_without(state, 0)
    action = choose(asked(state, level))
    assert isinstance(action, Discard)
    if any(most(card) >= state.bar for card in state.hands[0]):
        assert most(action.card) >= state.bar


@every_level
@thorough
@given(seed=seeds)
def test_a_hand_is_opened_whenever_its_melds_are_worth_the_bar(level: Level, seed: int) -> None:
    state = rich(Random(seed))
    action = choose(asked(state, level))
    assert isinstance(action, LayMelds) == (most_without(state, 0)(None) >= state.bar)
    assert GAME.refuse(state, 0, action) is None


def test_such_positions_put_the_nevers_to_the_test() -> None:
    tables = [crowded(Random(seed)) for seed in TELLING]
    told = [Asked(state, asked(state)) for state in tables]
    assert sum(0 < len(gifts_in(one)) < len(throwable(one.view)) for one in told) >= 10
    starters = [rich(Random(seed)) for seed in TELLING]
    kept = [{most_without(s, 0)(card) >= s.bar for card in s.hands[0]} for s in starters[:50]]
    assert sum(len(each) > 1 for each in kept) >= 5
