"""What Hand's bots put on the table: openings, melds, lay-offs, swaps, and going out."""

import pytest
from msgspec.structs import replace

from schemas.commands import Discard, HandOptions, LayMelds, LayOff, SwapJoker
from schemas.ids import Level
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from tests.bot.hand_positions import answer, whole_turn
from tests.bot.hand_rounds import LEVELS
from tests.rules.hand_play import CLASSIC, after, lay, melds, position

SAUDI = HandOptions(variant="saudi", seats=4, rounds=3)
SIDES = HandOptions(variant="saudi_partnership", seats=4, rounds=3)
LOOSE = "2S1 4D1 6C1 8S1 TC1"

every_level = pytest.mark.parametrize("level", LEVELS)


def closed(hand: str, *, bar: int = 51, options: HandOptions = SAUDI) -> HandState:
    return position(hand, opened=False, bar=bar, options=options)


# Opening --------------------------------------------------------------------------------------


@every_level
def test_every_level_opens_as_soon_as_the_bar_is_met_in_one_submission(level: Level) -> None:
    state = closed(f"TH1 JH1 QH1 KH1 4S1 4H1 {LOOSE}")
    assert answer(state, level) == lay("4D1 4H1 4S1, TH1 JH1 QH1 KH1")


@every_level
def test_the_bar_is_met_exactly_or_not_at_all(level: Level) -> None:
    sixty = f"TH1 JH1 QH1 KS1 KC1 KD1 {LOOSE}"
    assert isinstance(answer(closed(sixty, bar=60), level), LayMelds)
    assert isinstance(answer(closed(sixty, bar=61), level), Discard)


@every_level
def test_the_ace_of_a_low_run_counts_what_its_table_says(level: Level) -> None:
    hand = "AH1 2H1 3H1 QS1 KS1 AS1 6C1 8S1 TC1"
    assert isinstance(answer(closed(hand, bar=37), level), LayMelds)
    assert isinstance(answer(closed(hand, bar=38), level), Discard)
    assert isinstance(answer(closed(hand, bar=47, options=CLASSIC), level), LayMelds)
    assert isinstance(answer(closed(hand, bar=48, options=CLASSIC), level), Discard)


@every_level
def test_of_all_openings_the_one_that_leaves_least_is_laid(level: Level) -> None:
    """Four kings and three nines are 67 and leave a queen and a jack."""
    state = closed("KH1 KS1 KC1 KD1 QH1 JH1 9S1 9C1 9D1 2S1 4D1")
    assert answer(state, level) == lay("9C1 9D1 9S1, JH1 QH1 KH1, KC1 KD1 KS1")


@every_level
def test_an_opening_that_ends_the_round_is_better_than_one_that_leaves_least(level: Level) -> None:
    """With the run of spades two deuces would be left, worth four; without it an ace."""
    state = closed("AS1 2S1 3S1 2H1 2D1 3H1 3D1 3C1 TH1 JH1 QH1 KH1")
    laid, last = whole_turn(state, level)
    assert laid == lay("2D1 2H1 2S1, 3C1 3D1 3H1 3S1, TH1 JH1 QH1 KH1")
    assert last == Discard(card="AS1")


@every_level
def test_a_lay_off_that_the_opening_allows_may_end_the_round(level: Level) -> None:
    state = closed("TH1 JH1 QH1 KS1 KC1 KD1 8S1 6C1")
    state = replace(state, melds=melds("5S1 6S1 7S1"), opened=(False, False, False, True))
    made = whole_turn(state, level)
    assert [type(action) for action in made] == [LayMelds, LayOff, Discard]
    assert GAME.turn(after(state, *made)) is None


def test_in_saudi_partnership_an_open_side_needs_no_bar() -> None:
    state = replace(
        position(f"5H1 6H1 7H1 {LOOSE}", opened=False, options=SIDES),
        opened=(True, False, True, False),
    )
    assert answer(state) == lay("5H1 6H1 7H1")


