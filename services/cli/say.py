"""What the command line prints: JSON lines on stdout, prose and progress on stderr."""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click
import msgspec

from services.cli.exits import FAILED, stop


def line(value: object) -> None:
    """One JSON object a line, flushed: whoever reads a pipe sees it at once."""
    plain(msgspec.json.encode(value).decode())


def plain(text: str) -> None:
    """A line on stdout: a value that was asked for alone."""
    try:
        check_open()
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise  # whoever read has had enough: click ends the command without a word
    except OSError as error:
        forget_stdout()
        stop(FAILED, unwritable(error))


def prose(text: str) -> None:
    click.echo(text, err=True)


def foreign(text: str) -> str:
    """What others said, on one line that cannot move a terminal's cursor, colour or direction."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")


def result(value: object, text: str, *, as_json: bool) -> None:
    """The same result for a program or for a person."""
    if as_json:
        line(value)
    else:
        prose(text)


def fault(version: int, reason: str) -> str:
    """What is wrong with a match, and where; version 0 is no event's."""
    return f"version {version}: {reason}" if version else reason


def unit(score: Sequence[int], seats: int) -> str:
    """What has a score and wins: each seat, or in a game of two sides a side."""
    return "seat" if len(score) == seats else "side"


# Where stdout cannot be written ---------------------------------------------------------------


def check_open() -> None:
    """Raises OSError for a stdout that is not there."""
    if sys.stdout is None:  # Python's own way to say that a shell closed it
        raise OSError(errno.EBADF, "it is closed")


def unwritable(error: OSError) -> str:
    return f"stdout cannot be written: {error.strerror}"


def forget_stdout() -> None:
    """So that what is still buffered does not fail once more when the program ends."""
    with suppress(AttributeError, OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
