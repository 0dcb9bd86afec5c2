"""What no bot does in whatever position a round gets into, judged anew by the rules themselves."""

from collections.abc import Iterator
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from schemas.ids import Seat
from schemas.views import HandView
from services.bot.policy import choose
from services.rules.hand import GAME
from services.rules.hand.search import highest
from services.rules.hand.state import HandState, low_ace, next_seat
from tests.bot.hand_rounds import Asked, questions
from tests.rules.hand_play import after, table_actions

rounds = st.integers(0, 2**32)
thorough = settings(max_examples=25, deadline=None)
SEEDS: Final = range(40)
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
        assert asked.view.phase != "act" or isinstance(choose(asked.turn), LayMelds)
        if asked.view.phase == "discard_first" and any(keeps(asked, c) for c in asked.view.hand):
            assert keeps(asked, thrown(asked)), asked.turn


@thorough
@given(seed=rounds)
def test_white_takes_no_fire_card_before_its_opening(seed: int) -> None:
    for asked in questions(seed):
        if asked.turn.level == "white" and not asked.view.opened[asked.turn.seat]:
            assert choose(asked.turn) != Draw(source="fire")


@thorough
@given(seed=rounds)
def test_white_swaps_only_where_the_turn_could_not_end_otherwise(seed: int) -> None:
    for asked in questions(seed):
        if asked.turn.level == "white" and throws(asked):
            assert not isinstance(choose(asked.turn), SwapJoker)


@thorough
@given(seed=rounds)
def test_no_joker_is_thrown_by_one_who_holds_another_card(seed: int) -> None:
    """Unless each other would break an opening or let the next seat out."""
    for asked in discards(seed):
        jokers = {card for card in throwable(asked.view) if card.startswith("JK")}
        kept = {card for card in throwable(asked.view) if keeps(asked, card)}
        if (kept or throwable(asked.view)) - jokers - gifts_in(asked):
            assert thrown(asked) not in jokers


def test_the_rounds_of_these_tests_lead_to_such_choices() -> None:
    asked = [one for seed in SEEDS for one in discards(seed)]
    assert sum(bool(gifts_in(one)) for one in asked) >= 5
    first = [one for seed in range(40) for one in questions(seed)]
    held = [one for one in first if holds_opening(one.view, one.view.hand)]
    assert {one.view.phase for one in held} == {"discard_first", "draw", "act"}


# What is asked --------------------------------------------------------------------------------


def discards(seed: int) -> Iterator[Asked]:
    return (asked for asked in questions(seed) if isinstance(choose(asked.turn), Discard))


def thrown(asked: Asked) -> HandCard:
    action = choose(asked.turn)
    assert isinstance(action, Discard)
    return action.card


def throwable(view: HandView) -> set[HandCard]:
    return {card for card in view.hand if card != view.taken}


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


# Gifts ----------------------------------------------------------------------------------------


def gifts_in(asked: Asked) -> set[HandCard]:
    """The cards that may be thrown and with which the next seat ends the round for certain: by
    what everybody knows that it holds, and with one card at most that nobody knows.
    """
    state, seat = asked.state, next_seat(asked.state.options, asked.turn.seat)
    known = shown(state, seat)
    if not state.opened[seat] or len(state.hands[seat]) - len(known) > 1:
        return set()
    cards = throwable(asked.view)
    return {card for card in cards if is_gift(after(state, Discard(card=card)), seat, known, card)}


def shown(state: HandState, seat: Seat) -> frozenset[HandCard]:
    last = {toss.card: toss.taken_by for toss in state.tosses}
    return frozenset(card for card in state.hands[seat] if last.get(card) == seat)


def is_gift(state: HandState, seat: Seat, known: frozenset[HandCard], card: HandCard) -> bool:
    if state.turn != seat:
        return False
    hidden = set(state.hands[seat]) - known
    usable = known | {card} | ({"JK1", "JK2"} - hidden)
    return can_end(after(state, Draw(source="fire")), seat, usable)


def can_end(state: HandState, seat: Seat, known: frozenset[HandCard]) -> bool:
    """True if `seat` can end the round by moves of cards that are known, and a last discard."""
    if state.turn is None:
        return True
    hand = state.hands[seat]
    if len(hand) == 1 and GAME.refuse(state, seat, Discard(card=hand[0])) is None:
        return True
    moves = [
        action for action in table_actions(state, seat, Random(0)) if cards_of(action) <= known
    ]
    legal = [action for action in moves if GAME.refuse(state, seat, action) is None]
    return any(can_end(after(state, action), seat, known) for action in legal)


def cards_of(action: GameAction) -> set[HandCard]:
    if isinstance(action, LayMelds):
        return {card for meld in action.melds for card in meld}
    assert isinstance(action, LayOff | SwapJoker)
    return {action.card}