def test_no_more_than_the_melds_of_fifteen_cards_are_submitted_at_once() -> None:
    hand = "2S1 2H1 2D1 3S1 3H1 3D1 4C1 4H1 4D1 KS1 KH1 KD1 QS1 QH1 QD1"
    assert answer(closed(hand)) == lay(
        "2D1 2H1 2S1, 3D1 3H1 3S1, 4C1 4D1 4H1, KD1 KH1 KS1, QD1 QH1 QS1"
    )


# Melds, lay-offs, swaps -----------------------------------------------------------------------


@every_level
def test_once_opened_whatever_melds_or_fits_is_laid_and_one_card_thrown(level: Level) -> None:
    state = position(f"9S1 9C1 9D1 8H1 9H1 {LOOSE}", table="5H1 6H1 7H1")
    *laid, last = whole_turn(state, level)
    assert isinstance(last, Discard)
    final = after(state, *laid)
    assert set(final.hands[0]) == set(LOOSE.split())


@every_level
def test_before_its_opening_a_bot_lays_nothing_off(level: Level) -> None:
    state = position(f"8H1 9H1 {LOOSE}", table="5H1 6H1 7H1", opened=False)
    assert isinstance(answer(state, level), Discard)


@every_level
def test_a_card_that_fits_is_melded_where_that_takes_others_along(level: Level) -> None:
    state = position("8H1 8S1 8D1 2S1 4D1", table="5H1 6H1 7H1")
    assert answer(state, level) == lay("8D1 8H1 8S1")


@every_level
def test_a_card_that_fits_a_run_and_a_set_goes_where_the_next_one_can_follow(level: Level) -> None:
    state = position("8H1 9H1 2S1 4D1", table="8S1 8C1 8D1, 5H1 6H1 7H1")
    assert whole_turn(state, level)[:2] == [
        LayOff(meld=2, card="8H1", end="high"),
        LayOff(meld=2, card="9H1", end="high"),
    ]


@every_level
def test_a_joker_does_not_take_the_place_of_a_card_that_fits(level: Level) -> None:
    state = position("JK1 8H1 2S1 4D1", table="5H1 6H1 7H1")
    assert [type(action) for action in whole_turn(state, level)] == [LayOff, LayOff, Discard]


def test_black_swaps_for_a_joker_that_makes_a_meld_of_a_pair() -> None:
    state = position(f"7H1 KS1 KC1 {LOOSE}", table="5H1 6H1 JK1")
    swap, laid, *_ = whole_turn(state)
    assert swap == SwapJoker(meld=1, card="7H1")
    assert laid == lay("JK1 KC1 KS1")


def test_black_swaps_and_puts_the_joker_back_where_nothing_better_is_to_be_had() -> None:
    swap, back, last = whole_turn(position(f"7H1 {LOOSE}", table="5H1 6H1 JK1"))
    assert swap == SwapJoker(meld=1, card="7H1")
    assert back == LayOff(meld=1, card="JK1", end="high")
    assert isinstance(last, Discard)


def test_chrome_frees_two_jokers_in_one_plan() -> None:
    table = "5H1 6H1 JK1, 9S1 JK2 JS1"
    state = position("7H1 TS1 KS1 KC1 2D1 2C1 4D2", table=table)
    made = whole_turn(state, "chrome")
    assert made[:2] == [SwapJoker(meld=1, card="7H1"), SwapJoker(meld=2, card="TS1")]
    assert GAME.turn(after(state, *made)) is None


def test_white_swaps_nothing() -> None:
    state = position(f"7H1 KS1 KC1 {LOOSE}", table="5H1 6H1 JK1")
    assert isinstance(answer(state, "white"), Discard)


