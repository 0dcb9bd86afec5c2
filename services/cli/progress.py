"""How far long work has come, on stderr: in place on a terminal, now and then a line elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

import click

ON_TERMINAL: Final = 0.2
"""Seconds between two reports that a person watches."""
WIPE: Final = "\r\033[K"
"""Back to the line's start, and nothing left of it."""
IN_A_FILE: Final = 10.0
"""Seconds between two lines where nobody may be watching."""

T = TypeVar("T")


class Progress:
    """`total` in the same `unit` as what is reported; it may grow meanwhile, and may be unknown."""

    def __init__(self, unit: str, total: int = 0) -> None:
        self._unit, self._total = unit, total
        self._watched = sys.stderr.isatty()
        self._next = time.monotonic() + (ON_TERMINAL if self._watched else IN_A_FILE)
        self._shown = False

    def report(self, done: int) -> None:
        """`done` so far; says so if it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (ON_TERMINAL if self._watched else IN_A_FILE)
        share = (
            f" of {self._total}, {100 * done // self._total} %" if 0 < done <= self._total else ""
        )
        start = WIPE if self._watched else ""
        click.echo(f"{start}{done} {self._unit}{share}", err=True, nl=not self._watched)
        self._shown = self._watched

    def over(self, work: Iterable[T]) -> Iterator[T]:
        """`work`, each piece of which is one more."""
        for done, piece in enumerate(work, 1):
            self.report(done)
            yield piece

    def clear(self) -> None:
        """Leave an empty line for what is said next."""
        if self._shown:
            click.echo(WIPE, err=True, nl=False)
            self._shown = False
