"""Texts of several matches, one after the other: each begins where a line begins with its form."""

from collections.abc import Iterator
from io import TextIOWrapper
from typing import BinaryIO, Final

from msgspec import Struct

from schemas.ids import MatchId
from services.event_log.port import Entry
from services.replay.audit import Fault
from services.replay.text.form import TEXT_CHARS, TextUnreadable, TextUntrue
from services.replay.text.match_text import proven, understood

BEGINS: Final = "[Waraq "
"""The first tag. A comment may not have it where a line begins."""


class Untrue(Struct, frozen=True):
    """A text of the form that is no true match; `events`: how many the rules made of it."""

    match: MatchId
    events: int
    fault: Fault


def read_texts(source: BinaryIO) -> Iterator[tuple[Entry, ...] | Untrue]:
    """The entries of each match, or what is not true of it; raises `TextUnreadable` when it comes
    to what has not the form. Lines are counted from the beginning of the whole.
    """
    before = 0
    for text in _texts(source):
        yield _read(text, before)
        before += text.count("\n")


def _read(text: str, before: int) -> tuple[Entry, ...] | Untrue:
    """`before`: the number of lines that stand before this text."""
    try:
        said = understood(text)
    except TextUnreadable as error:
        raise TextUnreadable(before + error.line, error.reason) from None
    try:
        return proven(said)
    except TextUntrue as found:
        reason = f"line {before + found.line}: {found.reason}"
        return Untrue(said.match, found.events, Fault(found.version, reason))


def _texts(source: BinaryIO) -> Iterator[str]:
    """What stands before the first tag belongs to the first match. Never empty."""
    lines: list[str] = []
    size, begun = 0, False
    for line in _lines(source):
        if line.startswith(BEGINS) and begun:
            yield "".join(lines)
            lines, size = [], 0
        begun = begun or line.startswith(BEGINS)
        lines.append(line)
        size += len(line)
        if size > TEXT_CHARS:
            break  # reading says that it is too long
    yield "".join(lines)


def _lines(source: BinaryIO) -> Iterator[str]:
    """Bounded, whatever the file is; bytes that are no UTF-8 stay what no text may hold."""
    reader = TextIOWrapper(source, encoding="utf-8", errors="surrogateescape", newline="")
    try:
        while line := reader.readline(TEXT_CHARS + 1):
            yield line
    finally:
        reader.detach()
