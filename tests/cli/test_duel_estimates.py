"""What a duel says of its deals, held against numbers worked out by hand."""

from collections import Counter
from random import Random

import pytest

from schemas.commands import HokmOptions
from services.cli.duel.estimates import Estimate, mean_of, ratio_of
from services.cli.duel.matchup import Matchup
from services.cli.duel.outcome import added, outcome_of
from services.cli.duel.rounds import Deal
from services.cli.duel.thinking import Thinking, note, times

MATCHUP = Matchup(a="black", b="white", options=HokmOptions(), seed=7)


def deal(number: int, won: int, decided: int = 2, points: float = 0.0) -> Deal:
    mine, theirs = Counter({1_000 * (number + 1): 3}), Counter({500: 2})
    return Deal(number=number, won=won, decided=decided, points=points, a=mine, b=theirs)


def test_a_mean_has_the_sample_deviation_over_the_root_of_the_deals() -> None:
    """1, 2, 3, 6: mean 3, squares 4 + 1 + 0 + 9 = 14, of 3; over 4 deals √(14/12) = 1.080123."""
    found = mean_of([1.0, 2.0, 3.0, 6.0])
    assert found.value == 3
    assert found.high - 3 == pytest.approx(1.959964 * 1.080123, abs=1e-5)
    assert 3 - found.low == pytest.approx(found.high - 3)


def test_a_share_of_equal_wholes_is_the_mean_of_the_deals_shares() -> None:
    """A deal's two rounds are one observation, not two: 2, 1, 1, 0 of 2 each are 1, ½, ½, 0."""
    of_deals = mean_of([1.0, 0.5, 0.5, 0.0])
    found = ratio_of([2, 1, 1, 0], [2, 2, 2, 2])
    assert found is not None
    assert found.value == of_deals.value == 0.5
    assert found.low == pytest.approx(of_deals.low)
    assert found.high == pytest.approx(of_deals.high)


def test_rounds_that_nobody_won_count_for_neither_side() -> None:
    """2 of 2, 1 of 1, 0 of 1, 1 of 2: 4 of 6. Above their due: 2/3, 1/3, -2/3, -1/3; squares 10/9,
    of 3; over 4 deals √(10/108) = 0.304290; over the mean whole, 3/2: 0.202860.
    """
    found = ratio_of([2, 1, 0, 1], [2, 1, 1, 2])
    assert found is not None
    assert found.value == pytest.approx(2 / 3)
    assert found.value - found.low == pytest.approx(1.959964 * 0.202860, abs=1e-5)
    assert found.high == 1.0, "no share is above 1"


def test_without_a_decided_round_there_is_no_share() -> None:
    assert ratio_of([0, 0], [0, 0]) is None
    line = outcome_of(added(MATCHUP, [deal(0, 0, 0), deal(1, 0, 0)]))
    assert line.won is None
    assert line.ci95.won is None


def test_of_one_deal_nothing_is_said() -> None:
    with pytest.raises(AssertionError):
        mean_of([1.0])


def test_pairing_makes_the_interval_narrower_where_the_deal_decides() -> None:
    """Each deal is won by whoever sits well: twenty rounds unpaired say little, paired all."""
    assert ratio_of([1] * 10, [2] * 10) == Estimate(0.5, 0.5, 0.5)
    unpaired = ratio_of([1, 0] * 10, [1] * 20)
    assert unpaired is not None
    assert unpaired.high - unpaired.low > 0.4


def test_the_interval_of_a_share_holds_the_truth_as_often_as_it_says() -> None:
    """Rounds of one deal hang together, some are nobody's; the truth is a half."""
    luck, held = Random(5), 0
    for _ in range(4_000):
        lots = [luck.choice([(2, 2), (0, 2), (1, 2), (1, 1), (0, 1), (0, 0)]) for _ in range(100)]
        found = ratio_of([won for won, _ in lots], [decided for _, decided in lots])
        assert found is not None
        held += found.low <= 0.5 <= found.high
    assert 0.93 <= held / 4_000 <= 0.965


def test_the_sum_does_not_depend_on_the_order_in_which_deals_come() -> None:
    deals = [deal(number, number % 3, 2, 0.1 * number) for number in range(30)]
    shuffled = Random(1).sample(deals, len(deals))
    assert added(MATCHUP, shuffled) == added(MATCHUP, deals)


def test_the_line_has_the_deals_and_their_sum() -> None:
    line = outcome_of(added(MATCHUP, [deal(0, 2, 2, 1.5), deal(1, 1, 2, -0.5)]))
    assert (line.a, line.b, line.deals, line.decided, line.seed) == ("black", "white", 2, 4, 7)
    assert (line.won, line.points) == (0.75, 0.5)
    assert (line.mean_ms, line.max_ms) == (1.5, 2.0)
    assert (line.b_times.decisions, line.b_times.mean_ms) == (4, 0.5)


def test_times_are_of_all_decisions_whoever_counted_them() -> None:
    thinking: Thinking = Counter()
    for took in range(1, 101):
        note(thinking, took / 1_000)
    found = times(thinking)
    assert (found.decisions, found.mean_ms, found.p99_ms, found.max_ms) == (100, 50.5, 99.0, 100.0)
    assert times(Counter()).max_ms == 0
