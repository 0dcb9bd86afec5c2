"""H4, H13, H14: one trick, without a match around it."""

import itertools

import pytest

from schemas.cards import HOKM_PACK, RANKS, SUITS, Suit
from schemas.views import Play
from services.rules import tricks


def trick(cards: str, leader: int = 0) -> tuple[Play, ...]:
    return tuple(Play((leader + at) % 4, card) for at, card in enumerate(cards.split()))


def test_H4_ranks_rise_from_two_to_ace_within_a_suit() -> None:
    for suit in SUITS:
        cards = [rank + suit for rank in RANKS]
        for low, high in itertools.combinations(cards, 2):
            assert tricks.beats(high, low, "S")
            assert not tricks.beats(low, high, "S")


def test_H4_any_trump_beats_any_card_of_another_suit_and_never_the_other_way() -> None:
    for trump in SUITS:
        others = [card for card in HOKM_PACK if card[1] != trump]
        trumps = [card for card in HOKM_PACK if card[1] == trump]
        for other, ruff in itertools.product(others, trumps):
            assert tricks.beats(ruff, other, trump)
            assert not tricks.beats(other, ruff, trump)


def test_H4_there_is_no_order_between_two_suits_that_are_not_trump() -> None:
    assert not tricks.beats("AD", "2C", "S")
    assert not tricks.beats("AC", "2D", "S")


def test_H13_following_keeps_the_led_suit_in_the_order_of_the_cards() -> None:
    cards = ("AS", "2D", "KS", "9D")
    assert tricks.following(cards, "D") == ("2D", "9D")


def test_H13_a_void_seat_may_play_anything() -> None:
    cards = ("AS", "2D", "KS")
    assert tricks.following(cards, "H") == cards


def test_H12_a_leader_may_play_anything() -> None:
    cards = ("AS", "2D", "KS")
    assert tricks.following(cards, None) == cards


@pytest.mark.parametrize(
    ("cards", "trump", "by"),
    [
        ("KD 9D 2S AD", "S", 2),
        ("KD 9D 2S 5S", "S", 3),
        ("KD 9D 5S 2S", "S", 2),
        ("AS 2H 3S 4S", "H", 1),
        ("2C AD AH AS", "S", 3),
        ("2C AD AH KD", "S", 0),
        ("TC JC QC 9C", "H", 2),
        ("9C TC 8C 2C", "H", 1),
        ("2S AC AD AH", "S", 0),
        ("2S 3S AD 4S", "S", 3),
    ],
)
def test_H14_the_highest_trump_takes_else_the_highest_of_the_led_suit(
    cards: str, trump: Suit, by: int
) -> None:
    assert tricks.winner(trick(cards), trump).seat == by


def test_H14_the_taker_is_a_seat_whoever_led() -> None:
    assert tricks.winner(trick("KD 9D 2S AD", leader=3), "S") == Play(1, "2S")


def test_H14_agrees_with_a_count_by_weights_on_every_order_of_a_mixed_trick() -> None:
    cards = ("2S", "AS", "TD", "JD", "3H", "KH", "9C")
    for trump, four in itertools.product(SUITS, itertools.permutations(cards, 4)):
        led = four[0][1]
        weights = [100 * (c[1] == trump) + 50 * (c[1] == led) + RANKS.index(c[0]) for c in four]
        eligible = [w if c[1] in {trump, led} else -1 for w, c in zip(weights, four, strict=True)]
        expected = eligible.index(max(eligible))
        assert tricks.winner(trick(" ".join(four)), trump).seat == expected
