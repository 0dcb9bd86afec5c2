"""Whose the open matches are: one player has only so many of a partition."""

from collections import Counter
from typing import Final

OPEN_EACH: Final = 50
"""Open matches of one player in one partition, from which on no other of his is opened. Each costs
memory, and the bots' time and room in the log when people leave it to them.
"""


class Owned:
    """The owner of each open match that was in memory since the partition was claimed."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def opened(self, match: str, owner: str) -> None:
        if match not in self._owners:
            self._owners[match] = owner
            self._counts[owner] += 1

    def closed(self, match: str) -> None:
        owner = self._owners.pop(match, None)
        if owner is not None:
            self._counts[owner] -= 1
            if not self._counts[owner]:
                del self._counts[owner]

    def count(self, player: str) -> int:
        """How many open matches are that player's."""
        return self._counts[player]