@every_level
def test_a_freed_joker_is_placed_whoever_freed_it(level: Level) -> None:
    state = position(
        f"JK1 {LOOSE}",
        table="5H1 6H1 7H1",
        now=Turn(drawn="2S1", must_place=("JK1",), placed=True, abroad=True),
    )
    assert answer(state, level) == LayOff(meld=1, card="JK1", end="high")


def test_white_swaps_where_nothing_else_ends_its_turn() -> None:
    """The taken card is all that it holds, and fits nowhere but in the joker's place."""
    state = position("7H1", table="5H1 6H1 JK1", now=Turn(taken="7H1"))
    swap, back = whole_turn(state, "white")
    assert swap == SwapJoker(meld=1, card="7H1")
    assert isinstance(back, LayOff)


@every_level
def test_of_two_copies_the_taken_one_goes_to_the_table(level: Level) -> None:
    """N7: it could not be thrown, its twin can."""
    state = position("8H1 8H2", table="5H1 6H1 7H1", now=Turn(taken="8H2"))
    laid, last = whole_turn(state, level)
    assert laid == LayOff(meld=1, card="8H2", end="high")
    assert last == Discard(card="8H1")


@every_level
def test_a_card_that_fits_is_kept_where_only_the_taken_card_would_be_left(level: Level) -> None:
    """N23: the turn could not end."""
    state = position("8H1 2C2", table="5H1 6H1 7H1", now=Turn(taken="2C2"))
    assert answer(state, level) == Discard(card="8H1")


@every_level
def test_both_are_laid_where_the_taken_card_fits_only_after_the_other(level: Level) -> None:
    state = position("8H1 9H1", table="5H1 6H1 7H1", now=Turn(taken="9H1"))
    assert [type(action) for action in whole_turn(state, level)] == [LayOff, LayOff]


# Going out ------------------------------------------------------------------------------------


@every_level
@pytest.mark.parametrize("hand", ["8H1 2S1", "8H1 9H1", "8H1 4H1 9H1 3H1 2S1"])
def test_a_seat_that_can_lay_all_but_one_card_ends_the_round(hand: str, level: Level) -> None:
    state = position(hand, table="5H1 6H1 7H1")
    last = after(state, *whole_turn(state, level)).last
    assert last is not None
    assert last.went_out == 0


@every_level
def test_for_the_sake_of_hand_an_own_meld_is_laid_off_on_first(level: Level) -> None:
    """N26: the fourth king fits the run of seat 3 as well."""
    state = with_own(position("KH1 8S1", now=Turn(drawn="8S1", placed=True)))
    laid, last = whole_turn(state, level)
    assert laid == LayOff(meld=2, card="KH1", end=None)
    assert_hand(after(state, laid, last))


@every_level
def test_for_the_sake_of_hand_a_new_meld_is_laid_rather_than_its_cards_laid_off(
    level: Level,
) -> None:
    state = with_own(position("6H1 7H1 8H1 8S1", now=Turn(drawn="8S1", placed=True)))
    laid, last = whole_turn(state, level)
    assert laid == lay("6H1 7H1 8H1")
    assert_hand(after(state, laid, last))


@every_level
def test_for_the_sake_of_hand_the_last_card_is_thrown_rather_than_laid_off_abroad(
    level: Level,
) -> None:
    state = with_own(position("2H1 3H1 4H1 8H1", now=Turn(drawn="2H1", placed=True)))
    laid, last = whole_turn(state, level)
    assert (laid, last) == (lay("2H1 3H1 4H1"), Discard(card="8H1"))
    assert_hand(after(state, laid, last))


def with_own(state: HandState) -> HandState:
    """The table has a run of seat 3 and three kings that seat 0 has laid in this turn."""
    run, kings = melds("9H1 TH1 JH1 QH1, KC1 KD1 KS1")
    return replace(state, melds=(run, replace(kings, owner=0)))


def assert_hand(state: HandState) -> None:
    assert state.last is not None
    assert state.last.went_out == 0
    assert state.last.hand
