"""H16 to H19: what a round is worth, who is hakem next, who has won."""

from collections.abc import Callable

import msgspec
import pytest

from schemas.commands import HandOptions, HokmOptions, HokmScore, PlayCard
from schemas.events import FiveDealt, HokmRound, MatchEnded, RoundScored
from schemas.refusals import Refusal
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.score import round_score
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
Position = Callable[..., HokmState]
PlayOut = Callable[[HokmState, str], Steps]
Follow = Callable[[HokmState, Fact], Steps]
Scored = Callable[[HokmState], Fact]

LAST_CARDS = ("AS", "2S", "3S", "4S")
OWN = HokmOptions(target=50, win=4, kot=5, hakem_kot=6)


@pytest.fixture
def round_won(position: Position, play_out: PlayOut) -> Callable[..., HokmState]:
    """A round that waits for its score, won 7 to `lost` by the side of seat `by`."""

    def win(by: int, lost: int, **given: object) -> HokmState:
        tricks = (6, lost) if by % 2 == 0 else (lost, 6)
        hands = tuple(LAST_CARDS[(seat - by) % 4] for seat in range(4))
        state = position(hands, "S", leader=by, tricks=tricks, **given)
        return play_out(state, " ".join(LAST_CARDS))[-1][1]

    return win


@pytest.fixture
def scored_round(
    round_won: Callable[..., HokmState], follow: Follow, scored: Scored
) -> Callable[..., Steps]:
    """The score of such a round and all that follows from it by itself."""

    def score(by: int, lost: int, **given: object) -> Steps:
        ended = round_won(by, lost, **given)
        return follow(ended, scored(ended))

    return score


@pytest.mark.parametrize(
    ("by", "hakem", "lost", "expected"),
    [
        (0, 0, 4, HokmScore(side=0, kind="win", points=1)),
        (0, 1, 6, HokmScore(side=0, kind="win", points=1)),
        (0, 0, 0, HokmScore(side=0, kind="kot", points=2)),
        (0, 2, 0, HokmScore(side=0, kind="kot", points=2)),
        (1, 3, 0, HokmScore(side=1, kind="kot", points=2)),
        (1, 0, 0, HokmScore(side=1, kind="hakem_kot", points=3)),
        (1, 2, 0, HokmScore(side=1, kind="hakem_kot", points=3)),
        (0, 1, 0, HokmScore(side=0, kind="hakem_kot", points=3)),
        (0, 1, 1, HokmScore(side=0, kind="win", points=1)),
    ],
)
def test_H16_win_kot_and_hakem_kot(
    by: int, hakem: int, lost: int, expected: HokmScore, round_won: Callable[..., HokmState]
) -> None:
    assert GAME.score(round_won(by, lost, hakem=hakem)) == expected


def test_H16_one_trick_by_the_hakems_partner_saves_it(
    position: Position, play_out: PlayOut
) -> None:
    hands = ("2S 2H", "3S AH", "AS 3H", "4S 4H")
    state = position(hands, "S", hakem=0, leader=1, tricks=(0, 6))
    steps = play_out(state, "3S AS 4S 2S 3H 4H 2H AH")
    assert GAME.score(steps[-1][1]) == HokmScore(side=1, kind="win", points=1)


def test_H16_the_guide_7_to_4_is_one_point_7_to_0_two_or_three() -> None:
    points = [
        round_score(PRESETS["hakem"], HokmRound(hakem=hakem, tricks=tricks)).points
        for hakem, tricks in ((0, (7, 4)), (0, (7, 0)), (1, (7, 0)))
    ]
    assert points == [1, 2, 3]


def test_H16_the_round_is_won_by_both_seats_of_the_side() -> None:
    for side, seats in ((0, (0, 2)), (1, (1, 3))):
        score = round_score(
            PRESETS["hakem"], HokmRound(hakem=0, tricks=(7 - 3 * side, 4 + 3 * side))
        )
        assert GAME.round_winners(score) == seats


def test_H17_the_values_are_the_options(round_won: Callable[..., HokmState]) -> None:
    rounds = [
        round_won(0, lost, hakem=hakem, options=OWN) for lost, hakem in ((3, 0), (0, 0), (0, 1))
    ]
    points = [msgspec.to_builtins(GAME.score(ended))["points"] for ended in rounds]
    assert points == [4, 5, 6]


@pytest.mark.parametrize(
    "options",
    [
        HokmOptions(),
        HokmOptions(win=1, kot=1, hakem_kot=1, target=1),
        HokmOptions(win=100, kot=100, hakem_kot=100, target=100),
        OWN,
    ],
)
def test_H17_sound_options(options: HokmOptions) -> None:
    assert GAME.sound(options)


@pytest.mark.parametrize(
    "options",
    [
        HokmOptions(win=3, kot=2),
        HokmOptions(kot=4, hakem_kot=3),
        HokmOptions(win=0),
        HokmOptions(win=-1),
        HokmOptions(hakem_kot=101),
        HokmOptions(target=0),
        HokmOptions(target=101),
        HandOptions(variant="classic", seats=4, rounds=3),
    ],
)
def test_H17_unsound_options(options: HokmOptions | HandOptions) -> None:
    assert not GAME.sound(options)


def test_H17_the_options_are_shown_to_all(position: Position) -> None:
    state = position(LAST_CARDS, "S", options=OWN)
    for seat in (0, 1, 2, 3, None):
        assert msgspec.to_builtins(GAME.view(state, seat))["options"] == msgspec.to_builtins(OWN)


