"""What is said to the person, in Persian, Arabic or English: the texts are in `texts/`, and those
of refusals and reasons in `schemas/texts/`, for they are every client's.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from types import MappingProxyType
from typing import Final, Literal, get_args

from msgspec import Struct

from schemas.advice import Reason
from schemas.ids import Seat
from schemas.refusals import Refusal

Language = Literal["fa", "ar", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
RIGHT_TO_LEFT: Final = ("fa", "ar")
ISOLATE: Final = "\u2068"
"""Begins what stands in a text with a direction of its own, such as cards in Persian."""
TO_THE_RIGHT: Final = "\u2066"
"""Begins what runs from left to right whatever stands in it."""
POP: Final = "\u2069"
ZEROS: Final[Mapping[Language, int]] = {"en": 0x30, "fa": 0x6F0, "ar": 0x660}
"""The code point of the language's own 0; the other digits follow it."""
SPELLINGS: Final = str.maketrans(
    "يىكةأإآ", "ییکهااا", "\u200c\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652"
)
"""To one spelling of what Persian and Arabic keyboards, and hands, write in several: yeh, kaf,
teh marbuta, alef; signs of vowels and the joiner are left out.
"""
CARDS: Final = ": {cards}"
"""What is left out of a reason that names no cards."""
ASCII_DIGITS: Final = {zero + digit: str(digit) for zero in ZEROS.values() for digit in range(10)}


class Speech(Struct, frozen=True):
    """The texts of one language. `words`: what a person may type, in it and in English, to what
    it means. `reasons`: by the codes of the master's look. `called`: the names of those at the
    table, as they may be shown, by their seats.
    """

    language: Language
    texts: Mapping[str, str]
    refusals: Mapping[str, str]
    reasons: Mapping[str, str]
    words: Mapping[str, str]
    called: Mapping[Seat, str] = MappingProxyType({})

    def say(self, text: str, /, **values: object) -> str:
        """The text of that name; of the values, numbers are put in the language's own digits and
        several cards in a row.
        """
        return self.texts[text].format(**{name: self.put(value) for name, value in values.items()})

    def refusal(self, code: Refusal) -> str:
        return self.refusals[code.value]

    def reason(self, reason: Reason) -> str:
        """The sentence, with its cards where there are any."""
        text = self.reasons[reason.why]
        if not reason.cards:
            return text.replace(CARDS, "")
        return text.format(cards=self.put(reason.cards))

    def meaning(self, word: str) -> str:
        """The command or the suit that `word` means, else the word itself, in lower case."""
        found = word.strip().lower()
        return self.words.get(found.translate(SPELLINGS), found)

    def put(self, value: object) -> str:
        """A value as it stands in a text."""
        if isinstance(value, int):
            return self.digits(value)
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = " ".join(self.digits(one) if isinstance(one, int) else one for one in value)
        return f"{ISOLATE}{value}{POP}" if self.language in RIGHT_TO_LEFT else f"{value}"

    def quote(self, name: str) -> str:
        """A stranger's name in quotation marks, and in a direction of its own."""
        foreign = self.language in RIGHT_TO_LEFT or not name.isascii()
        return self.texts["quoted"].format(name=f"{ISOLATE}{name}{POP}" if foreign else name)

    def digits(self, number: int) -> str:
        """In the language's own digits, the sign before them also where text runs to the left."""
        own = {ord(str(digit)): chr(ZEROS[self.language] + digit) for digit in range(10)}
        text = str(number).translate(own)
        signed = number < 0 and self.language in RIGHT_TO_LEFT
        return f"{TO_THE_RIGHT}{text}{POP}" if signed else text


def speech(language: Language) -> Speech:
    """The texts of `language`, read from the package."""
    own, english = _read(language), _read("en")
    return Speech(
        language=language,
        texts=own["say"],
        refusals=_for_every_client(f"{language}.json"),
        reasons=_for_every_client("reasons", f"{language}.json"),
        words=_meanings(english["words"]) | _meanings(own["words"]),
    )


def language_of(environ: Mapping[str, str]) -> Language:
    """What the terminal speaks, English where it is none of the three."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    stated = next((environ[name] for name in names if environ.get(name)), "")
    return next((one for one in LANGUAGES if stated.startswith(one)), "en")


def _read(language: Language) -> dict[str, dict[str, str]]:
    file = resources.files("services.cli.join").joinpath("texts", f"{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _for_every_client(*path: str) -> dict[str, str]:
    file = resources.files("schemas.texts").joinpath(*path)
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _meanings(words: Mapping[str, str]) -> dict[str, str]:
    return {
        word.translate(SPELLINGS): meaning
        for meaning, line in words.items()
        for word in line.split()
    }
