"""Hand's hint: the whole best action of the turn, its first step the one that is played (H21)."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.advice import Reason
from schemas.commands import Discard, Draw, GameAction, LayOff, Suggestion, SwapJoker
from schemas.views import BotTurn
from services.bot.hand.ahead import after as seen_after
from services.bot.policy import choose, suggest
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from tests.bot.hand_crowded import crowded, rich
from tests.bot.hand_positions import asked, drawing, facing
from tests.bot.hand_rounds import Asked, questions, unseen_mixed
from tests.rules.hand_play import after, lay, position, random_action

rounds = st.integers(0, 2**32)
thorough = settings(max_examples=20, deadline=None)
SOME = 5
"""Of a round's turns one in so many is looked at."""
LOOSE = "2S1 4D1 6C1 8S1 TC1"


def advice(state: HandState) -> Suggestion:
    return suggest(advised(asked(state, "chrome")))


def advised(turn: BotTurn) -> BotTurn:
    return replace(turn, task="advise")


def hints(seed: int) -> Iterator[Asked]:
    """Turns of one round that a seed chooses, asked for advice."""
    for one in list(questions(seed))[::SOME]:
        yield replace(one, turn=advised(one.turn))


# What is always so ----------------------------------------------------------------------------


@thorough
@given(seed=rounds)
def test_a_hint_begins_with_what_is_played(seed: int) -> None:
    for one in hints(seed):
        hint, play = suggest(one.turn), suggest(replace(one.turn, task="play"))
        assert play.actions == hint.actions[:1]
        assert play.reason == hint.reason


@thorough
@given(seed=rounds)
def test_a_hint_is_legal_to_its_end_and_each_step_is_what_is_played_then(seed: int) -> None:
    for one in hints(seed):
        state, seat = one.state, one.turn.seat
        for action in suggest(one.turn).actions:
            assert choose(replace(one.turn, view=GAME.view(state, seat))) == action
            state = after(state, action)


@thorough
@given(seed=rounds)
def test_on_crowded_tables_and_with_rich_hands_too_a_hint_is_legal_to_its_end(seed: int) -> None:
    for place in (crowded, rich):
        state = place(Random(seed))
        hint = suggest(advised(asked(state, "chrome")))
        assert hint.actions[0] == choose(asked(state, "chrome"))
        assert after(state, *hint.actions).turn != 0


@thorough
@given(seed=rounds)
def test_a_hint_ends_with_the_turn_or_with_a_card_that_nobody_knows(seed: int) -> None:
    for one in hints(seed):
        *before, last = suggest(one.turn).actions
        assert Draw(source="stock") not in before
        assert last == Draw(source="stock") or turn_is_over(one, (*before, last))


def turn_is_over(one: Asked, actions: tuple[GameAction, ...]) -> bool:
    state = after(one.state, *actions)
    return isinstance(actions[-1], Discard) or not state.hands[one.turn.seat]


@thorough
@given(seed=rounds)
def test_what_the_seat_cannot_see_changes_no_byte_of_a_hint(seed: int) -> None:
    luck = Random(seed)
    for one in hints(seed):
        other = unseen_mixed(one.state, one.turn.seat, luck)
        turn = replace(one.turn, view=GAME.view(other, one.turn.seat))
        assert msgspec.json.encode(suggest(turn)) == msgspec.json.encode(suggest(one.turn))


@thorough
@given(seed=rounds)
def test_the_order_of_the_hand_changes_no_byte_of_a_hint(seed: int) -> None:
    luck = Random(seed)
    for one in hints(seed):
        mixed = replace(one.view, hand=tuple(luck.sample(one.view.hand, len(one.view.hand))))
        turn = replace(one.turn, view=mixed)
        assert msgspec.json.encode(suggest(turn)) == msgspec.json.encode(suggest(one.turn))


@thorough
@given(seed=rounds)
def test_a_reason_names_cards_of_the_hand_the_table_or_the_fire(seed: int) -> None:
    for one in hints(seed):
        reason = suggest(one.turn).reason
        known = {*one.view.hand, *one.view.fire[-1:]}
        known |= {card for meld in one.view.melds for card in meld.cards}
        assert set(reason.cards) <= known
        assert bool(reason.cards) == (reason.why != "draw_stock")


@thorough
@given(seed=rounds)
def test_the_view_that_is_thought_ahead_is_the_one_that_comes(seed: int) -> None:
    """Whatever legal step is taken, not only those that a bot would take."""
    luck = Random(seed)
    for one in questions(seed):
        action = random_action(one.state, one.turn.seat, luck=luck)
        ahead = seen_after(one.view, action)
        if ahead is not None:
            assert ahead == GAME.view(after(one.state, action), one.turn.seat)


