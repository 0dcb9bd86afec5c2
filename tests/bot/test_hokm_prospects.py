"""What a round is worth to the match."""

import pytest

from schemas.commands import HokmOptions
from services.bot.hokm.prospects import LOST, LOST_BY_KOT, WON, WON_BY_KOT, worth
from services.bot.hokm.round import Round

GUIDE = HokmOptions()


def ended(tricks: tuple[int, int], hakem: int = 0) -> Round:
    round_ = Round([0, 0, 0, 0], 0, hakem)
    round_.taken = list(tricks)
    return round_


def test_the_chances_of_both_sides_are_one_together() -> None:
    for tricks in ((7, 3), (2, 7), (7, 0), (0, 7)):
        both = [worth(ended(tricks), GUIDE, (1, 0), side) for side in (0, 1)]
        assert sum(both) == pytest.approx(1)


def test_H19_the_point_that_reaches_the_target_is_the_match() -> None:
    assert worth(ended((7, 4)), GUIDE, (1, 1), 0) == 1
    assert worth(ended((7, 4)), GUIDE, (1, 1), 1) == 0
    assert worth(ended((7, 0)), GUIDE, (0, 1), 0) == 1


def test_one_all_is_the_hakems_chance_of_a_round() -> None:
    """H18: who won is hakem next, here side 1, which had lost the round before."""
    assert worth(ended((4, 7)), GUIDE, (1, 0), 1) == pytest.approx(WON + WON_BY_KOT)
    assert worth(ended((4, 7)), GUIDE, (1, 0), 0) == pytest.approx(LOST + LOST_BY_KOT)


@pytest.mark.parametrize("hakem", [0, 1])
def test_H16_more_points_are_worth_more(hakem: int) -> None:
    long = HokmOptions(target=7)
    kot, win, loss, kotted = (
        worth(ended(tricks, hakem), long, (3, 3), 0) for tricks in ((7, 0), (7, 1), (1, 7), (0, 7))
    )
    assert kot > win > loss > kotted


def test_H16_the_hakems_kot_costs_more_than_anothers() -> None:
    long = HokmOptions(target=7)
    of_hakem, of_other = (worth(ended((0, 7), hakem), long, (0, 0), 0) for hakem in (0, 1))
    assert of_hakem < of_other


def test_the_longest_match_has_a_chance_too() -> None:
    longest = HokmOptions(target=100)
    assert 0.5 < worth(ended((7, 4)), longest, (0, 0), 0) < 0.6
