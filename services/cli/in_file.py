"""Match files that a command reads."""

from collections.abc import Iterator
from typing import BinaryIO

from services.cli.exits import USAGE, stop
from services.replay.match_file import MatchFile
from services.replay.match_reading import Unreadable, read


def matches_in(source: BinaryIO) -> Iterator[MatchFile]:
    """The matches of a file, one after the other; stops the command where it cannot be read on."""
    name = getattr(source, "name", "<stdin>")
    try:
        yield from read(source)
    except Unreadable as error:
        stop(USAGE, f"{name}: {error}")
    except OSError as error:
        stop(USAGE, f"{name} cannot be read: {error.strerror}")
