"""N8 to N12, N20, N21: a meld is read exactly; against every meld there is, spelled out plainly."""

from collections.abc import Iterator
from itertools import product

import pytest

from services.rules.melds import (
    RunMeld,
    SetMeld,
    ends_for,
    frees_joker,
    has_joker,
    has_room,
    held_value,
    is_joker,
    read,
    value,
)
from tests.rules.hand_brute import ACES, MELDS, PLACES, RUNS, SETS, SUITS, AnyMeld

FACES = tuple(rank + suit for rank in PLACES[:13] for suit in SUITS)
CARDS = (*(face + "2" for face in FACES), "JK1")


def spell(meld: AnyMeld) -> tuple[str, ...]:
    """In cards, a copy each."""
    return tuple(face + "1" for face in meld.faces)


KNOWN = {spell(meld) for meld in RUNS} | {tuple(sorted(spell(meld))) for meld in SETS}


def is_meld(cards: tuple[str, ...]) -> bool:
    """Runs as listed, sets in any order; copies make no difference."""
    first = tuple(card[:2] + "1" for card in cards)
    return first in KNOWN or (tuple(sorted(first)) in KNOWN and "set" in kinds(first))


def kinds(cards: tuple[str, ...]) -> set[str]:
    ranks = {card[0] for card in cards if not is_joker(card)}
    return {"set" if len(ranks) == 1 else "run"}


def melds() -> Iterator[tuple[str, ...]]:
    """Every set and every run of one suit; the four suits differ in nothing."""
    suited = (meld for meld in RUNS if "S" in {meld.faces[0][1], meld.faces[2][1]})
    return map(spell, (*suited, *SETS))


def test_every_three_cards_in_every_order() -> None:
    for cards in product((face + "1" for face in (*FACES, "JK")), repeat=3):
        if sum(map(is_joker, cards)) <= 1:
            assert (read(cards) is not None) == is_meld(cards), cards


def test_every_meld_there_is_and_its_value_at_both_aces() -> None:
    for meld in MELDS:
        shape = read(spell(meld))
        assert shape is not None, meld
        assert tuple(value(shape, ace) for ace in ACES) == meld.values, meld
        assert has_joker(shape) == ("JK" in meld.faces)


def test_a_meld_with_two_neighbours_exchanged_is_one_only_if_it_is_a_set() -> None:
    for cards in melds():
        for at in range(len(cards) - 1):
            other = (*cards[:at], cards[at + 1], cards[at], *cards[at + 2 :])
            assert (read(other) is not None) == is_meld(other), other


def test_a_meld_with_one_card_replaced_or_left_out() -> None:
    for cards in list(melds())[::5]:
        for at in range(len(cards)):
            rest = (cards[:at], cards[at + 1 :])
            assert (read((*rest[0], *rest[1])) is not None) == is_meld((*rest[0], *rest[1]))
            for card in CARDS:
                other = (*rest[0], card, *rest[1])
                if sum(map(is_joker, other)) <= 1:
                    assert (read(other) is not None) == is_meld(other), other


def test_N20_a_card_fits_exactly_where_the_longer_list_is_a_meld() -> None:
    for cards in melds():
        shape = read(cards)
        assert shape is not None
        for card in CARDS:
            if is_joker(card) and has_joker(shape):
                continue
            high, low = read((*cards, card)) is not None, read((card, *cards)) is not None
            if isinstance(shape, SetMeld):
                wanted: tuple[str | None, ...] = (None,) if high else ()
            else:
                wanted = ("high",) * high + ("low",) * low
            assert ends_for(shape, card) == wanted, (cards, card)


def test_N21_a_card_frees_the_joker_exactly_where_the_list_stays_a_meld() -> None:
    for cards in melds():
        shape = read(cards)
        assert shape is not None
        for card in CARDS:
            swapped = tuple(card if is_joker(old) else old for old in cards)
            right = has_joker(shape) and not is_joker(card) and read(swapped) is not None
            assert frees_joker(shape, card) == right, (cards, card)


def test_a_meld_has_room_exactly_if_some_joker_would_fit() -> None:
    for cards in melds():
        shape = read(cards)
        assert shape is not None
        if not has_joker(shape):
            assert has_room(shape) == bool(ends_for(shape, "JK2")), cards


