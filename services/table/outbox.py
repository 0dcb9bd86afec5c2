"""The outbox: every committed event reaches the stream EVENTS, in order, confirmed.

The log is the outbox's store: what is not confirmed is read again from it after a take-over or a
reconnect. A second copy is dropped by the broker within its window, by readers for ever.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from schemas import subjects
from schemas.decoding import decoder
from schemas.traces import carried
from services.event_log.port import READ_ROWS, Claim, LogError, Row
from services.messaging.port import Bus, BusError, Message
from services.messaging.streams import EVENTS, EVENTS_AGE
from services.runtime.clock import Clock

UNCONFIRMED: Final = 5_000
"""Events that may be unconfirmed before the owner stops taking commands."""
SEND: Final = 500
"""Events in one confirmed publish."""
CONFIRM_WITHIN: Final = 2.0
"""Seconds until an unconfirmed publish is sent again."""
RETRY: Final = 0.25
"""Seconds between two tries."""

MARKS: Final = 2_048
"""Confirmed batches of which it is remembered where in the stream they stand."""

NO_TRACES: Final[Mapping[int, str]] = MappingProxyType({})

_log = logging.getLogger(__name__)


class Page(Protocol):
    """The rows of the partition after a position, in order, at most `limit`."""

    async def __call__(self, after: int, limit: int = READ_ROWS) -> Sequence[Row]: ...


class Mark(Struct, frozen=True):
    """The event at `position` stands at `sequence` in the stream EVENTS."""

    position: int
    sequence: int


class Outbox:
    """Sends the rows of one partition, from the position after `confirmed`."""

    def __init__(  # noqa: PLR0913 what it is made of
        self,
        bus: Bus,
        claim: Claim,
        *,
        generation: int,
        page: Page,
        clock: Clock,
        on_room: Callable[[], None],
        on_confirmed: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._bus = bus
        self._partition = claim.partition
        self._generation = generation
        self._page = page
        self._clock = clock
        self._on_room = on_room
        self._on_confirmed = on_confirmed
        self._fresh: deque[Row] = deque()
        self._marks: deque[Mark] = deque(maxlen=MARKS)
        self._again: dict[int, Message] = {}
        self._traces: dict[int, str] = {}
        self._news = asyncio.Event()
        self._done = asyncio.Event()
        self._doubted = True
        self._known_once = claim.published
        self.confirmed = claim.published
        """The last position up to which EVENTS has confirmed everything."""
        self.appended = claim.position
        """The last position that the log has."""
        self._moved = clock.ticks()

    def doubt(self) -> None:
        """The broker was away: EVENTS may have lost its tail, or all of it."""
        self._doubted = True
        self._news.set()

    def add(self, rows: Sequence[Row], traces: Mapping[int, str] = NO_TRACES) -> None:
        """Rows that were just committed, next in order; `traces`: the header of some, by position.

        The log knows no traces, so those are lost with this process, or with what is too much.
        """
        if self.confirmed >= self.appended:
            self._moved = self._clock.ticks()
        self._traces.update(traces)
        while len(self._traces) > UNCONFIRMED:
            del self._traces[next(iter(self._traces))]
        self._fresh.extend(rows)
        while len(self._fresh) > UNCONFIRMED:
            self._fresh.popleft()
        self.appended = rows[-1].position
        self._news.set()

    def say_again(self, row: Row, times: int) -> None:
        """Publish once more what some reader has not acted on, after everything before it.

        A message of EVENTS shows whoever looks back that all before it is there too: sent past
        the outbox, right after the broker lost its tail, it would hide what is missing.
        """
        self._again[row.position] = event_message(row, self._generation, again=times)
        self._news.set()

    def has_room(self) -> bool:
        """False while too many new events are unconfirmed; those sent again do not count."""
        return self.appended - max(self.confirmed, self._known_once) < UNCONFIRMED

    def stalled(self) -> float:
        """Seconds for which events have waited and none was confirmed; 0 where none wait."""
        return self._clock.ticks() - self._moved if self.confirmed < self.appended else 0.0

    async def drained(self) -> None:
        """Wait until everything is confirmed, or nothing is sent any more."""
        while self.confirmed < self.appended:
            self._done.clear()
            await self._done.wait()

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            self._news.clear()
            if self._doubted:
                await self._look_back()
            elif again := [at for at in self._again if at <= self.confirmed]:
                await self._send_again([self._again.pop(at) for at in again])
            elif self.confirmed < self.appended:
                await self._send_some()
            else:
                await self._news.wait()

    async def _look_back(self) -> None:
        """Begin again after the last event that EVENTS surely has with all before it."""
        self._doubted = False
        try:
            there = await self._still_there()
        except (BusError, LogError) as error:
            _log.warning("the stream of events does not answer", extra={"reason": str(error)})
            await asyncio.sleep(RETRY)
            self._doubted = True
            return
        self._known_once = max(self._known_once, self.confirmed)
        self._set_confirmed(min(self.confirmed, there))

    async def _still_there(self) -> int:
        """A stream that was cut is cut at its end, so the marks are sought from there."""
        if not self._marks:
            last = await self._bus.last(EVENTS, subjects.events_of(self._partition))
            return position_of(last) if last else await self._before_kept()
        if await self._stands(self._marks[-1]):
            return self.confirmed
        low, high = 0, len(self._marks)
        while low < high:
            middle = (low + high) // 2
            if await self._stands(self._marks[middle]):
                low = middle + 1
            else:
                high = middle
        while len(self._marks) > low:
            self._marks.pop()
        return self._marks[-1].position if self._marks else await self._before_kept()

    async def _stands(self, mark: Mark) -> bool:
        found = await self._bus.stored(EVENTS, mark.sequence)
        name = subjects.message_id(self._generation, self._partition, mark.position)
        return found is not None and found.headers.get(subjects.MSG_ID_HEADER) == name

    async def _before_kept(self) -> int:
        """The position before the first event that EVENTS would not have dropped for its age."""
        since = self._clock.now() - round(EVENTS_AGE * 1000)
        low, high = 0, self.appended
        while low < high:
            middle = (low + high) // 2
            page = await self._page(middle, 1)
            if not page or _is_kept(page[0], since):
                high = middle
            else:
                low = middle + 1
        return low

    async def _send_some(self) -> None:
        start = self.confirmed
        try:
            rows = await self._next_rows()
            if self._doubted:  # the broker was away meanwhile: first see what it has lost
                return
            messages = [self._message(row) for row in rows]
            sequence = await self._bus.publish_confirmed(messages, within=CONFIRM_WITHIN)
        except (BusError, LogError) as error:
            _log.warning("events are not confirmed", extra={"reason": str(error)})
            await asyncio.sleep(RETRY)
            return
        if not rows:  # the log has fewer rows than it says: only the audit can tell why
            await asyncio.sleep(RETRY)
        elif self.confirmed == start and not self._doubted:
            self._marks.append(Mark(rows[-1].position, sequence))
            self._set_confirmed(rows[-1].position)

    def _message(self, row: Row) -> Message:
        return event_message(row, self._generation, trace=self._traces.get(row.position))

    async def _send_again(self, messages: Sequence[Message]) -> None:
        """Once: whoever asked for it asks once more while it waits."""
        try:
            await self._bus.publish_confirmed(messages, within=CONFIRM_WITHIN)
        except BusError as error:
            _log.warning("events are not said again", extra={"reason": str(error)})

    async def _next_rows(self) -> Sequence[Row]:
        while self._fresh and self._fresh[0].position <= self.confirmed:
            self._fresh.popleft()
        if self._fresh and self._fresh[0].position == self.confirmed + 1:
            return [self._fresh[i] for i in range(min(SEND, len(self._fresh)))]
        return await self._page(self.confirmed, SEND)

    def _set_confirmed(self, position: int) -> None:
        had_room = self.has_room()
        if position > self.confirmed:
            self._moved = self._clock.ticks()
        self.confirmed = position
        while self._traces and (oldest := next(iter(self._traces))) <= position:
            del self._traces[oldest]
        self._done.set()
        self._on_confirmed(position)
        if not had_room and self.has_room():
            self._on_room()


def event_message(
    row: Row, generation: int, *, again: int = 0, trace: str | None = None
) -> Message:
    """The row as it is published; `again` counts the times it is said once more on purpose."""
    entry = row.entry
    name = subjects.message_id(generation, row.partition, row.position)
    return Message(
        subject=subjects.event(row.partition, entry.type),
        data=entry.line.encode(),
        headers={
            subjects.MSG_ID_HEADER: f"{name}:again{again}" if again else name,
            subjects.HEAD_HEADER: entry.head,
            **carried(trace),
        },
    )


class _Dated(Struct):
    time: int


_decode_time = decoder(_Dated)


def _is_kept(row: Row, since: int) -> bool:
    """False for what EVENTS would have dropped by now; a line that nobody can read is sent too."""
    try:
        dated: _Dated = _decode_time(row.entry.line)
    except msgspec.DecodeError:
        return True
    return dated.time >= since


def position_of(message: Message) -> int:
    """The position in a published event's `Nats-Msg-Id`."""
    return int(message.headers[subjects.MSG_ID_HEADER].split(":")[2])
