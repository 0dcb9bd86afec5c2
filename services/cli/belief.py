"""Whether a client believes a snapshot that is older than what it knows."""

from typing import Final

BELIEVED: Final = 3
"""So many snapshots in a row that are older than what is known are believed: the log was put back
from a copy. A single one came late.
"""


class Belief:
    """Of one match."""

    def __init__(self) -> None:
        self._older = 0

    def takes(self, told: int, *, have: int) -> bool:
        """Is a snapshot of version `told` to be taken by who is at `have`?"""
        self._older = self._older + 1 if told < have else 0
        if 0 < self._older < BELIEVED:
            return False
        self._older = 0
        return True

    def went_on(self) -> None:
        """The version after the one that is known was told: what is known is true."""
        self._older = 0
