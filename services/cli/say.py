"""What the command line prints: JSON lines on stdout, prose and progress on stderr."""

import sys
from collections.abc import Sequence

import click
import msgspec


def line(value: object) -> None:
    """One JSON object a line, flushed: whoever reads a pipe sees it at once."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def prose(text: str) -> None:
    click.echo(text, err=True)


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
