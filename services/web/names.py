"""What may be a display name: others are shown it, so it may play no tricks on a screen."""

import unicodedata
from itertools import pairwise
from typing import Final

from msgspec import Struct

NAME_CHARS: Final = 24
"""Code points of a name."""
MARKS_IN_A_ROW: Final = 3
"""Accents and vowel signs over one letter; more of them run over the lines beside."""
_JOINERS: Final = "\u200c\u200d"  # Persian spelling needs the one, many emoji the other
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, bidi overrides and isolates among them, and what no font shows."""
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Letters and symbols by their class, and nothing to be seen."""


class NameRefused(Struct, frozen=True):
    """Why a name is not taken, in words for whoever chose it."""

    why: str


def proper_name(said: str) -> str | NameRefused:
    """The name as it is kept: composed (NFC), no space or joiner around it."""
    name = unicodedata.normalize("NFC", said).strip().strip(_JOINERS).strip()
    if not 1 <= len(name) <= NAME_CHARS:
        return NameRefused(f"a name has 1 to {NAME_CHARS} characters")
    if any(_invisible(char) for char in name):
        return NameRefused("a name has no control or direction characters")
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        return NameRefused("a name has at least one character that is seen")
    if not _joined_well(name):
        return NameRefused("a joiner stands alone between two characters that are seen")
    if unicodedata.category(name[0])[0] == "M":
        return NameRefused("a name does not begin with a mark")
    if _marks_in_a_row(name) > MARKS_IN_A_ROW:
        return NameRefused(f"a letter has at most {MARKS_IN_A_ROW} marks")
    return name


def _invisible(char: str) -> bool:
    return char in _BLANK or (char not in _JOINERS and unicodedata.category(char) in INVISIBLE)


def _joined_well(name: str) -> bool:
    """False for joiners that join nothing: nobody sees them, and with them one name is many."""
    empty = {*_JOINERS, " "}
    return not any({one, other} <= empty and one + other != "  " for one, other in pairwise(name))


def _marks_in_a_row(name: str) -> int:
    """Joiners do not count, nor do they begin another letter."""
    most = here = 0
    for char in name:
        if char in _JOINERS:
            continue
        here = here + 1 if unicodedata.category(char)[0] == "M" else 0
        most = max(most, here)
    return most
