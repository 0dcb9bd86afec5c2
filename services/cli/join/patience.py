"""When who hears nothing asks: the last message may be lost, and no gap shows that."""

import time
from typing import Final

from services.cli.client import ASK_AGAIN

FIRST: Final = 2.0
"""Seconds until one who misses something asks again; each pause is twice the one before."""
SILENCE: Final = 4.0
"""Seconds without news until one asks at all."""
AWAY: Final = 90.0
"""Seconds of silence until a seat that the house plays asks: an ask gives the seat back to its
owner (H24), who is not there. No table that lives is silent for so long.
"""


class Patience:
    """Ask it often; it says when."""

    def __init__(self) -> None:
        self._version = -1
        self._pause = SILENCE
        self._next = 0.0
        self._gap = False

    def asks(self, version: int, *, gap: bool, away: bool) -> bool:
        """True if it is time to ask for a snapshot."""
        now = time.monotonic()
        if version != self._version or gap != self._gap:
            self._version, self._gap = version, gap
            self._pause = FIRST if gap else AWAY if away else SILENCE
            self._next = now if gap else now + self._pause
        if now < self._next:
            return False
        self._pause = min(2 * self._pause, max(ASK_AGAIN, AWAY if away else 0.0))
        self._next = now + self._pause
        return True
