"""What the auth worker counts, and says once in a while: never who, never a token."""

import asyncio
import logging
from collections import Counter
from typing import Final

from services.auth.doorman import Doorman, answer_login
from services.auth.metrics import AuthMetrics
from services.auth.turnstile import Turnstile
from services.runtime.clock import Clock
from services.runtime.tasks import happens

SAY_EVERY: Final = 60.0
"""Seconds between two lines about log-ins: whoever tries ten thousand tokens fills no disk."""

_log = logging.getLogger(__name__)


class Logins:
    """Answers log-ins and counts them; who logs in too often is refused."""

    def __init__(self, doorman: Doorman, clock: Clock, metrics: AuthMetrics | None = None) -> None:
        self._metrics = metrics or AuthMetrics()
        self._doorman = doorman
        self._clock = clock
        self._turnstile = Turnstile(clock)
        self._counts: Counter[str] = Counter()

    def answer(self, request: bytes) -> bytes | None:
        now, stops = self._clock.now(), self._turnstile.stops
        answered = answer_login(self._doorman, request, now, stops)
        self._counts[answered.verdict] += 1
        self._metrics.logins.labels(answered.verdict).inc()
        return answered.data

    async def tell(self, stop: asyncio.Event) -> None:
        """Say how many came in and how many did not, until asked to stop."""
        while not await happens(stop, SAY_EVERY):
            self.say()
        self.say()

    def say(self) -> None:
        if self._counts:
            _log.info("log-ins", extra={"logins": dict(self._counts)})
        self._counts.clear()
