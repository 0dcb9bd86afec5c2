"""The players' words of docs/glossary.md are those of the refusals and the terminal."""

import re
from pathlib import Path
from typing import Final

import pytest

from services.cli.join.speech import SPELLINGS, Language, speech

GLOSSARY: Final = Path(__file__).parents[2] / "docs" / "glossary.md"
ROW: Final = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
COLUMNS: Final[dict[Language, int]] = {"fa": 1, "ar": 2}


def words(language: Language) -> list[str]:
    """Those of one column, each by itself."""
    players = GLOSSARY.read_text().partition("## What players read")[2]
    rows = [row for row in ROW.findall(players) if row[0] != "word"]
    return [word for row in rows for word in row[COLUMNS[language]].split(", ")]


@pytest.mark.parametrize("language", COLUMNS)
def test_each_word_of_the_glossary_is_used(language: Language) -> None:
    said = speech(language)
    text = " ".join([*said.texts.values(), *said.refusals.values(), *said.words])
    listed = words(language)
    assert len(listed) > 30
    assert [
        word for word in listed if word.translate(SPELLINGS) not in text.translate(SPELLINGS)
    ] == []
