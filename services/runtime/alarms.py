"""A heap of alarms, one for each key: setting one again replaces it."""

import heapq

from msgspec import Struct


class _Alarm(Struct, frozen=True, order=True):
    due: float
    key: str


class Alarms:
    """`due` is in the seconds of `Clock.ticks`."""

    def __init__(self) -> None:
        self._due: dict[str, float] = {}
        self._heap: list[_Alarm] = []

    def __len__(self) -> int:
        return len(self._due)

    def set(self, key: str, due: float) -> None:
        if self._due.get(key) == due:
            return
        self._due[key] = due
        heapq.heappush(self._heap, _Alarm(due, key))

    def clear(self, key: str) -> None:
        self._due.pop(key, None)

    def next(self) -> float | None:
        """When the earliest alarm is due, None if there is none."""
        self._drop_replaced()
        return self._heap[0].due if self._heap else None

    def ring(self, now: float, most: int) -> tuple[str, ...]:
        """Take out the keys that are due at `now`, the earliest first, at most `most`."""
        rung: list[str] = []
        while len(rung) < most and (due := self.next()) is not None and due <= now:
            alarm = heapq.heappop(self._heap)
            del self._due[alarm.key]
            rung.append(alarm.key)
        return tuple(rung)

    def _drop_replaced(self) -> None:
        while self._heap and self._due.get(self._heap[0].key) != self._heap[0].due:
            heapq.heappop(self._heap)
