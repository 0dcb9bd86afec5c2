"""The levels differ: each beats the one before on the same deals."""

from typing import Final

import pytest

from schemas.commands import HandOptions
from tests.bot.hand_duel import Duel, play
from tests.rules.hand_play import CLASSIC, VARIANTS

DEALS: Final = range(30)
FLOOR: Final = 12.0
"""Points a round and scored unit; over 600 deals it was 26."""
OTHERS: Final = [each for each in VARIANTS if each.seats == 4 and each.variant != "classic"]


def test_black_beats_white_clearly_on_duplicate_deals() -> None:
    outcome = play(Duel(a="black", b="white", options=CLASSIC), DEALS)
    assert outcome.points >= FLOOR
    assert outcome.points - outcome.ci95 > 8


def test_chrome_beats_black_clearly_on_duplicate_deals() -> None:
    """Over 800 deals it was 16.9 points."""
    outcome = play(Duel(a="chrome", b="black", options=CLASSIC), range(60))
    assert outcome.points - outcome.ci95 > 0
    assert outcome.points >= 8


@pytest.mark.parametrize("options", OTHERS, ids=lambda options: options.variant)
def test_black_beats_white_in_the_other_variants(options: HandOptions) -> None:
    outcome = play(Duel(a="black", b="white", options=options), range(12))
    assert outcome.points >= FLOOR


def test_nobody_beats_himself() -> None:
    """The deals are the same and the chairs are changed about: what is measured is the level."""
    outcome = play(Duel(a="black", b="black", options=CLASSIC), range(5))
    assert outcome.points == 0
    assert outcome.out[0] == outcome.out[1]
