"""What a person may type in Hokm, cards in every spelling; and what is said of all else."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.commands import ChooseTrump, HokmOptions, PlayCard
from schemas.feed import Refused
from schemas.views import HokmView
from services.cli.join.arrival import Wishes
from services.cli.join.games import either
from services.cli.join.games.cards import by_suit, in_groups, typed_card, typed_suit
from services.cli.join.games.trouble import Trouble
from services.cli.join.speech import Language, speech
from tests.bot.positions import position
from tests.cli.joining import ME, Paper, Seat, house, of_bots
from tests.table.hall import Hall

ENGLISH: Final = speech("en")


# Cards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "card"),
    [
        ("AS", "AS"),
        ("as", "AS"),
        ("7h", "7H"),
        ("10d", "TD"),
        ("td", "TD"),
        ("s10", "TS"),
        ("hq", "QH"),
        ("9♥", "9H"),
        ("9♥️", "9H"),
        ("♣k", "KC"),
        ("5h2", "5H2"),
        ("10S1", "TS1"),
        ("jk", "JK"),
        ("joker", "JK"),
        ("JK2", "JK2"),
        ("*", "JK"),
    ],
)
def test_a_card_may_be_typed_in_many_ways(word: str, card: str) -> None:
    assert typed_card(word) == card


@pytest.mark.parametrize("word", ["", "1H", "AX", "7", "h", "11S", "7h3", "JK3", "JD12", "آس"])
def test_what_is_no_card_is_none(word: str) -> None:
    assert typed_card(word) is None


def test_a_suit_is_a_letter_a_mark_or_a_word() -> None:
    assert typed_suit("s") == typed_suit("♠") == "S"
    assert typed_suit("x") is None
    said: list[tuple[Language, str]] = [("en", "spades"), ("fa", "پیک"), ("ar", "بستوني")]
    for language, word in said:
        assert speech(language).meaning(word) == "S"


def test_a_hand_is_shown_by_suit_with_jokers_last() -> None:
    assert in_groups(by_suit(("JK1", "TH1", "QS1", "3S2"))) == "3S2 QS1   TH1   JK1"


# Hokm -----------------------------------------------------------------------------------------

TRUMP: HokmView = replace(
    position("AS 7H 9H", trump="S", trick=""), phase="choosing_trump", trump=None
)
FOLLOW: HokmView = position("AS 7H 9H", trump="S", trick="KH")


def test_H9_trump_is_named_in_letters_words_and_numbers() -> None:
    offered = either.offers(TRUMP, lambda _: None)
    for line in ("d", "D", "♦", "diamonds", "3"):
        assert either.read(ENGLISH, TRUMP, offered, line) == ChooseTrump(suit="D")
    assert isinstance(either.read(ENGLISH, TRUMP, offered, "x"), Trouble)


def test_H13_only_cards_that_follow_are_offered() -> None:
    offered = either.offers(FOLLOW, lambda _: None)
    assert offered == (PlayCard(card="7H"), PlayCard(card="9H"))
    assert either.read(ENGLISH, FOLLOW, offered, "2") == PlayCard(card="9H")
    assert either.read(ENGLISH, FOLLOW, offered, "as") == PlayCard(card="AS")


@pytest.mark.parametrize("line", ["0", "3", "99999999999999999999", "KD1", "ace", "7h 8h 9h"])
def test_what_is_no_card_of_hokm_is_said(line: str) -> None:
    read = either.read(ENGLISH, FOLLOW, either.offers(FOLLOW, lambda _: None), line)
    assert isinstance(read, Trouble)
    assert ENGLISH.say(read.text, **read.values)


@given(st.text(max_size=60))
def test_nothing_that_is_typed_makes_a_reader_fail(line: str) -> None:
    for view in (TRUMP, FOLLOW):
        read = either.read(ENGLISH, view, (), line)
        if isinstance(read, Trouble):
            assert ENGLISH.say(read.text, **read.values)


async def test_wrong_lines_and_refusals_are_told_and_nothing_is_lost() -> None:
    """Every line is wrong until the last one; the table hears of none of the others."""
    wrong = iter(["", "what", "77", "0", "?", "show", "sort", "\x1b[2J", "x" * 500, "JK1"])

    def answer(paper: Paper) -> str | None:
        if paper.prompts[-1].startswith("All seats"):
            return "y"
        return next(wrong, None)

    async with Hall() as hall:
        seat = Seat(hall)
        paper = Paper(answer)
        async with house(hall):
            await seat.play(paper, Wishes(opening=of_bots(HokmOptions()).action))
        assert not [one for one in hall.heard(ME) if isinstance(one, Refused)]
    assert "\x1b" not in paper.text
    assert "1 to " in paper.text
