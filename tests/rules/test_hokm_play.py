"""H12 to H15 and the refusals: given a position, when a seat acts, then facts or a refusal."""

from collections.abc import Callable

import msgspec
import pytest

from schemas.commands import (
    ChooseTrump,
    Discard,
    Draw,
    GameAction,
    LayMelds,
    LayOff,
    PlayCard,
    SwapJoker,
)
from schemas.events import CardPlayed, HokmRound, RoundEnded, TrickTaken
from schemas.refusals import Refusal
from schemas.views import Play
from services.rules.decider import Fact
from services.rules.hokm import GAME
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
Position = Callable[..., HokmState]
PlayOut = Callable[[HokmState, str], Steps]

THREE_EACH = ("KD 4S AC", "9D 2S 5C", "8D 3S 6C", "7D 4H 7C")
LAST_CARDS = ("AS", "2S", "3S", "4S")
HAND_ACTIONS: tuple[GameAction, ...] = (
    Draw(source="stock"),
    LayMelds(melds=(("2S1", "3S1", "4S1"),)),
    LayOff(meld=1, card="2S1"),
    SwapJoker(meld=1, card="2S1"),
    Discard(card="2S1"),
)


def refusals(state: HokmState, seat: int, cards: str) -> list[Refusal | None]:
    return [GAME.refuse(state, seat, PlayCard(card=card)) for card in cards.split()]


def test_H12_the_hakem_leads_the_first_trick_with_any_card_trump_included(
    position: Position,
) -> None:
    state = position(THREE_EACH, "S", hakem=0)
    assert GAME.turn(state) == 0
    assert refusals(state, 0, "KD 4S AC") == [None, None, None]


def test_H12_the_winner_of_a_trick_leads_the_next(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(THREE_EACH, "S"), "AC 5C 6C 7C")[-1][1]
    assert GAME.turn(state) == 0
    state = play_out(position(("2D 4S", "9D 2S", "8D 3S", "7D 4H"), "H"), "2D 9D 8D 7D")[-1][1]
    assert GAME.turn(state) == 1


def test_H2_turns_go_up_by_one_seat_and_wrap(position: Position, play_out: PlayOut) -> None:
    steps = play_out(position(THREE_EACH, "S", leader=2), "8D 7D KD 9D")
    assert [fact.seat for fact, _ in steps if isinstance(fact.body, CardPlayed)] == [2, 3, 0, 1]


def test_H13_must_follow_even_when_it_would_rather_ruff(
    position: Position, play_out: PlayOut
) -> None:
    state = play_out(position(THREE_EACH, "S"), "KD")[-1][1]
    assert refusals(state, 1, "9D 2S 5C") == [
        None,
        Refusal.MUST_FOLLOW_SUIT,
        Refusal.MUST_FOLLOW_SUIT,
    ]


def test_H13_a_void_seat_may_ruff_or_throw_away(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(("KD 2D", "2S AC", "3S 3D", "4S 4D"), "S"), "KD")[-1][1]
    assert refusals(state, 1, "2S AC") == [None, None]


def test_H13_nobody_has_to_overruff(position: Position, play_out: PlayOut) -> None:
    hands = ("KD 2D", "9S 2C", "AS 3S", "4S 4D")
    state = play_out(position(hands, "S"), "KD 9S")[-1][1]
    assert refusals(state, 2, "AS 3S") == [None, None]


def test_H13_trump_led_must_be_followed_with_trump(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(THREE_EACH, "S"), "4S")[-1][1]
    assert refusals(state, 1, "9D 2S 5C") == [
        Refusal.MUST_FOLLOW_SUIT,
        None,
        Refusal.MUST_FOLLOW_SUIT,
    ]


def test_H13_it_is_the_led_suit_that_counts_not_the_last_card_played(
    position: Position, play_out: PlayOut
) -> None:
    hands = ("KD 2D", "2S AC", "3S 3D", "4S 4D")
    state = play_out(position(hands, "S"), "KD 2S")[-1][1]
    assert refusals(state, 2, "3S 3D") == [Refusal.MUST_FOLLOW_SUIT, None]


@pytest.mark.parametrize(
    ("hands", "cards", "leader"),
    [
        (("KD 2C", "9D 3C", "2S 4C", "AD 5C"), "KD 9D 2S AD", 2),
        (("KD 2C", "9D 3C", "2S 4C", "5S 5C"), "KD 9D 2S 5S", 3),
    ],
)
def test_H14_the_two_tricks_of_the_guide(
    hands: tuple[str, ...], cards: str, leader: int, position: Position, play_out: PlayOut
) -> None:
    state = play_out(position(hands, "S"), cards)[-1][1]
    assert GAME.turn(state) == leader
    assert state.tricks == ((1, 0) if leader == 2 else (0, 1))


