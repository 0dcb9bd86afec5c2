"""Match files and match texts that a command reads."""

import sys
from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, Final, cast

from services.cli.exits import USAGE, stop
from services.replay.match_entries import as_rows
from services.replay.match_file import MatchFile, match_file
from services.replay.match_reading import Unreadable, read
from services.replay.rebuild import JUDGE
from services.replay.text.form import TextUnreadable
from services.replay.text.several import read_texts

STDIN: Final = "-"
LOOKED_AT: Final = 4_096
"""Bytes at the beginning of a file that tell which of the two it is."""
BLANK: Final = b" \t\r\n\xef\xbb\xbf"
"""What a text may begin with besides: blanks, and the mark of UTF-8."""


def matches_at(name: str) -> Iterator[MatchFile]:
    """The matches of the file of that name, `-` being stdin; stops the command as `matches_in`."""
    if name == STDIN:
        yield from matches_in(sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as source:
            yield from matches_in(source)
    except OSError as error:
        stop(USAGE, f"{name} cannot be read: {error.strerror}")


def matches_in(source: BinaryIO) -> Iterator[MatchFile]:
    """The matches of a file, one after the other; stops the command where it cannot be read on.

    Of a text they are what the judge's file of the same match says, without a signature.
    """
    name = getattr(source, "name", "<stdin>")
    file = cast("BufferedReader", source) if hasattr(source, "peek") else _buffered(source)
    try:
        yield from _texts(file) if _is_text(file) else read(file)
    except (Unreadable, TextUnreadable) as error:
        stop(USAGE, f"{name}: {error}")
    except OSError as error:
        stop(USAGE, f"{name} cannot be read: {error.strerror}")


def _buffered(source: BinaryIO) -> BufferedReader:
    """So that one can look at what comes; only a test's stdin has no buffer of its own."""
    return BufferedReader(cast("RawIOBase", source))


def _is_text(file: BufferedReader) -> bool:
    """A text begins with a tag or a comment; JSON lines with an object and its first key."""
    begin = file.peek(LOOKED_AT)[:LOOKED_AT].lstrip(BLANK)
    return begin.startswith((b"[", b"%")) or (
        begin[:1] == b"{" and begin[1:2] not in {b"", b'"', b"}"}
    )


def _texts(source: BinaryIO) -> Iterator[MatchFile]:
    return (match_file(as_rows(entries), JUDGE) for entries in read_texts(source))
