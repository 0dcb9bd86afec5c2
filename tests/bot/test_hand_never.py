"""What no bot does in whatever position a round gets into, judged anew by the rules themselves."""

from collections.abc import Iterator
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, LayMelds, SwapJoker
from schemas.views import HandView
from services.rules.hand import GAME
from services.rules.hand.search import highest
from services.rules.hand.state import low_ace
from tests.bot.hand_gifts import gifts_in, throwable
from tests.bot.hand_rounds import Asked, decided, questions

rounds = st.integers(0, 2**32)
thorough = settings(max_examples=25, deadline=None)
SEEDS: Final = range(20, 40)
"""Rounds in which such choices are known to come up."""


@thorough
@given(seed=rounds)
def test_nobody_is_let_out_by_a_card_that_need_not_be_thrown(seed: int) -> None:
    for asked in discards(seed):
        gifts = gifts_in(asked)
        if gifts != throwable(asked.view):
            assert thrown(asked) not in gifts, asked.turn


@thorough
@given(seed=rounds)
def test_an_opening_is_laid_at_once_and_never_broken(seed: int) -> None:
    for asked in questions(seed):
        if not holds_opening(asked.view, asked.view.hand):
            continue
        assert asked.view.phase != "act" or isinstance(decided(asked.turn), LayMelds)
        if asked.view.phase == "discard_first" and any(keeps(asked, c) for c in asked.view.hand):
            assert keeps(asked, thrown(asked)), asked.turn


@thorough
@given(seed=rounds)
def test_white_takes_no_fire_card_before_its_opening(seed: int) -> None:
    for asked in questions(seed):
        if asked.turn.level == "white" and not asked.view.opened[asked.turn.seat]:
            assert decided(asked.turn) != Draw(source="fire")


@thorough
@given(seed=rounds)
def test_white_swaps_only_where_the_turn_could_not_end_otherwise(seed: int) -> None:
    for asked in questions(seed):
        if asked.turn.level == "white" and throws(asked):
            assert not isinstance(decided(asked.turn), SwapJoker)


@thorough
@given(seed=rounds)
def test_no_joker_is_thrown_by_one_who_holds_another_card(seed: int) -> None:
    """Unless each other would break an opening or let the next seat out."""
    for asked in discards(seed):
        if thrown(asked).startswith("JK"):
            kept = {card for card in throwable(asked.view) if keeps(asked, card)}
            others = (kept or throwable(asked.view)) - gifts_in(asked)
            assert all(card.startswith("JK") for card in others), asked.turn


def test_the_rounds_of_these_tests_lead_to_such_choices() -> None:
    asked = [one for seed in SEEDS for one in questions(seed)]
    assert sum(is_discard(one) and bool(gifts_in(one)) for one in asked) >= 5
    held = [one for one in asked if holds_opening(one.view, one.view.hand)]
    assert {one.view.phase for one in held} == {"discard_first", "draw", "act"}


# What is asked --------------------------------------------------------------------------------


def discards(seed: int) -> Iterator[Asked]:
    return filter(is_discard, questions(seed))


def is_discard(asked: Asked) -> bool:
    return isinstance(decided(asked.turn), Discard)


def thrown(asked: Asked) -> HandCard:
    action = decided(asked.turn)
    assert isinstance(action, Discard)
    return action.card


def throws(asked: Asked) -> bool:
    seat = asked.turn.seat
    return any(
        GAME.refuse(asked.state, seat, Discard(card=card)) is None for card in asked.view.hand
    )


# Openings -------------------------------------------------------------------------------------


def holds_opening(view: HandView, hand: tuple[HandCard, ...]) -> bool:
    assert view.seat is not None
    worth = highest(hand, low_ace=low_ace(view.options))
    return not view.opened[view.seat] and worth >= view.bar


def keeps(asked: Asked, gone: HandCard) -> bool:
    return holds_opening(asked.view, tuple(card for card in asked.view.hand if card != gone))
