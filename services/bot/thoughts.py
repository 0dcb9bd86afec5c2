"""How long bots think, told of many turns at once: of one turn it might tell of its cards.

A bot that has one card to play thinks for some hundredths of a millisecond, one that searches a
thousand times as long. Whoever may look at the numbers now and then shall not read that off them.
"""

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.metrics_core import Metric

LABELS: Final = ("game", "level")
SECONDS: Final = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
TOGETHER: Final = 20
"""Turns of a game and level that are told at once; of fewer nothing is told."""


class Thoughts:
    """`waraq_thought_seconds`. What a look finds is put there whole: it is asked for in threads of
    its own, and one in the midst of a batch would find a single turn.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self._histogram = Histogram(
            "waraq_thought_seconds",
            f"From a turn taken up to what is said on it, told of {TOGETHER} turns at once.",
            LABELS,
            buckets=SECONDS,
            registry=None,
        )
        self._held: dict[tuple[str, str], list[float]] = {}
        self._told = tuple(self._histogram.collect())
        if registry is not None:
            registry.register(self)

    def add(self, game: str, level: str, seconds: float) -> bool:
        """Of one turn, once it is answered; True if it is told now, with others."""
        held = self._held.setdefault((game, level), [])
        held.append(seconds)
        if len(held) < TOGETHER:
            return False
        for one in self._held.pop((game, level)):
            self._histogram.labels(game, level).observe(one)
        self._told = tuple(self._histogram.collect())
        return True

    def collect(self) -> Iterable[Metric]:
        """As a registry asks for it."""
        return self._told

    def describe(self) -> Iterable[Metric]:
        """As a registry asks for it."""
        return self._histogram.describe()


def in_twenties(count: int) -> int:
    """So many of them as are whole `TOGETHER`s: what few matches do is not told."""
    return count - count % TOGETHER
