"""N6, N7, N18, N19, N24: drawing and throwing, the duty of the fire card, common refusals."""

from typing import Any

import msgspec
import pytest

from schemas.commands import (
    ChooseTrump,
    Discard,
    Draw,
    GameAction,
    HandOptions,
    LayOff,
    PlayCard,
    SwapJoker,
)
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    FireTaken,
)
from schemas.refusals import Refusal
from services.rules.decider import Fact
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from tests.rules.hand_play import (
    after,
    begun,
    cards,
    lay,
    position,
    refusal,
    said,
    void_round,
)

STOCK, FIRE = Draw(source="stock"), Draw(source="fire")
OPENING = "KS1 KH1 KD1, QS1 QH1 QD1"


def test_N6_one_draw_first_of_all() -> None:
    state = position("2S1 3S1", step="draw", now=Turn())
    early: tuple[GameAction, ...] = (
        Discard(card="2S1"),
        lay("2S1 3S1 4S1"),
        LayOff(meld=1, card="2S1"),
        SwapJoker(meld=1, card="2S1"),
    )
    assert {refusal(state, action) for action in early} == {Refusal.WRONG_PHASE}
    ((fact, drawn),) = said(state, STOCK)
    assert fact.body == CardDrawn(stock=2)
    assert GAME.hand(drawn, 0) == cards("2S1 3S1 3C2")
    assert [refusal(drawn, action) for action in (STOCK, FIRE)] == [Refusal.WRONG_PHASE] * 2


def test_N6_a_discard_ends_the_turn() -> None:
    state = after(position("2S1 3S1"), Discard(card="2S1"))
    assert (state.turn, state.step, state.now) == (1, "draw", Turn())
    assert refusal(state, STOCK) == Refusal.NOT_YOUR_TURN


def test_N3_turns_go_up_by_one_seat_and_wrap() -> None:
    turns = []
    state = begun(HandOptions(variant="classic", seats=3, rounds=3))[-1][1]
    for _ in range(6):
        seat = state.turn
        assert seat is not None
        turns.append(seat)
        if state.step == "draw":
            state = after(state, STOCK)
        state = after(state, Discard(card=state.hands[seat][0]))
    assert turns == [(turns[0] + step) % 3 for step in range(6)]


def test_N7_only_the_top_of_the_fire_is_taken() -> None:
    state = position("2S1", fire="KH1 9S1 5D2", step="draw", now=Turn())
    ((fact, taken),) = said(state, FIRE)
    assert fact.body == FireTaken(card="5D2")
    assert taken.fire == cards("KH1 9S1")
    assert GAME.hand(taken, 0) == cards("2S1 5D2")
    assert [(toss.card, toss.taken_by) for toss in taken.tosses] == [
        ("KH1", None),
        ("9S1", None),
        ("5D2", 0),
    ]


def test_N7_the_card_taken_cannot_be_thrown_in_that_turn_but_its_twin_can() -> None:
    state = position("5D1 5D2 9S1", now=Turn(taken="5D2"))
    assert refusal(state, Discard(card="5D2")) == Refusal.CANNOT_DISCARD_TAKEN_CARD
    assert refusal(state, Discard(card="5D1")) is None


def test_N24_a_joker_taken_from_the_fire_cannot_be_thrown_in_that_turn() -> None:
    state = position("JK2 9S1 JK1", now=Turn(taken="JK2"))
    assert refusal(state, Discard(card="JK2")) == Refusal.CANNOT_DISCARD_TAKEN_CARD
    assert refusal(state, Discard(card="JK1")) is None


def test_N7_in_the_next_turn_it_is_a_card_like_any_other() -> None:
    state = position("5D2 9S1", now=Turn(taken="5D2"), others="4C1 KD2")
    state = after(state, Discard(card="9S1"))
    for seat in (1, 2, 3):
        state = after(state, STOCK, Discard(card=state.hands[seat][-1]))
    assert refusal(after(state, STOCK), Discard(card="5D2")) is None


# The duty -------------------------------------------------------------------------------------


def to_take(hand: str, card: str, **given: Any) -> HandState:
    """Seat 0 is to draw and `card` is the top of the fire."""
    words: dict[str, Any] = {"step": "draw", "now": Turn(), "opened": False}
    return position(hand, fire=f"2C2 {card}", **words | given)


def taken(state: HandState) -> HandState:
    return after(state, FIRE)


def test_N18_taking_unopened_obliges_to_open_and_no_discard_before() -> None:
    state = taken(to_take("KS1 KH1 QS1 QH1 QD1 2H1 3D1", "KD1"))
    assert msgspec.to_builtins(GAME.judge(state))["must_open"] is True
    assert refusal(state, Discard(card="2H1")) == Refusal.MUST_OPEN_FIRST
    assert refusal(state, Discard(card="KD1")) == Refusal.MUST_OPEN_FIRST
    assert refusal(state, lay("KS1 KH1 KD1")) == Refusal.OPENING_TOO_LOW
    state = after(state, lay(OPENING))
    assert msgspec.to_builtins(GAME.judge(state))["must_open"] is False
    assert refusal(state, Discard(card="2H1")) is None


def test_N18_the_take_is_refused_without_an_opening() -> None:
    assert refusal(to_take("KS1 KH1 QS1 QH1 2H1", "KD1"), FIRE) == Refusal.CANNOT_OPEN
    assert refusal(to_take("KS1 KH1 QS1 QH1 2H1", "KD1"), STOCK) is None


