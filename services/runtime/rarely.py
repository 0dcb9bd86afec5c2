"""Lines of what may happen again and again: the first at once, of more one now and then."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

EVERY: Final = 600.0
"""Seconds between two lines at least."""


class Rarely:
    """Says a warning to `log`, with how often it was since the line before. For several threads."""

    def __init__(
        self, log: logging.Logger, said: str, *, ticks: Callable[[], float] = time.monotonic
    ) -> None:
        self._log = log
        self._said = said
        self._ticks = ticks
        self._lock = threading.Lock()
        self._times = 0
        self._next: float | None = None

    def say(self, reason: str) -> None:
        with self._lock:
            self._times += 1
            now = self._ticks()
            if self._next is not None and now < self._next:
                return
            times, self._times, self._next = self._times, 0, now + EVERY
        self._log.warning(self._said, extra={"reason": reason, "times": times})
