"""Match files and match texts that a command reads."""

import os
import re
import sys
from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, Final, cast

from services.cli.exits import NOT_FOUND, USAGE, stop
from services.replay.match_entries import as_rows
from services.replay.match_file import MatchFile, match_file
from services.replay.match_reading import Unreadable, read
from services.replay.rebuild import JUDGE
from services.replay.text.form import TextUnreadable
from services.replay.text.several import Untrue, read_texts

STDIN: Final = "-"
LOOKED_AT: Final = 4_096
"""Bytes at the beginning of a file that tell which of the two it is."""
BLANK: Final = b" \t\r\n\xef\xbb\xbf"
"""What a text may begin with besides: blanks, and the mark of UTF-8."""
OBJECT: Final = re.compile(rb'\{\s*(?:["}]|$)')
"""How JSON begins, on one line or on several; in a text a brace and then words are a comment."""

Found = MatchFile | Untrue
"""A match, or a text that can be read and is none."""


def is_missing(name: str) -> bool:
    """True if there is no file of that name; stdin is always there."""
    return name != STDIN and not os.path.exists(name)  # noqa: PTH110 a Path raises at a long name


def matches_at(name: str) -> Iterator[Found]:
    """The matches of the file of that name, `-` being stdin, one after the other; stops the command
    where it cannot be read on.

    Of a text they are what the judge's file of the same match says, without a signature.
    """
    if name == STDIN:
        yield from _matches_in(sys.stdin.buffer, "<stdin>")
        return
    try:
        with Path(name).open("rb") as source:
            yield from _matches_in(source, name)
    except FileNotFoundError:
        stop(NOT_FOUND, f"there is no file {name!a}")
    except OSError as error:
        stop(USAGE, f"{name} cannot be read: {error.strerror}")


def _matches_in(source: BinaryIO, name: str) -> Iterator[Found]:
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
    return begin.startswith((b"[", b"%", b"{")) and not OBJECT.match(begin)


def _texts(source: BinaryIO) -> Iterator[Found]:
    for found in read_texts(source):
        yield found if isinstance(found, Untrue) else match_file(as_rows(found), JUDGE)
