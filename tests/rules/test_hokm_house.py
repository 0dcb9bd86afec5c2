"""H24: the clocks, and what the house plays for a seat whose time is up."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import Suit
from schemas.commands import ChooseTrump, GameAction, PlayCard
from schemas.views import HokmView
from services.rules.decider import Fact
from services.rules.hokm import GAME
from services.rules.hokm.house import longest_suit
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
Position = Callable[..., HokmState]
PlayOut = Callable[[HokmState, str], Steps]
RandomMatch = Callable[..., Steps]


def house_card(state: HokmState) -> str:
    seat = GAME.turn(state)
    move = GAME.house_move(GAME.view(state, seat))
    assert isinstance(move, PlayCard)
    return move.card


def test_H24_forty_five_seconds_for_trump_and_twenty_five_for_a_card(
    random_match: RandomMatch,
) -> None:
    steps = random_match(1)
    clocks = {
        type(fact.body).__name__: GAME.clock(before)
        for (_, before), (fact, _) in pairwise(steps)
        if fact.origin == "player"
    }
    assert clocks == {"TrumpChosen": 45.0, "CardPlayed": 25.0}


@pytest.mark.parametrize(
    ("five", "suit"),
    [
        ("AS KS 9S 5D 3C", "S"),
        ("AD KC 8H 6H 3H", "H"),
        ("2D 3D 4D AS KS", "D"),
        ("KH 2H AC 3C 4D", "C"),
        ("AH 2H AC 3C 4D", "C"),
        ("AH 9H AC 3C 4D", "H"),
        ("9H 3H 9C 3C AD", "H"),
        ("9D 3D 9C 3C AS", "D"),
        ("9C 3C 9S 3S AD", "S"),
        ("TC 3C 9S 8S AD", "C"),
        ("2C 3C 4C 5C 6C", "C"),
    ],
)
def test_H24_trump_is_the_longest_suit_then_the_highest_cards_then_S_H_D_C(
    five: str, suit: Suit
) -> None:
    assert longest_suit(five.split()) == suit
    assert longest_suit(five.split()[::-1]) == suit


def test_H24_the_house_names_trump_from_the_hakems_five(
    fives_dealt: Callable[..., HokmState],
) -> None:
    hands = (
        "2D 3D 4D AS KS 2S 3S 4S 5S 6S 7S 8S 9S",
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
        "5D 6D 7D 8D 9D TD JD QD KD AD TS JS QS",
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    )
    state = fives_dealt(hands)
    assert GAME.house_move(GAME.view(state, 0)) == ChooseTrump(suit="D")


@pytest.mark.parametrize(
    ("hands", "cards", "expected"),
    [
        (("KS AD 2H", "2D", "3D", "4D"), "", "AD"),
        (("KS 3S", "2D", "3D", "4D"), "", "KS"),
        (("KD 2C", "AD 9D 2D", "3C", "4C"), "KD", "AD"),
        (("KD 2C", "QD 9D 2D", "3C", "4C"), "KD", "2D"),
        (("KD 2C", "9S 3S 2C", "3C", "4C"), "KD", "3S"),
        (("KD 2C", "9D 2C", "AD 3D", "4C"), "KD 9D", "3D"),
        (("9D 2C", "KD 2C", "2S 3C", "4C"), "9D KD", "2S"),
        (("KD 2C", "9D 2C", "2S TC 3H", "4C"), "KD 9D", "3H"),
        (("KD 2C", "5S 2C", "3C", "4S 9S JH"), "KD 5S 3C", "JH"),
        (("KD 2C", "5D 2C", "6S 3C", "4S 9S JH"), "KD 5D 6S", "9S"),
    ],
)
def test_H24_the_house_takes_cheaply_or_throws_low(
    hands: tuple[str, ...], cards: str, expected: str, position: Position, play_out: PlayOut
) -> None:
    state = position(hands, "S")
    assert house_card(play_out(state, cards)[-1][1] if cards else state) == expected


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_H24_the_house_move_is_legal_and_the_same_for_the_same_view(
    random_match: RandomMatch, seed: int
) -> None:
    steps = random_match(seed)
    for (_, state), (fact, _) in pairwise(steps):
        if fact.origin == "player":
            seat = GAME.turn(state)
            assert seat is not None
            view = GAME.view(state, seat)
            move = GAME.house_move(view)
            assert GAME.refuse(state, seat, move) is None
            sent = msgspec.json.decode(msgspec.json.encode(view), type=HokmView)
            assert GAME.house_move(sent) == move


def test_H24_a_match_that_only_the_house_plays_comes_to_its_end(
    fives_dealt: Callable[..., HokmState],
    say: Callable[[HokmState, int, GameAction], Steps],
    follow: Callable[[HokmState, Fact], Steps],
    scored: Callable[[HokmState], Fact],
) -> None:
    state = fives_dealt(
        (
            "2S 6S TS AS 5H 9H KH 4D 8D QD 3C 7C JC",
            "3S 7S JS 2H 6H TH AH 5D 9D KD 4C 8C QC",
            "4S 8S QS 3H 7H JH 2D 6D TD AD 5C 9C KC",
            "5S 9S KS 4H 8H QH 3D 7D JD 2C 6C TC AC",
        )
    )
    moves = 0
    while GAME.winner(state) is None:
        seat = GAME.turn(state)
        if seat is None:
            state = follow(state, scored(state))[-1][1]
            continue
        state = say(state, seat, GAME.house_move(GAME.view(state, seat)))[-1][1]
        moves += 1
        assert moves <= 3 * 53, "target 2 is reached in three rounds"
    assert max(state.score) >= 2


def test_H24_the_house_speaks_only_for_the_seat_on_turn(position: Position) -> None:
    state = position(("KD", "2D", "3D", "4D"), "S")
    with pytest.raises(AssertionError):
        GAME.house_move(GAME.view(state, 1))
    with pytest.raises(AssertionError):
        GAME.house_move(GAME.view(state, None))
