"""The levels differ: black beats white on the same deals, by far more than the floor."""

from typing import Final

import pytest

from schemas.commands import HandOptions
from services.cli.duel.matchup import Matchup
from services.cli.duel.outcome import Sum, added
from services.cli.duel.rounds import play_deal
from tests.rules.hand_play import CLASSIC, VARIANTS

FLOOR: Final = 20.0
"""Points a round and scored unit; over 400 deals it was more than 40."""
OTHERS: Final = [each for each in VARIANTS if each.seats == 4 and each.variant != "classic"]


def black_against_white(options: HandOptions, deals: int) -> Sum:
    matchup = Matchup(a="black", b="white", options=options, seed=0)
    return added(matchup, (play_deal(matchup, number) for number in range(deals)))


def test_black_beats_white_clearly_on_duplicate_deals() -> None:
    found = black_against_white(CLASSIC, 30)
    assert found.points.value >= FLOOR
    assert found.points.low > 10


@pytest.mark.parametrize("options", OTHERS, ids=lambda options: options.variant)
def test_black_beats_white_in_the_other_variants(options: HandOptions) -> None:
    assert black_against_white(options, 12).points.value >= FLOOR
