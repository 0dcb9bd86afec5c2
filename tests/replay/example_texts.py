"""Texts of real matches that are kept: the page's, and one in which nearly all is to be seen."""

from pathlib import Path
from typing import Final

_HERE = Path(__file__).parent
SAUDI: Final = (_HERE / "texts" / "saudi.txt").read_text()
"""A whole match of Hand at four seats."""
_PAGE = (_HERE.parents[1] / "docs" / "match-text.md").read_text()
HOKM, SAUDI_SHOWN = (part.partition("```")[0] for part in _PAGE.split("```text\n")[1:])
"""The page's two blocks: a whole match of Hokm, and lines of one round of `SAUDI`."""