# Single turns ---------------------------------------------------------------------------------


def test_from_the_fire_the_hint_has_the_melds_and_the_discard_that_follow() -> None:
    state = drawing(f"TH1 JH1 QH1 KS1 KC1 {LOOSE}", opened=False, fire="3C1 KD1")
    hint = advice(state)
    took, laid, thrown = hint.actions
    assert (took, laid) == (Draw(source="fire"), lay("KC1 KD1 KS1, TH1 JH1 QH1"))
    assert isinstance(thrown, Discard)
    assert hint.reason == Reason(why="take_fire", cards=("KD1",))


def test_from_the_stock_it_has_the_draw_only() -> None:
    hint = advice(drawing(f"KS1 KC1 {LOOSE}", opened=False, fire="9D1"))
    assert hint.actions == (Draw(source="stock"),)
    assert hint.reason == Reason(why="draw_stock", cards=())


def test_an_opening_is_named_with_its_cards() -> None:
    hint = advice(position(f"TH1 JH1 QH1 KS1 KC1 KD1 {LOOSE}", opened=False))
    assert hint.reason == Reason(why="open_hand", cards=("KC1", "KD1", "KS1", "TH1", "JH1", "QH1"))
    assert isinstance(hint.actions[-1], Discard)


def test_melds_lay_off_and_discard_are_one_hint() -> None:
    hint = advice(position(f"9S1 9C1 9D1 8H1 {LOOSE}", table="5H1 6H1 7H1"))
    laid, laid_off, thrown = hint.actions
    assert laid == lay("9C1 9D1 9S1")
    assert laid_off == LayOff(meld=1, card="8H1", end="high")
    assert isinstance(thrown, Discard)
    assert hint.reason == Reason(why="lay_melds", cards=("9C1", "9D1", "9S1"))


def test_a_lay_off_is_named_with_its_card() -> None:
    hint = advice(position(f"8H1 {LOOSE}", table="5H1 6H1 7H1"))
    assert hint.reason == Reason(why="lay_off", cards=("8H1",))


def test_a_swap_is_named_with_the_card_and_the_joker_it_frees() -> None:
    hint = advice(position(f"7H1 KS1 KC1 {LOOSE}", table="5H1 6H1 JK1"))
    assert isinstance(hint.actions[0], SwapJoker)
    assert hint.reason == Reason(why="free_joker", cards=("7H1", "JK1"))


@pytest.mark.parametrize("hand", ["8H1 2S1", "8H1 9H1 2S1"])
def test_what_ends_the_round_says_so_and_names_what_goes_down(hand: str) -> None:
    hint = advice(position(hand, table="5H1 6H1 7H1"))
    assert hint.reason.why == "go_out"
    assert set(hint.reason.cards) == set(hand.split()[:-1])


def test_the_last_card_is_thrown_to_go_out() -> None:
    hint = advice(position("2S1"))
    assert hint.actions == (Discard(card="2S1"),)
    assert hint.reason == Reason(why="go_out", cards=("2S1",))


def test_a_useless_card_is_named() -> None:
    hint = advice(position("KS1 KC1 8H1 9H1 3D1", opened=False, fire=""))
    assert hint.actions == (Discard(card="3D1"),)
    assert hint.reason == Reason(why="throw_useless", cards=("3D1",))


def test_a_card_that_is_thrown_because_another_would_let_the_next_seat_out_says_so() -> None:
    state = position("8H1 2S1 2D1 3S1 3D1", table="5H1 6H1 7H1", opened=False, fire="")
    hint = advice(facing(state, "2C2"))
    assert hint.reason.why == "keep_from_next"
    assert hint.actions == (Discard(card=str(hint.reason.cards[0])),)


def test_a_duty_that_somebody_else_left_is_met_first() -> None:
    state = position(
        "JK1 8H1 2C2",
        table="5H1 6H1 7H1",
        now=Turn(taken="2C2", must_place=("JK1",), placed=True),
    )
    first, *_ = advice(state).actions
    assert isinstance(first, LayOff)
    assert first.card == "JK1"


def test_a_duty_that_is_met_in_the_houses_way_says_so() -> None:
    """White plans no swap, and the taken card fits nowhere but in the joker's place."""
    state = position("7H1", table="5H1 6H1 JK1", now=Turn(taken="7H1"))
    hint = suggest(advised(asked(state, "white")))
    assert hint.actions[0] == SwapJoker(meld=1, card="7H1")
    assert hint.reason == Reason(why="finish_duty", cards=("7H1", "JK1"))


def test_a_hint_is_what_its_schema_allows() -> None:
    for seed in range(10):
        for one in hints(seed):
            msgspec.convert(msgspec.to_builtins(suggest(one.turn)), Suggestion)