def test_N18_the_taken_card_need_not_be_part_of_the_opening() -> None:
    state = taken(to_take("KS1 KH1 KD1 QS1 QH1 QD1 3D1", "7C1"))
    assert refusal(after(state, lay(OPENING)), Discard(card="3D1")) is None


def test_N18_the_bar_is_that_of_the_moment() -> None:
    hand = "KS1 KH1 QS1 QH1 QD1 2H1"
    options = HandOptions(variant="saudi", seats=4, rounds=3)
    assert refusal(to_take(hand, "KD1", bar=60, options=options), FIRE) is None
    assert refusal(to_take(hand, "KD1", bar=61, options=options), FIRE) == Refusal.CANNOT_OPEN


def test_N18_an_opening_that_leaves_the_taken_card_alone_does_not_count() -> None:
    hand = "KS1 KH1 KD1 QS1 QH1 QD1"
    assert refusal(to_take(hand, "7C1"), FIRE) == Refusal.CANNOT_OPEN
    assert refusal(to_take(hand, "7C1", table="7S1 7H1 7D1"), FIRE) is None
    assert refusal(to_take(hand, "QC1"), FIRE) is None, "it can be laid off on the new set"
    assert refusal(to_take(hand, "KD2"), FIRE) is None, "its twin is left and can be thrown"
    assert refusal(to_take(hand, "7C1", table="7S1 7H1 JK1"), FIRE) is None, "for the joker"


def test_N23_such_an_opening_is_refused_once_the_card_is_taken() -> None:
    hand = "KS1 KH1 KD1 QS1 QH1 QD1 JS1 JH1 JD1 4C1"
    state = taken(to_take(hand, "7C1"))
    assert refusal(state, lay(f"{OPENING}, JS1 JH1 JD1")) is None
    hand = "KS1 KH1 KD1 QS1 QH1 QD1 QC1"
    state = taken(to_take(hand, "7C1"))
    assert refusal(state, lay("KS1 KH1 KD1, QS1 QH1 QD1 QC1")) == Refusal.NO_LEGAL_FINISH
    assert refusal(state, lay(OPENING)) is None


def test_N18_N17_a_seat_whose_side_has_opened_owes_nothing() -> None:
    options = HandOptions(variant="saudi_partnership", seats=4, rounds=3)
    state = to_take("2S1 3D1", "KD1", options=options, opened=True)
    assert refusal(state, FIRE) is None
    state = taken(state)
    assert msgspec.to_builtins(GAME.judge(state))["must_open"] is False
    assert refusal(state, Discard(card="2S1")) is None


def test_N19_opened_the_fire_card_carries_no_duty_but_that_it_stays() -> None:
    state = taken(to_take("2S1 3D1", "KD1", opened=True))
    assert refusal(state, Discard(card="KD1")) == Refusal.CANNOT_DISCARD_TAKEN_CARD
    assert refusal(state, Discard(card="2S1")) is None


# Refusals before all --------------------------------------------------------------------------


def test_an_action_of_another_game_is_malformed() -> None:
    for action in (ChooseTrump(suit="S"), PlayCard(card="AS")):
        assert refusal(position("2S1"), action) == Refusal.MALFORMED


def test_N52_in_scoring_everything_is_the_wrong_phase_for_everybody() -> None:
    ended = void_round()
    everything: tuple[GameAction, ...] = (
        STOCK,
        FIRE,
        Discard(card="3S1"),
        lay("2S1 3S1 4S1"),
        LayOff(meld=1, card="3S1"),
        SwapJoker(meld=1, card="3S1"),
    )
    found = {refusal(ended, action, seat) for action in everything for seat in range(4)}
    assert found == {Refusal.WRONG_PHASE}
    assert GAME.turn(ended) is None


def test_the_turn_is_asked_before_the_phase() -> None:
    state = position("2S1 3S1")
    assert refusal(state, STOCK, 1) == Refusal.NOT_YOUR_TURN
    assert refusal(state, STOCK, 0) == Refusal.WRONG_PHASE


def test_discard_is_refused_in_this_order() -> None:
    state = position("KS1 KH1 QS1 JK1", opened=False, now=Turn(taken="KS1", must_place=("JK1",)))
    assert refusal(state, Discard(card="2D1")) == Refusal.CARD_NOT_HELD
    assert refusal(state, Discard(card="KS1")) == Refusal.MUST_OPEN_FIRST
    state = msgspec.structs.replace(state, opened=(True,) * 4)
    assert refusal(state, Discard(card="KS1")) == Refusal.MUST_PLACE_JOKER
    state = msgspec.structs.replace(state, now=Turn(taken="KS1"))
    assert refusal(state, Discard(card="KS1")) == Refusal.CANNOT_DISCARD_TAKEN_CARD


def test_a_move_by_a_seat_that_is_not_on_turn_is_impossible() -> None:
    fact = Fact(body=CardDiscarded(card="9C2"), origin="player", seat=1)
    with pytest.raises(AssertionError, match="not on turn"):
        GAME.evolve(position("2S1"), fact)


def test_what_is_refused_cannot_be_acted_on() -> None:
    with pytest.raises(AssertionError, match="refuse lets pass"):
        GAME.act(position("2S1"), 0, STOCK)


def test_N50_the_clock_is_25_seconds_or_60_with_a_duty_open() -> None:
    assert GAME.clock(position("2S1")) == 25
    state = taken(to_take("KS1 KH1 QS1 QH1 QD1 2H1 3D1", "KD1"))
    assert GAME.clock(state) == 60
    assert GAME.clock(after(state, lay(OPENING))) == 25
