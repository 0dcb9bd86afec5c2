"""The levels differ: each beats the one before on the same deals."""

from typing import Final

import pytest

from schemas.commands import HandOptions
from schemas.ids import Level
from services.cli.duel.matchup import Matchup
from services.cli.duel.outcome import Sum, added
from services.cli.duel.rounds import play_deal
from tests.rules.hand_play import CLASSIC, VARIANTS

FLOOR: Final = 8.0
"""Points a round and scored unit; over hundreds of deals both steps were twice that and more."""
STEPS: Final[tuple[tuple[Level, Level], ...]] = (("black", "white"), ("chrome", "black"))
OTHERS: Final = [each for each in VARIANTS if each.seats == 4 and each.variant != "classic"]

every_step = pytest.mark.parametrize(("better", "worse"), STEPS)


def duel(better: Level, worse: Level, options: HandOptions, deals: int) -> Sum:
    matchup = Matchup(a=better, b=worse, options=options, seed=0)
    return added(matchup, (play_deal(matchup, number) for number in range(deals)))


@every_step
def test_each_level_beats_the_one_before_clearly_on_duplicate_deals(
    better: Level, worse: Level
) -> None:
    found = duel(better, worse, CLASSIC, 60)
    assert found.points.value >= FLOOR
    assert found.points.low > FLOOR / 2


@every_step
@pytest.mark.parametrize("options", OTHERS, ids=lambda options: options.variant)
def test_each_level_beats_the_one_before_in_the_other_variants(
    options: HandOptions, better: Level, worse: Level
) -> None:
    assert duel(better, worse, options, 24).points.value >= FLOOR
