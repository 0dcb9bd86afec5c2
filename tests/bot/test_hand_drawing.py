"""Stock or fire: when Hand's bots take the card that was thrown last."""

import pytest

from schemas.commands import Draw
from schemas.ids import Level
from services.rules.hand.state import HandState, Turn
from tests.bot.hand_positions import answer, drawing, whole_turn
from tests.bot.hand_rounds import LEVELS
from tests.rules.hand_play import lay

FIRE = Draw(source="fire")
STOCK = Draw(source="stock")

every_level = pytest.mark.parametrize("level", LEVELS)
THIRTY = "TH1 JH1 QH1"
LOOSE = "2S1 4D1 6C1 8S1 TC1"
"""Cards that have nothing to do with each other."""


def almost_open(fire: str) -> HandState:
    """A run worth 30 and two kings; a third makes 60."""
    return drawing(f"{THIRTY} KS1 KC1 {LOOSE}", opened=False, fire=fire)


@pytest.mark.parametrize("level", ["black", "chrome"])
def test_the_fire_card_that_makes_an_opening_is_taken_and_the_opening_laid(level: Level) -> None:
    took, laid, *_ = whole_turn(almost_open("3C1 KD1"), level)
    assert took == FIRE
    assert laid == lay("KC1 KD1 KS1, TH1 JH1 QH1")


def test_white_takes_no_fire_card_before_its_opening() -> None:
    assert answer(almost_open("3C1 KD1"), "white") == STOCK


@every_level
def test_a_fire_card_that_makes_no_opening_is_left(level: Level) -> None:
    assert answer(almost_open("3C1 9D1"), level) == STOCK
    assert answer(drawing(f"KS1 KC1 {LOOSE}", opened=False, fire="KD1"), level) == STOCK


@every_level
def test_an_empty_fire_is_no_question(level: Level) -> None:
    state = drawing(f"{THIRTY} KS1 KC1 {LOOSE}", opened=False, fire="", tosses=())
    assert answer(state, level) == STOCK


def test_with_an_opening_in_hand_the_fire_card_is_taken_only_to_make_it_dearer() -> None:
    hand = f"{THIRTY} KS1 KC1 KD1 {LOOSE}"
    assert answer(drawing(hand, opened=False, fire="KH1")) == FIRE
    assert answer(drawing(hand, opened=False, fire="7D1")) == STOCK


def test_the_bar_that_another_has_raised_is_the_one_that_counts() -> None:
    assert answer(drawing("KS1 KC1 QH1 JH1 " + LOOSE, opened=False, bar=60, fire="KH1")) == STOCK
    sixty = f"{THIRTY} KS1 KC1 {LOOSE}"
    assert answer(drawing(sixty, opened=False, bar=61, fire="KD1")) == STOCK
    assert answer(drawing(sixty, opened=False, bar=60, fire="KD1")) == FIRE


@every_level
def test_once_opened_every_level_takes_a_card_that_melds_with_two_of_its_own(level: Level) -> None:
    state = drawing(f"7S1 7C1 {LOOSE}", fire="7D1")
    took, laid, *_ = whole_turn(state, level)
    assert (took, laid) == (FIRE, lay("7C1 7D1 7S1"))


@every_level
def test_a_card_that_could_only_be_laid_off_is_left(level: Level) -> None:
    assert answer(drawing(LOOSE, table="5H1 6H1 7H1", fire="8H1"), level) == STOCK


@every_level
def test_with_one_card_left_a_card_that_can_be_laid_off_ends_the_round(level: Level) -> None:
    made = whole_turn(drawing("2S1", table="5H1 6H1 7H1", fire="8H1"), level)
    assert [type(action).__name__ for action in made] == ["Draw", "LayOff", "Discard"]


@every_level
def test_a_card_that_would_stay_in_the_hand_is_left(level: Level) -> None:
    assert answer(drawing(f"7S1 {LOOSE}", fire="7D1"), level) == STOCK


def test_only_one_who_swaps_takes_the_card_that_a_joker_stands_for() -> None:
    state = drawing("9S1 9C1 4D1 2S1", table="5H1 6H1 JK1", fire="7H1")
    assert answer(state, "white") == STOCK
    took, *steps = whole_turn(state, "black")
    assert took == FIRE
    assert [type(action).__name__ for action in steps] == ["SwapJoker", "LayMelds", "Discard"]


def test_the_duty_is_met_when_somebody_else_took_the_fire_card_for_the_bot() -> None:
    state = drawing(
        f"{THIRTY} KS1 KC1 KD1 {LOOSE}", opened=False, step="act", now=Turn(taken="6C1")
    )
    laid, *_ = whole_turn(state, "white")
    assert laid == lay("KC1 KD1 KS1, TH1 JH1 QH1")
