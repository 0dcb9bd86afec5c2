"""N10, N20 to N23: lay-offs, joker swaps, no dead ends."""

from typing import Any

import pytest

from schemas.commands import Discard, LayOff, SwapJoker
from schemas.events import CardLaidOff, JokerSwapped
from schemas.refusals import Refusal
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from services.rules.melds import End
from tests.rules.hand_play import after, cards, lay, position, refusal, said

SPARE = "2C1 3D1"


def unopened(hand: str, **given: Any) -> HandState:
    return position(f"{hand} {SPARE}", opened=False, **given)


def opened(hand: str, **given: Any) -> HandState:
    return position(f"{hand} {SPARE}", **given)


def table(state: HandState) -> list[str]:
    return [" ".join(meld.cards) for meld in state.melds]


# Lay-offs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "asked", "went"),
    [
        ("8H2", None, "high"),
        ("8H2", "high", "high"),
        ("4H1", None, "low"),
        ("4H1", "low", "low"),
        ("JK1", None, "high"),
        ("JK1", "low", "low"),
    ],
)
def test_N20_a_run_grows_at_the_end_that_fits_or_is_asked_for(
    card: str, asked: End | None, went: End
) -> None:
    state = opened(card, table="5H1 6H1 7H1")
    ((fact, then),) = said(state, LayOff(meld=1, card=card, end=asked))
    assert fact.body == CardLaidOff(meld=1, card=card, end=went)
    assert table(then) == [f"{card} 5H1 6H1 7H1" if went == "low" else f"5H1 6H1 7H1 {card}"]


@pytest.mark.parametrize(
    ("meld", "card", "asked"),
    [
        ("5H1 6H1 7H1", "8H1", "low"),
        ("5H1 6H1 7H1", "4H1", "high"),
        ("5H1 6H1 7H1", "9H1", None),
        ("5H1 6H1 7H1", "8D1", None),
        ("QC1 KC1 AC1", "2C2", None),
        ("AC1 2C1 3C1", "KC1", None),
        ("QC1 KC1 AC1", "JK1", "high"),
        ("AC2 2C2 3C2", "JK1", "low"),
        ("9S1 9H1 9D1", "9S2", None),
        ("9S1 9H1 9D1", "8C1", None),
        ("9S1 9H1 9D1 9C1", "9S2", None),
        ("9S1 9H1 9D1 9C1", "JK1", None),
        ("9S1 9H1 9D1 JK1", "9C1", None),
        ("AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1", "AS2", None),
        ("AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1", "JK2", None),
    ],
)
def test_N20_does_not_fit(meld: str, card: str, asked: End | None) -> None:
    state = opened(card, table=meld)
    assert refusal(state, LayOff(meld=1, card=card, end=asked)) == Refusal.DOES_NOT_FIT


@pytest.mark.parametrize(("asked", "went"), [(None, "high"), ("high", "high"), ("low", "low")])
def test_N20_an_ace_on_two_to_king_goes_high_unless_asked_low(asked: End | None, went: End) -> None:
    run = "2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1"
    state = after(opened("AS1", table=run), LayOff(meld=1, card="AS1", end=asked))
    assert table(state) == [f"{run} AS1" if went == "high" else f"AS1 {run}"]


@pytest.mark.parametrize("asked", [None, "low", "high"])
@pytest.mark.parametrize("card", ["9C1", "9C2", "JK1"])
def test_N20_on_a_set_the_end_is_ignored_and_the_card_comes_last(
    card: str, asked: End | None
) -> None:
    state = opened(card, table="9S1 9H1 9D1")
    ((fact, then),) = said(state, LayOff(meld=1, card=card, end=asked))
    assert fact.body == CardLaidOff(meld=1, card=card, end=None)
    assert table(then) == [f"9S1 9H1 9D1 {card}"]


def test_N20_a_set_with_a_joker_takes_either_missing_suit() -> None:
    for card in ("9D1", "9C2"):
        state = opened(card, table="9S1 JK1 9H1")
        assert table(after(state, LayOff(meld=1, card=card))) == [f"9S1 JK1 9H1 {card}"]


def test_N10_a_second_joker_is_too_many() -> None:
    state = opened("JK2 KS1 KH1 JK1", table="9S1 9H1 JK3, 5H1 6H1 JK3")
    for meld in (1, 2):
        assert refusal(state, LayOff(meld=meld, card="JK2")) == Refusal.TOO_MANY_JOKERS
    assert refusal(state, lay("JK1 KS1 JK2")) == Refusal.TOO_MANY_JOKERS


