"""How long commands take: from when each came to the log, and on to the stream EVENTS."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from services.event_log.port import Row
from services.runtime.clock import Clock
from services.table.metrics import TableMetrics
from services.table.outbox import UNCONFIRMED
from services.table.stage import Stage
from services.table.work import Work

WAITING: Final = 2 * UNCONFIRMED
"""Commands whose confirmation is waited for; of more the oldest are not measured."""


class Timing:
    """Of one tenure. Added up over all matches: what one command took is told to nobody."""

    def __init__(self, metrics: TableMetrics, clock: Clock) -> None:
        self._metrics = metrics
        self._clock = clock
        self._waiting: deque[tuple[int, float]] = deque(maxlen=WAITING)

    def appended(self, work: Work, stage: Stage, rows: Sequence[Row]) -> None:
        """These rows are in the log now; `stage` has the commands of `work` that led to them."""
        # By the very message: others may name the same id, and even the same match.
        came = {id(one.heard): one.came for one in work.said}
        now = self._clock.ticks()
        for row in rows:
            heard = stage.accepted.get((row.entry.stream, row.entry.command or ""))
            began = came.get(id(heard))
            if heard is not None and began is not None:
                self._metrics.appended_seconds.observe(now - began)
                self._waiting.append((row.position, began))

    def confirmed(self, position: int) -> None:
        """EVENTS has all up to there. What a broker has lost is sent again, and measured once."""
        now = self._clock.ticks()
        while self._waiting and self._waiting[0][0] <= position:
            _, began = self._waiting.popleft()
            self._metrics.confirmed_seconds.observe(now - began)
