"""The table that a person opens: who is asked to which seat, and the friend's code."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.commands import Command, HandOptions, HokmOptions
from services.cli.join.opening import LEVELS, OTHERS, Opening, opening
from services.rules.hokm.masks import masks
from services.rules.opening import well_formed


def sits(table: Opening) -> list[str]:
    return [entry.level or entry.filled_by for entry in table.plan]


def test_H20_one_level_is_that_of_the_masks_and_the_partner_is_chrome() -> None:
    assert sits(opening("hokm", {}, seat=0, others=("white",))) == [
        "owner",
        "white",
        "chrome",
        "white",
    ]
    assert sits(opening("hokm", {}, seat=2, others=("black",))) == [
        "chrome",
        "black",
        "owner",
        "black",
    ]


def test_H20_a_friend_is_the_partner_against_two_masks_of_one_level() -> None:
    table = opening("hokm", {}, seat=0, others=("black", "friend", "black"))
    assert sits(table) == ["owner", "black", "invited", "black"]
    assert masks(table.plan) == "black"


@pytest.mark.parametrize("word", ["anyone", "friend"])
def test_H20_a_free_table_of_four_people_has_no_masks(word: str) -> None:
    plan = opening("hokm", {}, seat=1, others=(word,)).plan
    assert {entry.filled_by for entry in plan} == {"owner", "invited" if word == "friend" else word}
    assert masks(plan) is None


@given(words=st.lists(st.sampled_from(OTHERS), min_size=3, max_size=3), seat=st.integers(0, 3))
def test_H20_masks_are_the_house_at_one_level_at_seats_1_and_3(words: list[str], seat: int) -> None:
    table = opening("hokm", {}, seat=seat, others=tuple(words))
    one, other = sits(table)[1::2]
    assert masks(table.plan) == (one if one == other and one in LEVELS else None)


def test_one_word_a_seat_in_the_order_of_the_seats() -> None:
    table = opening("hokm", {"preset": "home"}, seat=1, others=("friend", "anyone", "black"))
    assert sits(table) == ["invited", "owner", "anyone", "black"]
    assert table.options == HokmOptions(target=7)


def test_a_friends_code_is_made_and_only_its_hash_is_told() -> None:
    table = opening("hokm", {}, seat=0, others=("friend",))
    assert table.code is not None
    assert table.action.invitation == sha256(table.code.encode()).hexdigest()
    assert table.code not in str(table.action)
    assert opening("hokm", {}, seat=0, others=("friend",)).code != table.code
    assert opening("hokm", {}, seat=0, others=("anyone",)).code is None


def test_N1_what_is_not_said_of_hand_is_classic_for_four_over_three_rounds() -> None:
    assert opening("hand", {}, seat=0, others=("black",)).options == HandOptions(
        variant="classic", seats=4, rounds=3
    )
    table = opening("hand", {"seats": 2, "rounds": 9}, seat=1, others=("anyone",))
    assert sits(table) == ["anyone", "owner"]


@pytest.mark.parametrize("others", [("white",), ("friend",), ("anyone", "white", "friend")])
@pytest.mark.parametrize("game", ["hokm", "hand"])
def test_every_table_that_is_opened_is_one_that_the_rules_take(
    game: str, others: tuple[str, ...]
) -> None:
    action = opening(game, {}, seat=2, others=others).action
    assert well_formed(Command(id="x" * 16, action=action))


@pytest.mark.parametrize(
    ("game", "words", "seat", "others"),
    [
        ("hokm", {}, 0, ("white", "white")),
        ("hokm", {"variant": "saudi"}, 0, ("white",)),
        ("hokm", {"preset": "long"}, 0, ("white",)),
        ("hand", {"variant": "partnership", "seats": 2}, 0, ("white",)),
        ("hand", {"seats": 3}, 3, ("white",)),
        ("hokm", {}, 1, ("white",)),
        ("hokm", {}, 3, ("chrome",)),
    ],
)
def test_a_table_that_cannot_be_is_said(
    game: str, words: dict[str, object], seat: int, others: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match=r"."):
        opening(game, words, seat=seat, others=others)
