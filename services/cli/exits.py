"""Exit codes, and how a command stops with one."""

from typing import Final, NoReturn

import click

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
"""Also input that cannot be read."""
NOT_FOUND: Final = 3
DIFFERENCE: Final = 4
UNREACHABLE: Final = 5
"""The broker or the database."""
INTERRUPTED: Final = 130
"""As a shell says of what Ctrl-C has ended: 128 and the signal's number."""


class Stop(click.ClickException):
    """Ends the command: the message on stderr, the code to the shell."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance


def stop(code: int, message: str) -> NoReturn:
    """End the command with `code`; the message says what to do next."""
    raise Stop(code, message)
