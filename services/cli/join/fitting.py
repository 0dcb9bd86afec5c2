"""A line in a narrow terminal: broken between cards, where a terminal would break within one."""

from textwrap import TextWrapper
from typing import Final

from services.cli.join.speech import ISOLATE

INDENT: Final = "    "
"""Before what goes on in a next line."""
NARROWEST: Final = 16
"""Columns in which a line is still broken here; below, the terminal does."""


def fitted(line: str, columns: int | None) -> list[str]:
    """The line in lines of `columns` at most, unless a word is longer; whole where there is no
    terminal, and where a part has a direction of its own: a broken one would lose it, and such a
    terminal puts the parts in order itself.
    """
    if columns is None or columns < NARROWEST or ISOLATE in line or len(line) <= columns:
        return [line]
    width = TextWrapper(
        width=columns,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return width.wrap(line)
