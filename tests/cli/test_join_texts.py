"""The texts of `waraq join`: complete in Persian, Arabic and English, and all of them in use."""

import json
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from schemas import texts
from schemas.refusals import Refusal
from services.cli.join.speech import LANGUAGES, SPELLINGS, Language, language_of, speech

ENGLISH = speech("en")
SOURCES: Final = Path(__file__).parents[2] / "services" / "cli" / "join"
NAMED: Final = re.compile(r'"([a-z_SHDC]+)"')
PARTS: Final = re.compile(r'f"([a-z]+_){')


def braces(text: str) -> set[str]:
    return set(re.findall(r"{([a-z]+)}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_every_language_with_the_same_values(language: Language) -> None:
    own = speech(language)
    assert own.texts.keys() == ENGLISH.texts.keys()
    for key, text in own.texts.items():
        assert text.strip(), key
        assert braces(text) == braces(ENGLISH.texts[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words_in_every_language(language: Language) -> None:
    own = speech(language)
    assert set(own.refusals) == {code.value for code in Refusal}
    assert all(own.refusal(code).strip() for code in Refusal)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_told_in_the_words_of_every_client(language: Language) -> None:
    every = json.loads((Path(texts.__file__).parent / f"{language}.json").read_text())
    assert speech(language).refusals == every


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_meaning_has_a_word_in_every_language(language: Language) -> None:
    assert set(speech(language).words.values()) == set(ENGLISH.words.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_means_two_things(language: Language) -> None:
    file = SOURCES / "texts" / f"{language}.toml"
    words = tomllib.loads(file.read_text())["words"]
    own = [word.translate(SPELLINGS) for line in words.values() for word in line.split()]
    assert len(own) == len(set(own))


@pytest.mark.parametrize(
    ("language", "typed", "word"),
    [
        ("fa", "پيك", "S"),
        ("fa", "كمک", "help"),
        ("fa", "بعداً", "later"),
        ("ar", "سباتی", "C"),
        ("ar", "كبه", "H"),
        ("ar", "ارم", "drop"),
        ("ar", "انزل", "lay"),
        ("en", "Hearts", "H"),
    ],
)
def test_a_word_is_known_in_every_keyboards_spelling(
    language: Language, typed: str, word: str
) -> None:
    assert speech(language).meaning(typed) == word


def test_what_is_not_known_is_left_as_it_was_typed() -> None:
    assert speech("ar").meaning(" سارة ") == "سارة"


def test_cards_keep_their_direction_in_a_text_that_runs_to_the_left() -> None:
    assert speech("fa").say("drawn", card="5H1").endswith("\u20685H1\u2069")
    assert ENGLISH.say("drawn", card="5H1") == "You drew: 5H1"


def test_numbers_are_in_the_languages_own_digits() -> None:
    assert [speech(one).digits(-105) for one in LANGUAGES] == [
        "\u2066-\u06f1\u06f0\u06f5\u2069",
        "\u2066-\u0661\u0660\u0665\u2069",
        "-105",
    ]


def test_every_text_is_used_and_no_other_one() -> None:
    source = "\n".join(file.read_text() for file in SOURCES.rglob("*.py"))
    named, parts = set(NAMED.findall(source)), tuple(set(PARTS.findall(source)))
    unused = {key for key in ENGLISH.texts if key not in named and not key.startswith(parts)}
    assert unused == set()
    said = set(re.findall(r'say\(\s*"([a-z_]+)"', source))
    assert len(said) > 30
    assert said <= set(ENGLISH.texts)


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "fa_IR.UTF-8"}, "fa"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "ar_SA"}, "ar"),
        ({"LANG": "de_DE"}, "en"),
        ({"LANG": ""}, "en"),
        ({}, "en"),
    ],
)
def test_the_terminals_language_is_spoken(environ: dict[str, str], language: Language) -> None:
    assert language_of(environ) == language
