"""Time as a port: in a line it is data, on a table it is a clock that tests may turn."""

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Unix time in milliseconds, for people and for lines; may jump."""
        ...

    def ticks(self) -> float:
        """Seconds since some moment; never goes back."""
        ...


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def ticks(self) -> float:
        return time.monotonic()
