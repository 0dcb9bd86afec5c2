"""What a person may type in Hand, and what is offered: found by the rules' own search."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.commands import Discard, Draw, LayMelds, LayOff, SwapJoker
from schemas.refusals import Refusal
from schemas.views import HandView
from services.cli.join.games import either, hand_reading
from services.cli.join.games.hand_offers import offers
from services.cli.join.games.hand_reading import arranged
from services.cli.join.games.trouble import Read, Trouble
from services.cli.join.speech import Language, speech
from services.rules.hand import GAME
from services.rules.hand.state import HandState
from services.rules.hand.view import view as hand_view
from tests.rules.hand_play import position

ENGLISH: Final = speech("en")


def seen(state: HandState) -> HandView:
    return hand_view(state, state.turn)


def means(line: str, view: HandView, language: Language = "en") -> Read:
    return hand_reading.read(speech(language), view, line)


@given(st.text(max_size=60))
def test_nothing_that_is_typed_makes_a_reader_fail(line: str) -> None:
    state = position("5H1 6H1 JK1 2S1 9D1", table="9S1 9C1 9H1")
    read = means(line, seen(state))
    if isinstance(read, Trouble):
        assert ENGLISH.say(read.text, **read.values)


def test_N6_drawing_in_words() -> None:
    view = replace(seen(position("5H1 6H1 9S1")), phase="draw")
    assert means("draw", view) == means("d", view) == Draw(source="stock")
    assert means("fire", view) == means("draw fire", view) == Draw(source="fire")


def test_N11_a_meld_may_be_typed_in_any_order() -> None:
    view = seen(position("5H1 6H1 7H2 QS1 QD1 QC2 2C1"))
    laid = LayMelds(melds=(("5H1", "6H1", "7H2"), ("QS1", "QD1", "QC2")))
    for line in (
        "lay 5H1 6H1 7H2 / QS1 QD1 QC2",
        "lay 7h 5h 6h / qs qd qc",
        "LAY 7H,QS QD QC".replace("7H,", "6h 7h 5h,"),
        "open 5♥ 6♥ 7♥/Q♠ Q♦ Q♣",
    ):
        assert means(line, view) == laid, line


def test_N11_a_joker_stands_where_it_was_typed_else_where_it_is_worth_most() -> None:
    assert arranged(("JK1", "5H1", "6H1"), 11) == ("JK1", "5H1", "6H1")
    assert arranged(("5H1", "JK1", "6H1"), 11) == ("5H1", "6H1", "JK1")
    assert arranged(("KH1", "JK1", "QH1"), 11) == ("QH1", "KH1", "JK1")
    assert arranged(("7H1", "JK1", "5H1"), 11) == ("5H1", "JK1", "7H1")


def test_what_makes_no_meld_is_sent_to_the_rules_as_it_is() -> None:
    assert arranged(("5H1", "6D1", "7H1"), 11) == ("5H1", "6D1", "7H1")
    assert arranged(("JK1", "JK2", "7H1"), 11) == ("JK1", "JK2", "7H1")
    assert arranged(("5H1", "5H1", "5H1"), 11) == ("5H1", "5H1", "5H1")
    assert arranged((), 11) == ()


def test_N7_of_two_copies_the_taken_one_is_laid_and_the_other_one_thrown() -> None:
    state = position("5H1 5H2 6H1 7H1 2S1")
    state = replace(state, now=replace(state.now, taken="5H2"))
    assert means("lay 5h 6h 7h", seen(state)) == LayMelds(melds=(("5H2", "6H1", "7H1"),))
    assert means("drop 5h", seen(state)) == Discard(card="5H1")
    assert Discard(card="5H1") in offers(seen(state), lambda _: None)


def test_N20_a_lay_off_names_meld_and_card_in_either_order_or_the_card_alone() -> None:
    view = seen(position("4H1 9D1 2S1", table="5H1 6H1 7H1, 9S1 9C1 9H1"))
    low = LayOff(meld=1, card="4H1", end="low")
    assert means("off 1 4h low", view) == means("off 4h1 1 LOW", view) == low
    assert means("off 4h", view) == LayOff(meld=1, card="4H1")
    assert means("off 9d", view) == LayOff(meld=2, card="9D1")


def test_a_card_that_fits_on_several_melds_is_asked_about() -> None:
    view = seen(position("9D1 2S1", table="9S1 9C1 9H1, 6D1 7D1 8D1"))
    read = means("off 9d", view)
    assert isinstance(read, Trouble)
    assert read.values == {"melds": (1, 2)}


def test_N21_a_swap_names_meld_and_card_or_the_card_alone() -> None:
    view = seen(position("7H1 2S1", table="5H1 6H1 JK1"))
    assert means("swap 1 7h", view) == means("swap 7h", view) == SwapJoker(meld=1, card="7H1")


def test_a_card_alone_is_thrown() -> None:
    view = seen(position("7H1 JK2 2S1"))
    assert means("7h", view) == means("drop 7h1", view) == Discard(card="7H1")
    assert means("jk", view) == Discard(card="JK2")


def test_a_card_that_is_not_held_is_the_rules_to_refuse() -> None:
    state = position("7H1 2S1 3S1")
    read = means("drop kd", seen(state))
    assert read == Discard(card="KD1")
    assert GAME.refuse(state, 0, Discard(card="KD1")) is Refusal.CARD_NOT_HELD


@pytest.mark.parametrize(
    "line",
    [
        "dance",
        "lay",
        "lay /",
        "lay 5h foo 7h",
        "lay " + " / ".join(["2s"] * 9),
        "off",
        "off 1",
        "off 1 2 4h",
        "off 4h 5h",
        "off 1 nine",
        "off 2s",
        "off 00 2s",
        "swap",
        "swap 2s",
        "drop",
        "drop 2s 3s",
        "drop xx",
        "7h 8h",
    ],
)
def test_wrong_lines_of_hand_are_said(line: str) -> None:
    view = seen(position("4H1 2S1", table="5H1 6H1 7H1"))
    read = means(line, view)
    assert isinstance(read, Trouble)
    assert ENGLISH.say(read.text, **read.values)


@pytest.mark.parametrize(
    ("language", "line"), [("fa", "بینداز 2s"), ("ar", "ارمِ 2s"), ("fa", "drop 2s")]
)
def test_moves_may_be_said_in_ones_own_language(language: Language, line: str) -> None:
    view = seen(position("4H1 2S1 3D1"))
    assert means(line, view, language) == Discard(card="2S1")


# Offers ---------------------------------------------------------------------------------------


def test_N14_an_opening_is_found_and_offered_first() -> None:
    state = position("TH1 JH1 QH1 KH1 4S1 4H1 4D1 2C1 9D1", opened=False)
    found = offers(seen(state), lambda one: GAME.refuse(state, 0, one))
    assert found[0] == LayMelds(melds=(("4D1", "4H1", "4S1"), ("TH1", "JH1", "QH1", "KH1")))
    assert all(GAME.refuse(state, 0, one) is None for one in found)
    assert {one.card for one in found if isinstance(one, Discard)} == set(state.hands[0])


def test_how_near_a_hand_is_to_the_bar_is_said() -> None:
    view = seen(position("TH1 JH1 QH1 4S1 2C1", opened=False))
    assert either.hint(ENGLISH, view) == ["Your melds are worth 30 at most; to open you need 51."]
    assert either.hint(ENGLISH, seen(position("TH1 JH1 QH1 4S1 2C1"))) == []


def test_N20_N21_lay_offs_and_swaps_are_offered() -> None:
    state = position("4H1 7S1 2C1 KD1", table="5H1 6H1 7H1, 5S1 6S1 JK1")
    found = offers(seen(state), lambda one: GAME.refuse(state, 0, one))
    assert LayOff(meld=1, card="4H1", end="low") in found
    assert SwapJoker(meld=2, card="7S1") in found
    words = "\n".join(either.offer_lines(ENGLISH, seen(state), found))
    assert "lay 4H1 off on meld 1 at the low end" in words
    assert "put 7S1 into meld 2 and take its joker" in words
