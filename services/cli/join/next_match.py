"""The match after this one, as somebody tells it who has opened it."""

from typing import Final

from msgspec import Struct

from schemas.ids import MatchId, matches

CODE: Final = "--code"
CODE_CHARS: Final = 64
"""Letters of a code that are looked at; none that is right has more."""


class Next(Struct, frozen=True):
    """A match to go to, and the code of an invitation to it."""

    match: MatchId
    code: str | None


def next_match(line: str) -> Next | None:
    """The match that `line` names: its id and perhaps a code, or the whole command."""
    words = line.replace(f"{CODE}=", f"{CODE} ").split()
    at = next((at for at, word in enumerate(words) if matches(word, MatchId)), None)
    if at is None:
        return None
    code = _code(words[at + 1 :])
    return Next(words[at], None if code is None else code[:CODE_CHARS])


def _code(words: list[str]) -> str | None:
    """What stands behind `--code`, or where nothing does, the first word."""
    if CODE in words[:-1]:
        return words[words.index(CODE) + 1]
    return next((word for word in words[:1] if not word.startswith("-")), None)
