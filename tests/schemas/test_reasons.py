"""The master's look in words (H21): every reason in every language, with its cards."""

import unicodedata
from pathlib import Path
from typing import get_args

import pytest

from schemas import texts
from schemas.advice import HandWhy, HokmWhy, Reason
from services.cli.join.speech import LANGUAGES, Language, speech
from tests.schemas import test_texts
from tests.schemas.test_texts import CARD

FOLDER = Path(texts.__file__).parent / "reasons"
CODES: tuple[str, ...] = (*get_args(HokmWhy), *get_args(HandWhy))
LONGEST = 90
"""Characters without the cards, of which a hand of Hand has fifteen."""
NAMES_NONE = "draw_stock"
"""What is drawn is not known yet."""


def sentences(language: str) -> dict[str, str]:
    return test_texts.sentences(language, FOLDER)


def test_the_languages_are_those_that_are_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence_of_its_own_in_the_order_of_the_codes(language: str) -> None:
    said = sentences(language)
    assert list(said) == list(CODES)
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_plain_short_and_ends_with_its_cards(language: str) -> None:
    joiner = "\u200c"
    for why, text in sentences(language).items():
        assert text.endswith("." if why == NAMES_NONE else ": {cards}."), text
        assert text.count("{") == (why != NAMES_NONE), text
        assert len(text) <= LONGEST, text
        odd = [sign for sign in text if unicodedata.category(sign)[0] == "C" and sign != joiner]
        assert odd == [], text
        assert not any(code in text for code in CODES if "_" in code), text


@pytest.mark.parametrize("language", ["fa", "ar"])
def test_the_letters_are_the_languages_own(language: str) -> None:
    others = {"fa": "يكةىأإ", "ar": "یکپچژگ"}[language]
    for text in sentences(language).values():
        rest = CARD.sub("", text.replace("{cards}", ""))
        assert not [sign for sign in rest if "LATIN" in unicodedata.name(sign, "")], text
        assert not set(text) & set(others), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", CODES)
def test_a_reason_is_told_with_its_cards_and_without_any(language: Language, why: HokmWhy) -> None:
    said = speech(language)
    with_cards = said.reason(Reason(why=why, cards=("AS", "TH")))
    assert ("AS TH" in with_cards) == (why != NAMES_NONE)
    bare = said.reason(Reason(why=why, cards=()))
    assert "{" not in bare
    assert ":" not in bare
    assert bare.endswith(".")


def test_cards_keep_their_direction_in_a_sentence_that_runs_to_the_left() -> None:
    reason = Reason(why="cash_winner", cards=("AS", "TH"))
    assert speech("fa").reason(reason).endswith("\u2068AS TH\u2069.")
    assert speech("en").reason(reason) == "This can take the trick: AS TH."
