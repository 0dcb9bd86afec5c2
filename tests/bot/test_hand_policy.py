"""Hand's policy as a whole: legal, ending its turns, a function of nothing but the turn's bytes."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.commands import Discard
from schemas.ids import Seat
from schemas.views import BotTurn, Toss, decode_turn, encode_turn
from services.bot.policy import choose
from services.rules.hand import GAME
from tests.bot.hand_positions import LONGEST_TURN
from tests.bot.hand_rounds import LEVELS, Asked, accepted, ask, decided, questions, unseen_mixed
from tests.rules.hand_play import VARIANTS, after

rounds = st.integers(0, 2**32)
thorough = settings(max_examples=30, deadline=None)
again = settings(max_examples=12, deadline=None)
"""Where each turn of a round is asked two times or three."""
SOME = 8
"""Of a round's turns one in so many is looked at where looking is dear."""


@thorough
@given(seed=rounds)
def test_no_action_is_ever_refused(seed: int) -> None:
    for asked in questions(seed):
        accepted(asked, decided)


@thorough
@given(seed=rounds)
def test_every_turn_comes_to_its_end_from_wherever_the_bot_is_asked(seed: int) -> None:
    for asked in list(questions(seed))[::SOME]:
        state, seat = asked.state, asked.turn.seat
        for _ in range(LONGEST_TURN):
            action = accepted(ask(state, seat, asked.turn.level, asked.turn.move))
            state = after(state, action)
            if state.turn != seat or isinstance(action, Discard):
                break
        else:
            raise AssertionError(f"the turn has no end: {asked.turn}")


@again
@given(seed=rounds)
def test_the_bytes_of_a_turn_are_all_that_the_choice_depends_on(seed: int) -> None:
    for asked in questions(seed):
        assert choose(decode_turn(encode_turn(asked.turn))) == decided(asked.turn)


@thorough
@given(seed=rounds)
def test_what_the_seat_cannot_see_changes_nothing(seed: int) -> None:
    luck = Random(seed)
    for asked in list(questions(seed))[::SOME]:
        other = unseen_mixed(asked.state, asked.turn.seat, luck)
        turn = replace(asked.turn, view=GAME.view(other, asked.turn.seat))
        assert encode_turn(turn) == encode_turn(asked.turn)
        assert choose(turn) == decided(asked.turn)


@again
@given(seed=rounds)
def test_the_order_in_which_the_cards_came_changes_nothing(seed: int) -> None:
    luck = Random(seed)
    for asked in questions(seed):
        hand = tuple(luck.sample(asked.view.hand, len(asked.view.hand)))
        mixed = replace(asked.turn, view=replace(asked.view, hand=hand))
        assert choose(mixed) == decided(asked.turn)


@again
@given(seed=rounds)
def test_totals_round_and_dealer_change_nothing_but_whites_whims(seed: int) -> None:
    """A whim follows the whole view."""
    for asked in questions(seed):
        totals = tuple(total + 77 for total in asked.view.totals)
        view = replace(asked.view, round=9, dealer=0, totals=totals, contenders=(0,))
        mine, other = decided(asked.turn), choose(replace(asked.turn, view=view))
        whim = asked.turn.level == "white" and isinstance(mine, Discard)
        assert isinstance(other, Discard) if whim else other == mine


@again
@given(seed=rounds, step=st.integers(1, 3))
def test_the_same_position_seen_from_another_chair_gets_the_same_answer(
    seed: int, step: int
) -> None:
    """Where nothing is left to a whim, which follows the seat."""
    for asked in questions(seed):
        if asked.turn.level != "white":
            assert choose(moved_round(asked, step)) == decided(asked.turn)


@again
@given(seed=rounds, move=st.integers(0, 10**6))
def test_match_and_move_change_nothing(seed: int, move: int) -> None:
    for asked in questions(seed):
        other = replace(asked.turn, match="m_" + "f" * 32, move=move)
        assert choose(other) == decided(asked.turn)


def test_rounds_of_these_tests_reach_every_variant_and_every_level() -> None:
    asked = [next(questions(seed)) for seed in range(40)]
    assert {one.view.options for one in asked} == set(VARIANTS)
    assert {one.turn.level for one in asked} == set(LEVELS)


def moved_round(asked: Asked, step: int) -> BotTurn:
    """The same turn with everybody `step` chairs further."""
    view, seats = asked.view, asked.view.options.seats

    def chair(seat: Seat) -> Seat:
        return (seat + step) % seats

    def taker(toss: Toss) -> Seat | None:
        return None if toss.taken_by is None else chair(toss.taken_by)

    seat = chair(asked.turn.seat)
    moved = replace(
        view,
        seat=seat,
        turn=seat,
        dealer=chair(view.dealer),
        opened=tuple(view.opened[(at - step) % seats] for at in range(seats)),
        left=tuple(view.left[(at - step) % seats] for at in range(seats)),
        melds=tuple(replace(meld, owner=chair(meld.owner)) for meld in view.melds),
        tosses=tuple(Toss(chair(toss.seat), toss.card, taker(toss)) for toss in view.tosses),
    )
    return replace(asked.turn, seat=seat, view=moved)