def test_lay_off_is_refused_in_this_order() -> None:
    state = unopened("JK1", table="9S1 9H1 9D1 JK2")
    assert refusal(state, LayOff(meld=7, card="KD1")) == Refusal.CARD_NOT_HELD
    assert refusal(state, LayOff(meld=7, card="JK1")) == Refusal.NOT_OPENED
    state = opened("JK1 8C1", table="9S1 9H1 9D1 JK2, 9C1 TC1 JC1 JK2")
    for meld in (3, 99):
        assert refusal(state, LayOff(meld=meld, card="JK1")) == Refusal.UNKNOWN_MELD
    assert refusal(state, LayOff(meld=1, card="JK1")) == Refusal.TOO_MANY_JOKERS
    assert refusal(state, LayOff(meld=1, card="8C1")) == Refusal.DOES_NOT_FIT
    assert refusal(state, LayOff(meld=2, card="8C1")) is None


# Joker swaps ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meld", "card", "then"),
    [
        ("TH1 JK1 QH1 KH1", "JH2", "TH1 JH2 QH1 KH1"),
        ("JK1 5H1 6H1", "4H1", "4H1 5H1 6H1"),
        ("9S1 JK1 9D1", "9C2", "9S1 9C2 9D1"),
        ("9S1 JK1 9D1", "9H1", "9S1 9H1 9D1"),
        ("9S1 9H1 9D1 JK1", "9C1", "9S1 9H1 9D1 9C1"),
    ],
)
def test_N21_the_card_takes_the_jokers_place_and_the_joker_comes_to_the_hand(
    meld: str, card: str, then: str
) -> None:
    state = opened(card, table=f"{meld}, 2S1 2H1 2D1")
    ((fact, swapped),) = said(state, SwapJoker(meld=1, card=card))
    assert fact.body == JokerSwapped(meld=1, card=card, joker="JK1")
    assert table(swapped)[0] == then
    assert GAME.hand(swapped, 0) == (*cards(SPARE), "JK1")
    assert swapped.now.must_place == ("JK1",)
    assert swapped.melds[0].owner == 3


@pytest.mark.parametrize(
    ("meld", "card"),
    [
        ("TH1 JK1 QH1 KH1", "JD1"),
        ("TH1 JK1 QH1 KH1", "9H1"),
        ("TH1 JK1 QH1 KH1", "TH2"),
        ("TH1 JH1 QH1 KH1", "JH2"),
        ("9S1 9H1 9D1 JK1", "9S2"),
        ("9S1 9H1 JK1", "8C1"),
        ("9S1 9H1 9D1", "9C1"),
        ("JS1 JH1 JK1", "JK2"),
        ("TH1 JK1 QH1 KH1", "JK2"),
    ],
)
def test_N21_wrong_swap_card(meld: str, card: str) -> None:
    state = opened(card, table=meld)
    assert refusal(state, SwapJoker(meld=1, card=card)) == Refusal.WRONG_SWAP_CARD


def test_swap_joker_is_refused_in_this_order() -> None:
    state = unopened("9C1", table="9S1 9H1 JK1")
    assert refusal(state, SwapJoker(meld=7, card="9D1")) == Refusal.CARD_NOT_HELD
    assert refusal(state, SwapJoker(meld=7, card="9C1")) == Refusal.NOT_OPENED
    state = opened("9C1 KD1", table="9S1 9H1 9D1 JK1")
    assert refusal(state, SwapJoker(meld=7, card="KD1")) == Refusal.UNKNOWN_MELD
    assert refusal(state, SwapJoker(meld=1, card="KD1")) == Refusal.WRONG_SWAP_CARD
    assert refusal(state, SwapJoker(meld=1, card="9C1")) == Refusal.NO_USE_FOR_JOKER


def test_N22_a_freed_joker_must_be_placed_before_a_discard() -> None:
    state = after(opened("9C1", table="9S1 9H1 JK1"), SwapJoker(meld=1, card="9C1"))
    for card in ("2C1", "JK1"):
        assert refusal(state, Discard(card=card)) == Refusal.MUST_PLACE_JOKER
    state = after(state, LayOff(meld=1, card="JK1"))
    assert state.now.must_place == ()
    assert table(state) == ["9S1 9H1 9C1 JK1"], "the joker may go back on the meld it left"
    assert refusal(state, Discard(card="2C1")) is None


