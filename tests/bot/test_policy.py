"""The policy as a whole: legal, and a function of nothing but the view."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.commands import Draw, HandOptions
from schemas.ids import Level, Seat
from schemas.views import BotTurn, HandView, Play, decode_turn, encode_turn
from services.bot.hokm.habits import CHROME
from services.bot.policy import choose, suggest
from services.rules.hokm.state import side_of
from tests.bot.positions import position, turn
from tests.bot.rounds import (
    new_round,
    play_round,
    player_by,
    random_player,
    rule,
    said,
    turn_of,
    turns,
    view_of,
)

DEALS = 300
"""Each is played twice, with the sides changed."""
FLOOR = 0.75
"""Share of rounds that the bots must win of players who play at random; they win 0.81."""

LEVELS: tuple[Level, ...] = ("white", "black")
rounds = st.integers(0, 2**32)
thorough = settings(max_examples=40, deadline=None)
hasty = player_by(replace(CHROME, worlds=2))


@thorough
@given(seed=rounds)
def test_no_action_is_ever_refused(seed: int) -> None:
    """The master's search is hasty here: in few worlds it errs more, and sooner."""
    state, luck = new_round(seed), Random(seed)
    while (seat := state.turn) is not None:
        asked = turn_of(state, seat)
        for level in LEVELS:
            said(state, seat, choose(replace(asked, level=level)))
        said(state, seat, hasty(asked))
        player = rule if luck.random() < 0.5 else random_player(luck)
        state = said(state, seat, player(asked))


@thorough
@given(seed=rounds)
def test_a_round_of_bots_ends(seed: int) -> None:
    assert play_round(seed, (rule, rule)) in {0, 1}


@thorough
@given(seed=rounds)
def test_the_bytes_of_a_turn_are_all_that_the_choice_depends_on(seed: int) -> None:
    for asked in turns(seed):
        assert choose(decode_turn(encode_turn(asked))) == choose(asked)


@thorough
@given(seed=rounds)
def test_the_order_in_which_the_cards_were_dealt_changes_nothing(seed: int) -> None:
    luck = Random(seed)
    for asked in turns(seed):
        view = view_of(asked)
        other = replace(view, hand=mixed(view.hand, luck), playable=mixed(view.playable, luck))
        assert choose(replace(asked, view=other)) == choose(asked)


@thorough
@given(seed=rounds, step=st.integers(1, 3))
def test_the_same_position_seen_from_another_chair_gets_the_same_answer(
    seed: int, step: int
) -> None:
    for asked in turns(seed):
        assert rule(moved_round(asked, step)) == rule(asked)


@thorough
@given(seed=rounds, level=st.sampled_from(["white", "black"]))
def test_match_and_move_change_nothing(seed: int, level: Level) -> None:
    for asked in turns(seed):
        mine = replace(asked, level=level)
        assert suggest(replace(mine, match="m_" + "f" * 32, move=123)) == suggest(mine)


def test_the_bots_win_most_rounds_of_players_who_play_at_random() -> None:
    won = [
        play_round(seed, players) == side
        for seed in range(DEALS)
        for side, players in enumerate(
            ((rule, random_player(Random(seed))), (random_player(Random(seed)), rule))
        )
    ]
    assert sum(won) / len(won) >= FLOOR


def test_another_seats_view_is_not_answered() -> None:
    asked = turn(position("AS 2D", trump="S"))
    with pytest.raises(AssertionError, match="another seat's view"):
        choose(replace(asked, seat=1))


def test_a_view_whose_seat_is_not_on_turn_is_not_answered() -> None:
    view = replace(position("AS 2D", trump="S"), turn=1)
    with pytest.raises(AssertionError):
        choose(turn(view))


def test_a_view_of_hand_is_answered_by_hands_bots() -> None:
    asked = replace(turn(position("AS 2D", trump="S")), view=a_hand_view())
    assert choose(asked) == Draw(source="stock")


def mixed(cards: tuple[str, ...], luck: Random) -> tuple[str, ...]:
    return tuple(luck.sample(cards, len(cards)))


def moved_round(asked: BotTurn, step: int) -> BotTurn:
    """The same turn with everybody `step` chairs further."""
    view = view_of(asked)

    def chair(seat: Seat) -> Seat:
        return (seat + step) % 4

    def plays(trick: tuple[Play, ...]) -> tuple[Play, ...]:
        return tuple(Play(chair(play.seat), play.card) for play in trick)

    first, second = view.tricks
    moved = replace(
        view,
        seat=chair(asked.seat),
        turn=chair(asked.seat),
        hakem=chair(view.hakem),
        trick=plays(view.trick),
        earlier=tuple(plays(trick) for trick in view.earlier),
        tricks=(first, second) if side_of(step) == 0 else (second, first),
        left=tuple(view.left[(seat - step) % 4] for seat in range(4)),
    )
    return replace(asked, seat=chair(asked.seat), view=moved)


def a_hand_view() -> HandView:
    return HandView(
        options=HandOptions(variant="classic", seats=2, rounds=3),
        phase="draw",
        round=1,
        dealer=0,
        turn=0,
        bar=51,
        opened=(False, False),
        melds=(),
        fire=(),
        tosses=(),
        stock=40,
        reshuffles=0,
        left=(14, 14),
        must_open=False,
        must_place=(),
        taken=None,
        drawn=None,
        totals=(0, 0),
        contenders=(),
        seat=0,
        hand=("AS1",),
        winner=None,
    )
