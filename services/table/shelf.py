"""The matches that an owner keeps at hand: open ids, live states, what each waits for."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from services.runtime.alarms import Alarms
from services.table.live import LiveMatch
from services.table.waits import Wait, taken_over, tried, wait_for

MOST_LIVE: Final = 4_096
"""Matches in memory; others are rebuilt from the log when they are needed."""


class Shelf:
    """`open`: ids of all open matches, in memory or not; `broken`: those that cannot be folded."""

    def __init__(self, open_matches: Iterable[str]) -> None:
        self.open: set[str] = set(open_matches)
        self.broken: set[str] = set()
        self.live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._waits: dict[str, Wait] = {}
        self._alarms = Alarms()

    def put(self, live: LiveMatch, now: float) -> Wait | None:
        """Keep the match as it is now; what it waits for if that is new, else None."""
        match = live.match
        self.live[match] = live
        self.live.move_to_end(match)
        while len(self.live) > MOST_LIVE:
            self.live.popitem(last=False)
        (self.open.discard if live.state.over else self.open.add)(match)
        return self._await(live, now)

    def take_over(self, live: LiveMatch, now: float) -> None:
        """Keep a match that another owner served before: its seat gets some time more."""
        self.put(live, now)
        wait = self._waits.get(live.match)
        if wait is not None:
            self._set(live.match, taken_over(wait, now))

    def wait(self, match: str) -> Wait | None:
        return self._waits.get(match)

    def tried(self, match: str, now: float) -> None:
        """One more try was made to get what the match waits for."""
        wait = self._waits.get(match)
        if wait is not None:
            self._set(match, tried(wait, now))

    def ring(self, now: float, most: int) -> tuple[str, ...]:
        """Matches whose alarm is due."""
        return self._alarms.ring(now, most)

    def next_alarm(self) -> float | None:
        return self._alarms.next()

    def _await(self, live: LiveMatch, now: float) -> Wait | None:
        old = self._waits.get(live.match)
        wait = wait_for(live.state, now, old)
        if wait is None:
            self._waits.pop(live.match, None)
            self._alarms.clear(live.match)
            return None
        self._set(live.match, wait)
        return wait if wait is not old else None

    def _set(self, match: str, wait: Wait) -> None:
        self._waits[match] = wait
        self._alarms.set(match, wait.next)
