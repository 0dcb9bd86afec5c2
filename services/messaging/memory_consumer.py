"""Consumers in memory: who gets a stream's messages, and what comes again."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from msgspec import Struct

from services.messaging.headers import trusted
from services.messaging.memory_stream import MemoryStream, Stored, takes
from services.messaging.port import ConsumerSpec, Delivery, DeliveryHandler, Message

LATE_TURNS: Final = 8
"""A delivery that is late or doubled comes up to so many turns of the loop later."""

_log: Final = logging.getLogger(__name__)


class Faults(Struct, frozen=True, kw_only=True):
    """What goes wrong, each a chance from 0 to 1.

    `loss`: a core message, for each of its readers. `ack_loss`: the ack of a delivery.
    `confirm_loss`: the confirmations of one `publish_confirmed`. `duplicates` and `reorder`:
    a delivery from a stream comes twice, or later than those after it.
    """

    loss: float = 0.0
    ack_loss: float = 0.0
    confirm_loss: float = 0.0
    duplicates: float = 0.0
    reorder: float = 0.0


NO_FAULTS: Final = Faults()


class Dice:
    """All chance of one broker, from one seed."""

    def __init__(self, seed: int, faults: Faults) -> None:
        self.faults = faults
        self._random = Random(seed)  # noqa: S311 - faults are drawn, not secrets

    def falls(self, chance: float) -> bool:
        return chance > 0 and self._random.random() < chance

    def one_of(self, count: int) -> int:
        """A number below `count`."""
        return self._random.randrange(count)

    def delay(self, chance: float) -> int:
        """Turns of the loop until a delivery: 1, or with `chance` some more."""
        return 2 + self.one_of(LATE_TURNS) if self.falls(chance) else 1


def after(turns: int, call: Callable[[], None]) -> None:
    """Run `call` that many turns of the loop later."""
    if turns == 0:
        call()
    else:
        asyncio.get_running_loop().call_soon(after, turns - 1, call)


class Line(Protocol):
    """A reader's connection: `era` rises each time it is lost, 0 once it is closed."""

    @property
    def connected(self) -> bool: ...

    @property
    def era(self) -> int: ...


class Reader:
    """One `consume` call. A reader that was replaced is stopped for good."""

    def __init__(self, spec: ConsumerSpec, handler: DeliveryHandler, line: Line) -> None:
        self.spec = spec
        self.line = line
        self.stopped = False
        self.consumer: MemoryConsumer | None = None
        self._handler = handler

    def hand(self, delivery: Delivery, era: int) -> None:
        """Deliver, unless the connection was lost on the way."""
        if self.stopped or not self.line.connected or self.line.era != era:
            return
        try:
            self._handler(delivery)
        except Exception:  # noqa: BLE001 - logged; a handler's fault stops nobody
            _log.exception("the handler of %s raised", self.spec.name)

    async def stop(self) -> None:
        self.stopped = True
        if self.consumer:
            self.consumer.leave(self)


class MemoryConsumer:
    """A place in a stream, shared by its readers."""

    def __init__(self, spec: ConsumerSpec, stream: MemoryStream, dice: Dice) -> None:
        self.spec = spec
        self.alive = True
        self.readers: list[Reader] = []
        self._stream = stream
        self._dice = dice
        self._waiting = deque(one.sequence for one in stream.matching(spec.filter))
        self._pending: dict[int, asyncio.TimerHandle] = {}

    def join(self, reader: Reader) -> None:
        reader.consumer = self
        self.readers.append(reader)
        self.dispatch()

    def leave(self, reader: Reader) -> None:
        if reader in self.readers:
            self.readers.remove(reader)

    def end(self) -> None:
        """Deleted: whatever is on its way to the readers or back comes to nothing."""
        self.alive = False
        for timer in self._pending.values():
            timer.cancel()
        self._pending.clear()
        for reader in self.readers:
            reader.consumer = None
        self.readers = []

    def offer(self, stored: Stored) -> None:
        """A message is new in the stream."""
        if takes(self.spec.filter, stored.message.subject):
            self._waiting.append(stored.sequence)
            self.dispatch()

    def dispatch(self) -> None:
        """Send what waits to readers that are there, one reader a message."""
        while self.alive and self._waiting and len(self._pending) < self.spec.max_pending:
            there = [reader for reader in self.readers if reader.line.connected]
            if not there:
                return
            if stored := self._stream.get(self._waiting.popleft()):
                self._deliver(stored, there[self._dice.one_of(len(there))])

    def _deliver(self, stored: Stored, reader: Reader) -> None:
        loop = asyncio.get_running_loop()
        sequence = stored.sequence
        self._pending[sequence] = loop.call_later(self.spec.ack_wait, self._expire, sequence)
        self._send(stored, reader, self._dice.delay(self._dice.faults.reorder))
        if self._dice.falls(self._dice.faults.duplicates):
            self._send(stored, reader, 1 + self._dice.delay(1.0))

    def _send(self, stored: Stored, reader: Reader, turns: int) -> None:
        delivery = _Delivery(stored, reader.line, self)
        era = reader.line.era

        def arrive() -> None:
            if self.alive:
                reader.hand(delivery, era)

        after(turns, arrive)

    def _expire(self, sequence: int) -> None:
        del self._pending[sequence]
        self._waiting.appendleft(sequence)
        self.dispatch()

    def ack(self, sequence: int) -> None:
        if not self.alive or self._dice.falls(self._dice.faults.ack_loss):
            return
        if timer := self._pending.pop(sequence, None):
            timer.cancel()
        if self._stream.spec.retention == "workqueue":
            self._stream.remove(sequence)
        self.dispatch()


class _Delivery:
    def __init__(self, stored: Stored, line: Line, consumer: MemoryConsumer) -> None:
        self._message = stored.message
        self._sequence = stored.sequence
        self._line = line
        self._consumer = consumer

    @property
    def message(self) -> Message:
        return as_received(self._message)

    def ack(self) -> None:
        era = self._line.era
        after(1, lambda: self._arrive(era))

    def _arrive(self, era: int) -> None:
        if self._line.connected and self._line.era == era:
            self._consumer.ack(self._sequence)


def as_received(message: Message) -> Message:
    """The message with the headers that may be believed."""
    headers = trusted(message.subject, message.headers)
    return Message(subject=message.subject, data=message.data, headers=headers)