@pytest.mark.parametrize(
    "cards",
    [
        "",
        "5H1",
        "5H1 6H1",
        "KC1 AC1 2C2",
        "QC1 KC1 AC1 2C1",
        "JK1 AC1 2C1",
        "KC1 AC1 JK1",
        "7H1 6H1 5H1",
        "5H1 6D1 7H1",
        "5H1 6H1 8H1",
        "5H1 JK1 8H1",
        "5H1 5H2 6H1",
        "9H1 9H2 9D1",
        "9S1 9H1 9D1 9C1 9S2",
        "9S1 9H1 9D1 9C1 JK1",
        "5H1 JK1 JK2",
        "5H1 6H1 JK1 JK2",
        "JK1 JK2 9S1 9H1",
        "JK1 JK2",
        "AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS2",
        "AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 JK1",
        "JK1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS1",
    ],
)
def test_no_melds(cards: str) -> None:
    assert read(cards.split()) is None


@pytest.mark.parametrize(
    ("cards", "shape"),
    [
        ("5H1 6H1 JK1", RunMeld(suit="H", low=4, high=6, joker=6)),
        ("JK1 5H1 6H1", RunMeld(suit="H", low=3, high=5, joker=3)),
        ("AC1 JK1 3C1", RunMeld(suit="C", low=0, high=2, joker=1)),
        ("QD1 JK1 AD1", RunMeld(suit="D", low=11, high=13, joker=12)),
        ("JK1 KD1 AD1", RunMeld(suit="D", low=11, high=13, joker=11)),
        ("JK1 2C1 3C1", RunMeld(suit="C", low=0, high=2, joker=0)),
        ("9D1 JK2 9S1", SetMeld(rank="9", suits="DS", joker=True)),
        ("JS1 JK2 JH1 JC2", SetMeld(rank="J", suits="SHC", joker=True)),
        (
            "2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS1",
            RunMeld(suit="S", low=1, high=13, joker=None),
        ),
    ],
)
def test_N11_the_place_of_the_joker_says_what_it_stands_for(
    cards: str, shape: RunMeld | SetMeld
) -> None:
    assert read(cards.split()) == shape


@pytest.mark.parametrize(
    ("cards", "classic", "saudi"),
    [
        ("TH1 JH1 QH1 KH1", 40, 40),
        ("4S1 4H1 4D1", 12, 12),
        ("AS1 2S1 3S1", 16, 6),
        ("AS1 2S1 3S1 4S1", 20, 10),
        ("QS1 KS1 AS1", 31, 31),
        ("AS1 AH1 AD1", 33, 33),
        ("AC1 JK1 3C1", 16, 6),
        ("JK1 2C1 3C1", 16, 6),
        ("QD1 JK1 AD1", 31, 31),
        ("QD1 KD1 JK1", 31, 31),
        ("AS1 AH1 JK1", 33, 33),
    ],
)
def test_N12_the_worked_examples(cards: str, classic: int, saudi: int) -> None:
    shape = read(cards.split())
    assert shape is not None
    assert (value(shape, 11), value(shape, 1)) == (classic, saudi)


@pytest.mark.parametrize(
    ("meld", "card"), [("AC1 JK1 3C1", "2C2"), ("QD1 JK1 AD1", "KD2"), ("JK1 2C1 3C1", "AC2")]
)
def test_N21_a_run_gives_its_joker_for_the_card_it_stands_for_alone(meld: str, card: str) -> None:
    shape = read(meld.split())
    assert shape is not None
    assert [other for other in CARDS if frees_joker(shape, other)] == [card]


def test_N20_an_ace_on_two_to_king_goes_high() -> None:
    shape = read(tuple(f"{rank}S1" for rank in "23456789TJQK"))
    assert shape is not None
    assert ends_for(shape, "AS2") == ("high", "low")


def test_N41_what_a_card_costs_in_the_hand() -> None:
    assert [held_value(card) for card in ("2S1", "TS1", "JS1", "KD2", "AC1", "JK2")] == [
        2,
        10,
        10,
        10,
        11,
        15,
    ]
