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
from tests.bot.hand_crowded import crowded, most, most_left, rich
from tests.bot.hand_gifts import gifts_in, throwable
from tests.bot.hand_positions import asked
from tests.bot.hand_rounds import LEVELS, Asked

seeds = st.integers(0, 2**32)
thorough = settings(max_examples=25, deadline=None)
few = settings(max_examples=8, deadline=None)
every_level = pytest.mark.parametrize("level", LEVELS)
TELLING: Final = range(80)
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
@few
@given(seed=seeds)
def test_the_starters_discard_leaves_an_opening_if_any_does(level: Level, seed: int) -> None:
    """The bar is the highest that some discard leaves in reach, so that not every one does."""
    state = replace(rich(Random(seed)), step="discard_first", now=Turn())
    left = most_left(state)
    highest = max(left.values())
    action = choose(asked(replace(state, bar=highest), level))
    assert isinstance(action, Discard)
    assert left[action.card] == highest


@every_level
@thorough
@given(seed=seeds)
def test_a_hand_is_opened_whenever_its_melds_are_worth_the_bar(level: Level, seed: int) -> None:
    state = rich(Random(seed))
    action = choose(asked(state, level))
    assert isinstance(action, LayMelds) == (most(state.hands[0], state) >= state.bar)
    assert GAME.refuse(state, 0, action) is None


def test_such_positions_put_the_nevers_to_the_test() -> None:
    told = [Asked(state, asked(state)) for state in map(crowded, map(Random, TELLING))]
    assert sum(0 < len(gifts_in(one)) < len(throwable(one.view)) for one in told) >= 5
    left = [most_left(rich(Random(seed))).values() for seed in TELLING[:20]]
    assert sum(min(each) < max(each) for each in left) >= 15
