"""Sides that take turns, so that a busy machine is equally busy for all of them."""

import time
from collections.abc import Callable, Mapping

from msgspec import Struct


class Turn(Struct, frozen=True):
    """What one turn of a side did: so many events, in so many seconds."""

    events: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.events / self.seconds


Side = Callable[[int], Turn]
"""One turn of a side; it is given the turn's number and keeps what it prepares off the clock."""


def take_turns(sides: Mapping[str, Side], turns: int) -> dict[str, list[float]]:
    """Events a second of each side, turn by turn; who begins changes from turn to turn."""
    rates: dict[str, list[float]] = {name: [] for name in sides}
    names = list(sides)
    for number in range(turns):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            rates[name].append(sides[name](number).rate)
    return rates


def computed(events: int, work: Callable[[], object]) -> Turn:
    """As `timed`, for what only computes and never waits: the seconds are those of the processor,
    which others on the same machine do not lengthen.
    """
    began = time.process_time()
    work()
    return Turn(events, time.process_time() - began)


def timed(events: int, work: Callable[[], object]) -> Turn:
    """How long `work` takes, which deals with so many events."""
    began = time.perf_counter()
    work()
    return Turn(events, time.perf_counter() - began)
