"""N14, N18: the exact search for melds, against a plain count of every way (tests/rules/hand_brute;
2,000 hands: `python -m tests.rules.hand_brute`).
"""

from random import Random

import pytest

from services.rules.hand.search import Spelled, candidates, highest, lightest, pool_of, spell, ways
from services.rules.melds import read, value
from tests.rules.hand_brute import ACES, BARS, compare, possible, random_hand, rich_hand
from tests.rules.hand_play import cards, lists

HANDS = 25
"""Of each kind, in every test run."""


@pytest.mark.parametrize("seed", range(HANDS))
def test_the_search_agrees_with_the_count_on_random_hands(seed: int) -> None:
    luck = Random(seed)
    compare(random_hand(luck), luck.choice(BARS), luck.choice(ACES))


@pytest.mark.parametrize("seed", range(HANDS))
def test_the_search_agrees_with_the_count_on_hands_full_of_melds(seed: int) -> None:
    luck = Random(seed)
    compare(rich_hand(luck), luck.choice(BARS), luck.choice(ACES))


def test_a_candidate_is_worth_what_the_meld_is_that_it_spells() -> None:
    luck = Random(5)
    for _ in range(50):
        hand = rich_hand(luck)
        for ace in ACES:
            found = candidates(pool_of(hand), ace)
            assert len(found) == len(possible(hand))
            for each in found:
                (meld,) = spell((each,), hand)
                shape = read(meld)
                assert shape is not None, meld
                assert value(shape, ace) == each.value
                assert set(meld) <= set(hand)


@pytest.mark.parametrize(
    ("hand", "most"),
    [
        ("TH1 JH1 QH1 KH1 4S1 4H1 4D1", 52),
        ("5H1 6H1 7H1 7S1 JK1 JK2", 39),  # a joker for the 7H that the other meld takes
        ("TH1 JH1 JK1 QH1 KH1 AH1", 61),  # TJ(Q) and QKA: more than one run with the 9
        ("7H1 7H2 7D1 7D2 7S1 7S2", 42),
        ("7H1 7H2 7D1", 0),
        ("KC1 AC1 2C2", 0),
        ("JK1 JK2 5S1", 0),
        ("AS1 2S1 3S1", 16),
    ],
)
def test_the_most_that_melds_are_worth(hand: str, most: int) -> None:
    assert highest(cards(hand), low_ace=11) == most


def test_one_way_is_found_once_whichever_meld_comes_first() -> None:
    hand = cards("5H1 5H2 6H1 6H2 7H1 7H2")
    found = [spell(way, hand) for way in ways(hand, low_ace=11, bar=0)]
    assert sorted(found) == [lists("5H1 6H1 7H1"), lists("5H1 6H1 7H1, 5H2 6H2 7H2")]


def lightest_of(hand: str, *, bar: int = 0, taken: str | None = None) -> Spelled | None:
    return lightest(cards(hand), low_ace=11, bar=bar, allowed=lambda _: True, taken=taken)


def test_N50_the_lightest_rest_may_be_worth_less_on_the_table() -> None:
    """The joker counts 15 in the hand: it goes down with twos rather than stay."""
    hand = "KS1 KH1 KD1 QS1 QH1 QD1 2S1 2H1 JK1"
    assert lightest_of(hand, bar=51) == lists("2H1 2S1 JK1, KD1 KH1 KS1, QD1 QH1 QS1")


def test_N50_ties_go_to_the_fewest_melds_then_to_the_first_as_text() -> None:
    assert lightest_of("5H1 6H1 7H1 8H1 9H1 TH1") == lists("5H1 6H1 7H1 8H1 9H1 TH1")
    assert lightest_of("5H1 6H1 7H1 JK2 KD1") == lists("5H1 6H1 7H1 JK2")
    assert lightest_of("5H1 6H1 JK2 KD1") == lists("5H1 6H1 JK2")
    assert lightest_of("9H2 9H1 9D1 9C1") == lists("9C1 9D1 9H1")


def test_N50_only_an_allowed_way_counts() -> None:
    hand = cards("9H2 9H1 9D1 9C1")
    found = lightest(hand, low_ace=11, bar=0, allowed=lambda melds: "9H2" in melds[0], taken="9H2")
    assert found == lists("9C1 9D1 9H2")
    assert lightest(hand, low_ace=11, bar=0, allowed=lambda _: False) is None
    assert lightest(hand, low_ace=11, bar=28, allowed=lambda _: True) is None
