"""The matches that an owner keeps at hand: open ids, live states, what each waits for."""

import logging
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from services.runtime.alarms import Alarms
from services.table.live import LiveMatch
from services.table.owned import Owned
from services.table.waits import Wait, holds, taken_over, tried, wait_for

MOST_LIVE: Final = 4_096
"""Matches in memory between turns; others are rebuilt from the log when they are needed."""
LOOK_AGAIN: Final = 1.0
"""Seconds until a match whose alarm could not be seen to is looked at again."""
MOST_BURIED: Final = 10_000
"""Dead commands remembered, so that each is buried once however often it is said."""

_log = logging.getLogger(__name__)


class Shelf:
    """`open`: ids of all open matches, in memory or not; `broken`: those that cannot be played."""

    def __init__(self, open_matches: Iterable[str], *, pace: float = 0.0) -> None:
        self._pace = pace
        self.open: set[str] = set(open_matches)
        self.owned = Owned()
        self.broken: set[str] = set()
        self.buried: OrderedDict[tuple[str, str], None] = OrderedDict()
        self.live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._waits: dict[str, Wait] = {}
        self._alarms = Alarms()

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """Those that are not in memory; the others are kept there for this turn."""
        found = []
        for match in wanted:
            if match in self.live:
                self.live.move_to_end(match)
            elif match not in self.broken:
                found.append(match)
        return found

    def put(self, live: LiveMatch, now: float) -> Wait | None:
        """Keep the match as it is now; what it waits for if that is new, else None."""
        try:
            return self._put(live, now)
        except Exception:  # noqa: BLE001 whatever is wrong with one match is its own
            _log.exception("a match waits for nothing that can come", extra={"match": live.match})
            self.give_up(live.match)
            return None

    def take_over(self, live: LiveMatch, now: float) -> None:
        """Keep a match that another owner served before: its seat gets some time more."""
        self.put(live, now)
        wait = self._waits.get(live.match)
        if wait is not None:
            self._set(live.match, taken_over(wait, now))

    def give_time(self, now: float) -> None:
        """Each seat gets some time more, as after a take-over."""
        for match, wait in list(self._waits.items()):
            self._set(match, taken_over(wait, now))

    def give_up(self, match: str) -> None:
        """The match cannot be played on; whoever speaks to it is told `fault`."""
        self.broken.add(match)
        self.live.pop(match, None)
        self._waits.pop(match, None)
        self._alarms.clear(match)

    def evict(self) -> None:
        """Let go of what was not needed for longest. Call it between turns only."""
        while len(self.live) > MOST_LIVE:
            self.live.popitem(last=False)

    def bury(self, match: str, command: str) -> bool:
        """True if this command was not buried before."""
        key = (match, command)
        new = key not in self.buried
        self.buried[key] = None
        if len(self.buried) > MOST_BURIED:
            self.buried.popitem(last=False)
        return new

    def wait(self, match: str) -> Wait | None:
        return self._waits.get(match)

    def steady(self, live: LiveMatch) -> int:
        """Milliseconds that a bot holds its answer in this match."""
        return round(1_000 * holds(live.state, self._pace))

    def tried(self, match: str, now: float) -> None:
        """One more try was made to get what the match waits for."""
        wait = self._waits.get(match)
        if wait is not None:
            self._set(match, tried(wait, now))

    def look_again(self, match: str, now: float) -> None:
        """The alarm rang and nothing could be done: it rings again soon."""
        if match in self._waits:
            self._alarms.set(match, now + LOOK_AGAIN)

    def ring(self, now: float, most: int) -> tuple[str, ...]:
        """Matches whose alarm is due."""
        return self._alarms.ring(now, most)

    def next_alarm(self) -> float | None:
        return self._alarms.next()

    def _put(self, live: LiveMatch, now: float) -> Wait | None:
        match = live.match
        old = self._waits.get(match)
        wait = wait_for(live.state, now, old, pace=self._pace)
        self.live[match] = live
        self.live.move_to_end(match)
        if live.state.over:
            self.open.discard(match)
            self.owned.closed(match)
        else:
            self.open.add(match)
            self.owned.opened(match, live.state.opened.owner)
        if wait is None:
            self._waits.pop(match, None)
            self._alarms.clear(match)
            return None
        self._set(match, wait)
        return wait if wait is not old else None

    def _set(self, match: str, wait: Wait) -> None:
        self._waits[match] = wait
        self._alarms.set(match, wait.next)
