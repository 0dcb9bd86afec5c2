"""The outbox: every committed event reaches the stream EVENTS, in order, confirmed.

The log is the outbox's store: what is not confirmed is read again from it after a take-over or a
reconnect. A second copy is dropped by the broker within its window, by readers for ever.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from schemas import subjects
from schemas.decoding import decoder
from services.event_log.port import LogError, Row
from services.messaging.port import Bus, BusError, Message
from services.messaging.streams import EVENTS, EVENTS_AGE

UNCONFIRMED: Final = 5_000
"""Events that may be unconfirmed before the owner stops taking commands."""
SEND: Final = 500
"""Events in one confirmed publish."""
CONFIRM_WITHIN: Final = 2.0
"""Seconds until an unconfirmed publish is sent again."""
RETRY: Final = 0.25
"""Seconds between two tries."""

Page = Callable[[int], Awaitable[Sequence[Row]]]
"""The rows of the partition after a position, in order."""

_log = logging.getLogger(__name__)


class Outbox:
    """Sends the rows of one partition, from the position after `confirmed`."""

    def __init__(
        self,
        bus: Bus,
        partition: int,
        *,
        generation: int,
        confirmed: int,
        page: Page,
        now: Callable[[], int],
    ) -> None:
        self._bus = bus
        self._partition = partition
        self._generation = generation
        self._page = page
        self._now = now
        self._fresh: deque[Row] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._ended = False
        self._doubted = True
        self.confirmed = confirmed
        """The last position up to which EVENTS has confirmed everything."""
        self.appended = confirmed
        """The last position that the log has."""

    def doubt(self) -> None:
        """The broker was away: EVENTS may have lost its tail, or all of it."""
        self._doubted = True
        self._news.set()

    def add(self, rows: Sequence[Row]) -> None:
        """Rows that were just committed, next in order."""
        self._fresh.extend(rows)
        while len(self._fresh) > UNCONFIRMED:
            self._fresh.popleft()
        self.known(rows[-1].position)

    def known(self, position: int) -> None:
        """The log has events up to `position`."""
        self.appended = max(self.appended, position)
        self._news.set()

    async def room(self) -> None:
        """Wait until fewer than `UNCONFIRMED` events are unconfirmed."""
        while not self._ended and self.appended - self.confirmed >= UNCONFIRMED:
            self._room.clear()
            await self._room.wait()

    async def drained(self) -> None:
        """Wait until everything is confirmed."""
        while not self._ended and self.confirmed < self.appended:
            self._room.clear()
            await self._room.wait()

    async def run(self) -> None:
        """Send until cancelled; whoever waits for room does not wait for one that has failed."""
        try:
            while True:
                self._news.clear()
                if self._doubted:
                    await self._look_back()
                elif self.confirmed < self.appended:
                    await self._send_some()
                else:
                    await self._news.wait()
        finally:
            self._ended = True
            self._room.set()

    async def _look_back(self) -> None:
        """Send again from the last event that EVENTS has."""
        self._doubted = False
        try:
            last = await self._bus.last(EVENTS, subjects.events_of(self._partition))
        except BusError as error:
            _log.warning("the stream of events does not answer", extra={"reason": str(error)})
            await asyncio.sleep(RETRY)
            self._doubted = True
            return
        self._set_confirmed(min(self.confirmed, position_of(last) if last else 0))

    async def _send_some(self) -> None:
        start = self.confirmed
        try:
            rows = await self._next_rows()
            since = self._now() - round(EVENTS_AGE * 1000)
            messages = [
                event_message(row, self._generation) for row in rows if _is_kept(row, since)
            ]
            await self._bus.publish_confirmed(messages, within=CONFIRM_WITHIN)
        except (BusError, LogError) as error:
            _log.warning("events are not confirmed", extra={"reason": str(error)})
            await asyncio.sleep(RETRY)
            return
        if rows and self.confirmed == start and not self._doubted:
            self._set_confirmed(rows[-1].position)

    async def _next_rows(self) -> Sequence[Row]:
        while self._fresh and self._fresh[0].position <= self.confirmed:
            self._fresh.popleft()
        if self._fresh and self._fresh[0].position == self.confirmed + 1:
            return [self._fresh[i] for i in range(min(SEND, len(self._fresh)))]
        return (await self._page(self.confirmed))[:SEND]

    def _set_confirmed(self, position: int) -> None:
        self.confirmed = position
        self._room.set()
        self._news.set()


def event_message(row: Row, generation: int, *, again: int = 0) -> Message:
    """The row as it is published; `again` counts the times it is said once more on purpose."""
    entry = row.entry
    name = subjects.message_id(generation, row.partition, row.position)
    return Message(
        subject=subjects.event(row.partition, entry.type),
        data=entry.line.encode(),
        headers={
            subjects.MSG_ID_HEADER: f"{name}:again{again}" if again else name,
            subjects.HEAD_HEADER: entry.head,
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