def test_N22_a_freed_joker_may_go_into_a_new_meld() -> None:
    state = opened("9C1 KS1 QS1", table="9S1 9H1 9D1 JK1")
    state = after(state, SwapJoker(meld=1, card="9C1"), lay("QS1 KS1 JK1"))
    assert state.now.must_place == ()


def test_N22_another_freed_joker_that_has_no_place_refuses_the_swap() -> None:
    state = opened("9C1 8C1 KS1 QS1", table="9S1 9H1 9D1 JK1, 8S1 8H1 8D1 JK2")
    state = after(state, SwapJoker(meld=1, card="9C1"))
    assert refusal(state, SwapJoker(meld=2, card="8C1")) == Refusal.NO_USE_FOR_JOKER
    state = after(state, lay("QS1 KS1 JK1"))
    assert refusal(state, SwapJoker(meld=2, card="8C1")) == Refusal.NO_USE_FOR_JOKER
    state = opened("9C1 8C1 KS1 QS1 4D1", table="9S1 9H1 9D1 JK1, 8S1 8H1 8D1 JK2")
    state = after(state, SwapJoker(meld=1, card="9C1"), SwapJoker(meld=2, card="8C1"))
    assert state.now.must_place == ("JK1", "JK2")


def test_N22_a_swap_that_leaves_the_taken_card_over_is_no_use() -> None:
    state = position("9C1 KS1", table="9S1 9H1 JK1", now=Turn(taken="KS1"))
    assert refusal(state, SwapJoker(meld=1, card="9C1")) == Refusal.NO_USE_FOR_JOKER
    table = "9S1 9H1 9D1 JK1, KH1 KD1 KC1"
    state = position("9C1 KS1", table=table, now=Turn(taken="KS1"))
    assert refusal(state, SwapJoker(meld=1, card="9C1")) == Refusal.NO_USE_FOR_JOKER
    state = position("9C1 KS1", table=f"{table}, 5D1 6D1 7D1", now=Turn(taken="KS1"))
    assert refusal(state, SwapJoker(meld=1, card="9C1")) is None


# No dead ends ---------------------------------------------------------------------------------


def test_N23_the_last_place_of_a_freed_joker_is_not_given_away() -> None:
    state = opened("9C1 8C1", table="9S1 9H1 9D1 JK1, 8S1 8H1 8D1")
    state = after(state, SwapJoker(meld=1, card="9C1"))
    assert refusal(state, LayOff(meld=2, card="8C1")) == Refusal.NO_LEGAL_FINISH
    assert refusal(state, LayOff(meld=2, card="JK1")) is None


def test_N23_nor_is_the_last_pair_for_it() -> None:
    state = opened("9C1 KS1 QS1 KH1 KD1", table="9S1 9H1 9D1 JK1")
    state = after(state, SwapJoker(meld=1, card="9C1"))
    assert refusal(state, lay("KH1 KS1 KD1")) is None, "the set has room for the joker"
    full = opened("9C1 KS1 KH1 KD1 KC1", table="9S1 9H1 9D1 JK1")
    full = after(full, SwapJoker(meld=1, card="9C1"))
    assert refusal(full, lay("KS1 KH1 KD1 KC1")) == Refusal.NO_LEGAL_FINISH
    assert refusal(full, lay("KS1 KH1 JK1")) is None


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"now": Turn(taken="KS1")}, Refusal.NO_LEGAL_FINISH),
        ({"now": Turn(drawn="KS1")}, None),
        ({"now": Turn(taken="KS1"), "table": "5H1 6H1 7H1, KH1 KD1 KC1"}, None),
    ],
    ids=["nothing but the taken card would be left", "drawn from the stock", "it fits somewhere"],
)
def test_N23_the_taken_card_is_not_left_alone(
    given: dict[str, Any], refused: Refusal | None
) -> None:
    state = position("8H1 KS1", **{"table": "5H1 6H1 7H1"} | given)
    assert refusal(state, LayOff(meld=1, card="8H1")) == refused


def test_N23_a_taken_card_left_alone_may_still_go_out_for_a_joker() -> None:
    state = position("8H1 9C2", table="5H1 6H1 7H1, 9S1 9H1 JK1", now=Turn(taken="9C2"))
    state = after(state, LayOff(meld=1, card="8H1"), SwapJoker(meld=2, card="9C2"))
    steps = said(state, LayOff(meld=2, card="JK1"))
    assert steps[-1][1].step == "score"
    assert GAME.judge(steps[-1][1]) is not None
