"""N27, N29: what becomes of an empty stock, and of a round without end."""

from typing import Any

import msgspec
import pytest

from schemas.commands import (
    Discard,
    Draw,
)
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardsShuffled,
    HandRound,
    RoundEnded,
)
from services.rules.hand import GAME
from services.rules.hand.state import Turn
from tests.rules.hand_play import (
    CHANCE,
    cards,
    position,
    said,
)


def test_N27_the_older_fire_is_shuffled_into_a_new_stock_in_the_step_of_the_discard() -> None:
    state = position("2S1 3S1", fire="KH1 9S1 5D2", stock=())
    thrown, shuffle = said(state, Discard(card="2S1"))
    assert thrown[0].body == CardDiscarded(card="2S1")
    body = shuffle[0].body
    assert isinstance(body, CardsShuffled)
    assert (body.label, body.cards, body.round) == ("stock1", 3, 1)
    assert shuffle[0].origin == "chance"
    assert shuffle[0].pack == CHANCE.order(1, "stock1", cards("KH1 9S1 5D2"))
    then = shuffle[1]
    assert (then.fire, then.stock, then.reshuffles) == (cards("2S1"), shuffle[0].pack, 1)
    assert (then.turn, then.step) == (1, "draw")


def test_N27_a_stock_that_runs_out_waits_for_the_end_of_the_turn() -> None:
    state = position("2S1 3S1", step="draw", now=Turn(), stock=cards("7D1"), fire="KH1 9S1")
    ((fact, drawn),) = said(state, Draw(source="stock"))
    assert fact.body == CardDrawn(stock=0)
    assert (drawn.stock, drawn.fire) == ((), cards("KH1 9S1"))
    assert said(drawn, Discard(card="7D1"))[-1][1].fire == cards("7D1")


@pytest.mark.parametrize("done", [0, 1, 2])
def test_N27_at_most_three_times_in_a_round(done: int) -> None:
    state = position("2S1 3S1", fire="KH1 9S1", stock=(), reshuffles=done)
    body = said(state, Discard(card="2S1"))[-1][0].body
    assert isinstance(body, CardsShuffled)
    assert body.label == f"stock{done + 1}"


@pytest.mark.parametrize(
    "given",
    [
        {"reshuffles": 3, "fire": "KH1 9S1 5D2"},
        {"reshuffles": 0, "fire": ""},
        {"stock": cards("4C2"), "finished": 399},
        {"reshuffles": 0, "finished": 399},
    ],
    ids=["three done", "the fire has only its top", "N29 400 turns", "both"],
)
def test_N27_N29_a_void_round(given: dict[str, Any]) -> None:
    state = position("2S1 3S1", **{"stock": ()} | given)
    ended = said(state, Discard(card="2S1"))[-1]
    assert ended[0].body == RoundEnded(
        round=1,
        result=HandRound(
            went_out=None,
            hand=False,
            opened=(True, False, False, False),
            left=(cards("3S1"), *(cards("9C2"),) * 3),
        ),
    )
    assert ended[0].origin == "rule"
    judged = msgspec.to_builtins(GAME.judge(ended[1]))
    assert judged["last_round"] == {"went_out": None, "hand": False, "penalties": (0, 0, 0, 0)}
    assert (judged["phase"], judged["turn"]) == ("scoring", None)


def test_N29_the_399th_turn_does_not_end_it() -> None:
    state = position("2S1 3S1", finished=398)
    assert said(state, Discard(card="2S1"))[-1][1].step == "draw"


def test_N29_a_turn_in_which_somebody_goes_out_is_no_void_one() -> None:
    state = position("2S1", finished=399, stock=(), reshuffles=3)
    body = said(state, Discard(card="2S1"))[-1][0].body
    assert isinstance(body, RoundEnded)
    assert isinstance(body.result, HandRound)
    assert body.result.went_out == 0