@pytest.mark.parametrize("hakem", range(4))
@pytest.mark.parametrize("lost", [0, 6])
def test_H18_the_hakem_stays_if_its_side_won(
    hakem: int, lost: int, scored_round: Callable[..., Steps]
) -> None:
    for by in (hakem, (hakem + 2) % 4):
        steps = scored_round(by, lost, hakem=hakem, options=PRESETS["home"])
        assert five_dealt(steps) == FiveDealt(round=2, hakem=hakem)


@pytest.mark.parametrize("hakem", range(4))
@pytest.mark.parametrize("lost", [0, 6])
def test_H18_else_the_seat_at_its_right_follows(
    hakem: int, lost: int, scored_round: Callable[..., Steps]
) -> None:
    for by in ((hakem + 1) % 4, (hakem + 3) % 4):
        steps = scored_round(by, lost, hakem=hakem, options=PRESETS["home"])
        assert five_dealt(steps) == FiveDealt(round=2, hakem=(hakem + 1) % 4)


def test_H18_the_hakem_moves_only_when_another_round_follows(
    round_won: Callable[..., HokmState], follow: Follow, scored: Scored
) -> None:
    ended = round_won(1, 3, hakem=0, score=(0, 1))
    after = follow(ended, scored(ended))[-1][1]
    over = GAME.evolve(after, match_ended(1, after))
    for state in (ended, after, over):
        assert state.hakem == 0
        assert state.round == 1
        assert state.trump == "S"
        assert state.tricks == (3, 7)


def test_H18_until_the_next_deal_all_but_the_score_stays_as_the_round_left_it(
    round_won: Callable[..., HokmState], follow: Follow, scored: Scored
) -> None:
    ended = round_won(1, 3, hakem=0, options=PRESETS["home"])
    before = msgspec.to_builtins(GAME.judge(ended))
    score, shuffle, five = follow(ended, scored(ended))
    for _, state in (score, shuffle):
        assert msgspec.to_builtins(GAME.judge(state)) == before | {"score": (0, 1)}
    assert msgspec.to_builtins(GAME.judge(five[1]))["phase"] == "choosing_trump"


def test_H19_the_presets() -> None:
    assert PRESETS["hakem"] == HokmOptions()
    assert PRESETS["hakem"] == HokmOptions(target=2, win=1, kot=2, hakem_kot=3)
    assert PRESETS["home"] == HokmOptions(target=7, win=1, kot=2, hakem_kot=3)


@pytest.mark.parametrize(
    ("before", "lost", "hakem", "winner"),
    [
        ((5, 6), 1, 0, None),
        ((6, 6), 1, 0, 0),
        ((5, 0), 0, 0, 0),
        ((6, 6), 0, 1, 0),
        ((4, 6), 0, 0, None),
        ((4, 6), 0, 1, 0),
    ],
)
def test_H19_the_first_side_to_reach_the_target_wins(
    before: tuple[int, int],
    lost: int,
    hakem: int,
    winner: int | None,
    scored_round: Callable[..., Steps],
) -> None:
    steps = scored_round(0, lost, hakem=hakem, score=before, options=PRESETS["home"])
    assert GAME.winner(steps[0][1]) == winner
    assert (five_dealt(steps) is None) == (winner is not None)


def test_H19_with_target_two_a_kot_in_round_one_ends_the_match(
    scored_round: Callable[..., Steps],
) -> None:
    steps = scored_round(0, 0, hakem=0)
    assert len(steps) == 1, "nothing is dealt after the match"
    assert GAME.winner(steps[-1][1]) == 0


def test_H19_a_score_above_the_target_is_kept(scored_round: Callable[..., Steps]) -> None:
    fact, state = scored_round(0, 0, hakem=1, score=(1, 1))[-1]
    assert isinstance(fact.body, RoundScored)
    assert fact.body.totals == (4, 1)
    assert state.score == (4, 1)


def test_H19_after_the_match_everything_is_refused_and_the_winner_stands(
    scored_round: Callable[..., Steps],
) -> None:
    after = scored_round(0, 0, hakem=0)[-1][1]
    assert msgspec.to_builtins(GAME.judge(after))["winner"] is None
    over = GAME.evolve(after, match_ended(0, after))
    seen = msgspec.to_builtins(GAME.judge(over))
    assert (seen["phase"], seen["turn"], seen["winner"]) == ("match_over", None, 0)
    assert msgspec.to_builtins(GAME.view(over, 2))["winner"] == 0
    assert GAME.refuse(over, 0, PlayCard(card="AS")) == Refusal.MATCH_OVER


def test_an_abandoned_match_is_over_and_has_no_winner(position: Position, abandoned: Fact) -> None:
    seen = msgspec.to_builtins(GAME.judge(GAME.evolve(position(LAST_CARDS, "S"), abandoned)))
    assert (seen["phase"], seen["turn"], seen["winner"]) == ("match_over", None, None)


def five_dealt(steps: Steps) -> FiveDealt | None:
    bodies = (fact.body for fact, _ in steps)
    return next((body for body in bodies if isinstance(body, FiveDealt)), None)


def match_ended(winner: int, state: HokmState) -> Fact:
    body = MatchEnded(winner=winner, totals=state.score, secret="0" * 64)
    return Fact(body=body, origin="rule")
