"""N50: what the house plays for a seat whose time is up."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from tests.rules.hand_play import (
    after,
    begun,
    cards,
    lay,
    position,
    random_table,
    round_steps,
)

MOST_MOVES = 12
"""Moves in the longest turn of the house."""


def moves(state: HandState) -> list[GameAction]:
    """All that the house does until the turn of seat 0 is over."""
    seat = GAME.turn(state)
    made: list[GameAction] = []
    assert seat is not None
    while GAME.turn(state) == seat and len(made) < MOST_MOVES:
        made.append(GAME.house_move(GAME.view(state, seat)))
        state = after(state, made[-1])
    return made


def with_duty(hand: str, card: str, **more: Any) -> HandState:
    return position(f"{hand} {card}", opened=False, now=Turn(taken=card), **more)


def test_the_house_draws_from_the_stock_and_throws_what_it_drew() -> None:
    state = position("KS1 KH1", step="draw", now=Turn(), stock=cards("2D1 3D1"))
    assert moves(state) == [Draw(source="stock"), Discard(card="2D1")]


def test_a_drawn_joker_is_thrown_as_well() -> None:
    state = position("KS1 KH1", step="draw", now=Turn(), stock=cards("JK1 3D1"))
    assert moves(state) == [Draw(source="stock"), Discard(card="JK1")]


def test_the_starter_draws_nothing_and_throws_the_dearest_card_ties_by_text() -> None:
    state = position("2S1 KS1 KH2 QD1 7C1", step="discard_first", opened=False, now=Turn())
    assert moves(state) == [Discard(card="KH2")]
    state = position("2S1 AS2 AH1 JS1", step="discard_first", opened=False, now=Turn())
    assert moves(state) == [Discard(card="AH1")]
    state = position("2S1 AS2 JK2 JK1", step="discard_first", opened=False, now=Turn())
    assert moves(state) == [Discard(card="JK1")]


def test_a_drawn_card_that_lies_on_the_table_by_now_cannot_be_thrown() -> None:
    state = position("8H1 2S1 KS1", table="5H1 6H1 7H1", now=Turn(drawn="8H1"))
    state = after(state, LayOff(meld=1, card="8H1"))
    assert moves(state) == [Discard(card="KS1")]


def test_the_taken_card_is_not_thrown() -> None:
    assert moves(position("AS1 KS1 2S1", now=Turn(taken="AS1"))) == [Discard(card="KS1")]
    assert moves(position("KS1 KS2 2S1", now=Turn(taken="KS1"))) == [Discard(card="KS2")]


def test_with_a_duty_the_opening_that_leaves_the_lowest_value() -> None:
    state = with_duty("KS1 KH1 KC1 QS1 QH1 QD1 2S1 2H1 2D1 7C1 AC1", "KD1")
    assert moves(state) == [
        lay("2D1 2H1 2S1, KC1 KD1 KH1 KS1, QD1 QH1 QS1"),
        Discard(card="AC1"),
    ]


def test_with_a_duty_ties_go_to_the_fewest_melds_then_to_the_first_as_text() -> None:
    state = with_duty("8S1 9S1 TS1 JS1 QS1 KS1 2D1 QS2", "7S1")
    assert moves(state)[0] == lay("7S1 8S1 9S1 TS1 JS1 QS1 KS1")


def test_with_a_duty_no_opening_after_which_the_turn_cannot_end() -> None:
    state = with_duty("KS1 KH1 KD1 QS1 QH1 QD1 QC1", "2C1")
    first = moves(state)[0]
    assert first == lay("KD1 KH1 KS1, QC1 QD1 QH1"), "four queens would leave the 2C1 alone"
    assert moves(state) == [first, Discard(card="QS1")]


def test_with_a_duty_the_taken_card_may_be_what_is_left_if_it_fits_the_table() -> None:
    state = with_duty("KS1 KH1 KD1 QS1 QH1 QD1 QC1", "8H1", table="5H1 6H1 7H1")
    assert moves(state) == [
        lay("KD1 KH1 KS1, QC1 QD1 QH1 QS1"),
        LayOff(meld=1, card="8H1", end="high"),
    ]


def test_with_a_duty_of_two_copies_the_taken_one_is_laid() -> None:
    """Its twin can be thrown (N7); the taken card, left alone, could not."""
    state = with_duty("KS1 KH1 KD1 QS1 QH1 QD1", "KD2")
    assert moves(state) == [lay("KD2 KH1 KS1, QD1 QH1 QS1"), Discard(card="KD1")]


def test_a_freed_jokers_new_meld_is_the_first_as_text() -> None:
    state = position(
        "3C1 AC1 KD1 KH1 8S1 JK1", table="9S1 9H1 9D1 9C1", now=Turn(must_place=("JK1",))
    )
    assert moves(state) == [lay("AC1 JK1 3C1"), Discard(card="KD1")]
    state = position(
        "KD1 KH1 3C1 AC1 8S1 JK1", table="9S1 9H1 9D1 9C1", now=Turn(must_place=("JK1",))
    )
    assert moves(state) == [lay("AC1 JK1 3C1"), Discard(card="KD1")]


def test_the_last_card_taken_from_the_fire_goes_out_for_a_joker() -> None:
    table = "9S1 9H1 JK1, KS1 KH1 KD1 KC1"
    assert moves(position("9C1", table=table, now=Turn(taken="9C1"))) == [
        LayOff(meld=1, card="9C1")
    ]
    table = "5H1 JK1 7H1, KS1 KH1 KD1 KC1"
    assert moves(position("6H1", table=table, now=Turn(taken="6H1"))) == [
        SwapJoker(meld=1, card="6H1"),
        LayOff(meld=1, card="JK1", end="high"),
    ]


@pytest.mark.parametrize(
    ("table", "placed"),
    [
        ("5H1 6H1 7H1, 9S1 9H1 9D1", LayOff(meld=1, card="JK1", end="high")),
        ("QC1 KC1 AC1, 9S1 9H1 9D1", LayOff(meld=1, card="JK1", end="low")),
        ("9S1 9H1 9D1, 5H1 6H1 7H1", LayOff(meld=1, card="JK1", end=None)),
        ("9S1 9H1 9D1 9C1, 5H1 6H1 7H1", LayOff(meld=2, card="JK1", end="high")),
        ("9S1 9H1 9D1 9C1", LayMelds(melds=(("AC1", "JK1", "3C1"),))),
    ],
)
def test_a_freed_joker_is_laid_off_by_meld_id_high_then_low_else_in_a_new_meld(
    table: str, placed: GameAction
) -> None:
    state = position("3C1 AC1 8D1 JK1", table=table, now=Turn(drawn="8D1", must_place=("JK1",)))
    assert moves(state) == [placed, Discard(card="8D1")]


def test_freed_jokers_are_placed_in_the_order_freed() -> None:
    state = position(
        "8D1 JK1 JK2", table="5H1 6H1 7H1, 9S1 9H1 9D1", now=Turn(must_place=("JK2", "JK1"))
    )
    assert moves(state) == [
        LayOff(meld=1, card="JK2", end="high"),
        LayOff(meld=2, card="JK1", end=None),
        Discard(card="8D1"),
    ]


def test_a_new_meld_that_would_leave_the_taken_card_alone_is_passed_over() -> None:
    state = position(
        "KS1 KH1 QS1 JK1", table="9S1 9H1 9D1 9C1", now=Turn(taken="QS1", must_place=("JK1",))
    )
    assert moves(state) == [lay("JK1 QS1 KS1"), Discard(card="KH1")], "not with both kings"


def test_the_house_needs_its_seats_view() -> None:
    state = begun()[-1][1]
    starter = state.turn
    assert starter is not None
    for seat in (None, (starter + 1) % 4):
        with pytest.raises(AssertionError):
            GAME.house_move(GAME.view(state, seat))


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_whatever_a_seat_has_begun_the_house_ends_its_turn_by_legal_moves(seed: int) -> None:
    for _, state in round_steps(random_table(seed))[::7]:
        if GAME.turn(state) is not None and state.step in {"discard_first", "draw", "act"}:
            assert len(moves(state)) < MOST_MOVES
