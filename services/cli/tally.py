"""What became of the matches that a command was to export."""

from typing import NoReturn

from services.cli.exits import DIFFERENCE, NOT_FOUND, USAGE, stop


class Tally:
    """So many matches each."""

    def __init__(self) -> None:
        self.written = self.left_out = self.damaged = 0

    @property
    def taken(self) -> int:
        """All of them."""
        return self.written + self.left_out + self.damaged

    def sums(self) -> str:
        return f"{self.written} written, {self.left_out} left out, {self.damaged} damaged"

    def refuse(self, *, one: bool) -> NoReturn:
        """Stop the command, for nothing was written; `one`: of a match that was named."""
        if self.damaged:
            stop(DIFFERENCE, "nothing is written: see `waraq audit --all`")
        if self.left_out or one:
            stop(USAGE, "nothing is written")
        stop(NOT_FOUND, "nothing is written: the log has no match yet")
