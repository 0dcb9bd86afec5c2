"""Refusals in words: every code in every language, nothing that a person could not read."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from schemas import texts
from schemas.refusals import Refusal

FOLDER = Path(texts.__file__).parent
LANGUAGES = ("fa", "ar", "en")
LONGEST = 100
"""Characters of a sentence: it is shown beside a card table, on a phone too."""
CARD = re.compile(r"\b([2-9TJQKA][SHDC][12]?|JK[12]?)\b")


def sentences(language: str, folder: Path = FOLDER) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / f"{language}.json").read_text())
    return found


def test_the_languages_are_those_that_are_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence_of_its_own_in_the_order_of_the_codes(language: str) -> None:
    said = sentences(language)
    assert list(said) == [code.value for code in Refusal]
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_short_ends_and_holds_no_code(language: str) -> None:
    codes = {code.value for code in Refusal}
    for text in sentences(language).values():
        assert text == text.strip()
        assert len(text) <= LONGEST, text
        assert text.endswith("."), text
        assert not any(code in text for code in codes if "_" in code), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_plain_text(language: str) -> None:
    """No marks of direction or control: the page sets the direction. A joiner of Persian may be."""
    joiner = "\u200c"
    for text in sentences(language).values():
        odd = [sign for sign in text if unicodedata.category(sign)[0] == "C" and sign != joiner]
        assert odd == [], text
        assert language == "fa" or joiner not in text


@pytest.mark.parametrize("language", ["fa", "ar"])
def test_no_latin_is_left_but_cards(language: str) -> None:
    for text in sentences(language).values():
        rest = CARD.sub("", text)
        assert not [sign for sign in rest if "LATIN" in unicodedata.name(sign, "")], text


def test_persian_and_arabic_have_letters_of_their_own() -> None:
    """The two keyboards give other signs for yeh and kaf, and each looks wrong in the other."""
    assert not set("".join(sentences("fa").values())) & set("يكةىأإ")
    assert not set("".join(sentences("ar").values())) & set("یکپچژگ")