def test_H14_with_hearts_trump_the_two_of_hearts_beats_the_ace_of_spades(
    position: Position, play_out: PlayOut
) -> None:
    hands = ("AS 2C", "2H 3C", "3S 4C", "4S 5C")
    assert GAME.turn(play_out(position(hands, "H"), "AS 2H 3S 4S")[-1][1]) == 1


def test_H14_the_fourth_card_ends_the_trick_at_once(position: Position, play_out: PlayOut) -> None:
    steps = play_out(position(THREE_EACH, "S"), "KD 9D 8D 7D")
    played, taken = steps[-2:]
    assert taken[0] == Fact(body=TrickTaken(by=0, tricks=(1, 0)), origin="rule")
    for state in (played[1], taken[1]):
        assert state.trick == ()
        assert state.tricks == (1, 0)
        assert state.turn == 0
        assert state.earlier == ((Play(0, "KD"), Play(1, "9D"), Play(2, "8D"), Play(3, "7D")),)


@pytest.mark.parametrize("tricks", [(6, 0), (6, 6), (6, 3)])
def test_H15_the_round_ends_at_the_seventh_trick_and_the_rest_is_not_played(
    tricks: tuple[int, int], position: Position, play_out: PlayOut
) -> None:
    state = position(THREE_EACH, "S", hakem=0, tricks=tricks)
    steps = play_out(state, "KD 9D 8D 7D")
    fact, after = steps[-1]
    result = HokmRound(hakem=0, tricks=(7, tricks[1]))
    assert fact == Fact(body=RoundEnded(round=1, result=result), origin="rule")
    assert [len(cards) for cards in after.hands] == [2, 2, 2, 2]
    assert GAME.turn(after) is None


def test_H15_six_tricks_do_not_end_it(position: Position, play_out: PlayOut) -> None:
    steps = play_out(position(THREE_EACH, "S", tricks=(5, 6)), "KD 9D 8D 7D")
    assert not any(isinstance(fact.body, RoundEnded) for fact, _ in steps)
    assert GAME.turn(steps[-1][1]) == 0


# Refusals, in their order ---------------------------------------------------------------------


def test_a_hand_action_is_malformed_before_all_else(position: Position, abandoned: Fact) -> None:
    state = position(THREE_EACH, "S")
    over = GAME.evolve(state, abandoned)
    for action in HAND_ACTIONS:
        assert GAME.refuse(state, 0, action) == Refusal.MALFORMED
        assert GAME.refuse(over, 3, action) == Refusal.MALFORMED


def test_match_over_before_wrong_phase(position: Position, abandoned: Fact) -> None:
    state = GAME.evolve(position(THREE_EACH, "S"), abandoned)
    for seat in range(4):
        assert GAME.refuse(state, seat, ChooseTrump(suit="S")) == Refusal.MATCH_OVER
        assert GAME.refuse(state, seat, PlayCard(card="KD")) == Refusal.MATCH_OVER


def test_wrong_phase_before_not_your_turn(position: Position) -> None:
    state = position(THREE_EACH, "S")
    assert GAME.refuse(state, 3, ChooseTrump(suit="S")) == Refusal.WRONG_PHASE


def test_not_your_turn_before_card_not_held(position: Position) -> None:
    state = position(THREE_EACH, "S")
    assert GAME.refuse(state, 1, PlayCard(card="KD")) == Refusal.NOT_YOUR_TURN


def test_card_not_held_before_must_follow_suit(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(THREE_EACH, "S"), "KD")[-1][1]
    assert GAME.refuse(state, 1, PlayCard(card="AC")) == Refusal.CARD_NOT_HELD


def test_a_card_that_was_played_is_not_held_any_more(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(THREE_EACH, "S"), "KD 9D 8D 7D")[-1][1]
    assert GAME.refuse(state, 0, PlayCard(card="KD")) == Refusal.CARD_NOT_HELD


def test_acting_on_what_is_refused_is_a_fault_of_the_caller(position: Position) -> None:
    with pytest.raises(AssertionError):
        GAME.act(position(THREE_EACH, "S"), 1, PlayCard(card="9D"))


def test_a_card_of_the_stream_that_its_seat_does_not_hold_is_a_fault(position: Position) -> None:
    fact = Fact(body=CardPlayed(card="2C"), origin="player", seat=0)
    with pytest.raises(AssertionError):
        GAME.evolve(position(THREE_EACH, "S"), fact)


def test_H25_between_round_and_score_nobody_is_on_turn(
    position: Position, play_out: PlayOut
) -> None:
    state = play_out(position(LAST_CARDS, "S", tricks=(6, 6)), "AS 2S 3S 4S")[-1][1]
    for seat in range(4):
        assert GAME.refuse(state, seat, PlayCard(card="AS")) == Refusal.WRONG_PHASE
        assert GAME.refuse(state, seat, ChooseTrump(suit="S")) == Refusal.WRONG_PHASE
    assert GAME.turn(state) is None
    for seen in (GAME.judge(state), GAME.view(state, 1), GAME.view(state, None)):
        assert msgspec.to_builtins(seen)["phase"] == "scoring"
