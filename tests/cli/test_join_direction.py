"""Persian and Arabic in a terminal: each line runs to the left whatever stands in it, and no card,
number or command in it is torn apart. By the Unicode Bidirectional Algorithm, P2 and N1.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import pytest
from msgspec.structs import replace

from schemas.commands import HandOptions, HokmOptions, Options, PlayCard
from services.cli.join.arrival import Wishes
from services.cli.join.games import either
from services.cli.join.people import who
from services.cli.join.speech import Language, speech
from tests.bot.positions import position
from tests.cli.joining import Paper, Seat, after_lines, first, house, of_bots
from tests.table.hall import Hall

LEFTWARD: Final[tuple[Language, ...]] = ("fa", "ar")
OPENS: Final = "\u2066\u2067\u2068"
CLOSES: Final = "\u2069"
TYPED: Final = re.compile(r"[A-Za-z]+")
WORDS: Final = re.compile("[\u0620-\u064a\u067e-\u06cc]")
"""A letter of Persian or Arabic."""
SIGNED: Final = re.compile(r"[-_/][A-Za-z]|[A-Za-z][-_/]")
"""Latin with a sign beside it, that would go to the word's other side."""


def outside(line: str) -> str:
    """What of a line stands in no isolate."""
    depth, kept = 0, []
    for sign in line:
        depth -= sign in CLOSES
        if depth == 0 and sign not in OPENS + CLOSES:
            kept.append(sign)
        depth += sign in OPENS
    assert depth == 0, ascii(line)
    return "".join(kept)


def runs_to_the_left(line: str) -> bool:
    """True if a terminal that looks for the line's direction finds it (P2, P3)."""
    strong = (unicodedata.bidirectional(sign) for sign in outside(line))
    return next((one for one in strong if one in {"L", "R", "AL"}), "L") != "L"


def isolates(line: str) -> Iterator[str]:
    """What stands in each isolate of a line, the inner ones too."""
    begun: list[int] = []
    for at, sign in enumerate(line):
        if sign in OPENS:
            begun.append(at + 1)
        elif sign in CLOSES:
            yield line[begun.pop() : at]


def turned_round(line: str) -> bool:
    """True if the line, or a part of it in the language's own words, would run to the right."""
    parts = (line, *(part for part in isolates(line) if WORDS.search(part)))
    return not all(map(runs_to_the_left, parts))


def sentences(language: Language) -> Iterator[str]:
    """The lines of every text, a card where a value goes."""
    for text in speech(language).texts.values():
        yield from re.sub(r"{[a-z_]+}", "\u2068KD\u2069", text).splitlines()


@pytest.mark.parametrize(
    "options", [HokmOptions(), HandOptions(variant="saudi", seats=3, rounds=3)]
)
@pytest.mark.parametrize("language", LEFTWARD)
async def test_every_line_of_a_match_runs_to_the_left(language: Language, options: Options) -> None:
    """Each but the commands, which are to be typed, and the line that is left free."""
    async with Hall() as hall, house(hall):
        paper = Paper(after_lines(["?", "1", "?", "what", "77", "ترک", "no"], first))
        await Seat(hall, language=language).play(paper, Wishes(opening=of_bots(options).action))
    lines = [line for text in paper.lines for line in text.splitlines()]
    said = [line for line in lines if line.strip() and not line.startswith("  waraq ")]
    assert len(said) > 100
    assert [line for line in said if turned_round(line)] == []


@pytest.mark.parametrize("language", LEFTWARD)
def test_a_name_stands_behind_its_place(language: Language) -> None:
    said = replace(speech(language), called={2: "Sara"})
    assert runs_to_the_left(who(said, HokmOptions(), 0, 2))


@pytest.mark.parametrize("language", LEFTWARD)
def test_no_sign_of_what_is_to_be_typed_is_left_to_the_sentence_around_it(
    language: Language,
) -> None:
    assert [one for one in sentences(language) if SIGNED.search(outside(one))] == []


@pytest.mark.parametrize("language", LEFTWARD)
def test_each_number_of_a_list_stays_with_its_card(language: Language) -> None:
    """Arabic digits would take the cards between them along, to the other side: each pair of a
    number and a card is in an isolate, and in it the number in one of its own.
    """
    view = position("AS 7H 9H", trump="S", trick="KH")
    offered = (PlayCard(card="7H"), PlayCard(card="9H"))
    [line] = either.offer_lines(speech(language), view, offered)
    one, two = speech(language).digits(1), speech(language).digits(2)
    pair = "\u2066\u2068{}\u2069) \u2068{}\u2069\u2069"
    assert pair.format(one, "7H") + "   " + pair.format(two, "9H") in line


@pytest.mark.parametrize("language", LEFTWARD)
def test_digits_are_the_languages_own_but_in_what_is_typed(language: Language) -> None:
    for line in sentences(language):
        words = outside(line).split()
        assert not [word for word in words if re.search("[0-9]", word) and not TYPED.search(word)]
    listed = speech(language).say("which_meld", melds=(1, 23))
    assert not re.search("[0-9]", listed)


@pytest.mark.parametrize("language", LEFTWARD)
def test_what_is_answered_is_asked_in_the_letters_of_the_language(language: Language) -> None:
    asked = [text for key, text in speech(language).texts.items() if key.startswith("ask_")]
    assert not [text for text in asked if re.search(r"\[[yn]/|\([a-z]\)", text, re.IGNORECASE)]
