"""The bus in one process, for tests: the streams' semantics, and faults from a seed.

Everything runs on the loop of the caller and on its clock, so that the same seed and the same
calls give the same deliveries.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from services.messaging.memory_consumer import (
    NO_FAULTS,
    Dice,
    Faults,
    MemoryConsumer,
    Reader,
    after,
    as_received,
)
from services.messaging.memory_stream import MemoryStream, Refused, takes
from services.messaging.port import (
    BusError,
    BusUnreachable,
    ConsumerSpec,
    DeliveryHandler,
    Handler,
    Message,
    StreamSpec,
    Subscription,
    Unconfirmed,
)
from services.messaging.server import MAX_PAYLOAD
from services.messaging.succession import newer

_CLOSED: Final = 0
"""The era of a bus that is closed for good."""

_log: Final = logging.getLogger(__name__)


class MemoryBroker:
    """What the buses share. Tests break its connections: `disconnect`, `reconnect`, `wipe`."""

    def __init__(self, seed: int = 0, faults: Faults = NO_FAULTS) -> None:
        self.dice = Dice(seed, faults)
        self.buses: list[MemoryBus] = []
        self._streams: dict[str, MemoryStream] = {}
        self._consumers: dict[str, list[MemoryConsumer]] = {}

    def disconnect(self, bus: "MemoryBus") -> None:
        """Core messages to it and from it are lost, and so is what is on its way."""
        bus.connected = bus.settled = False
        bus.era += 1

    async def reconnect(self, bus: "MemoryBus") -> None:
        """Returns when the calls of `on_reconnect` have been made and the readers are back."""
        bus.connected = True
        era = bus.era
        await bus.call_back()
        if bus.era != era:  # lost again meanwhile: the next reconnect settles it
            return
        bus.settled = True
        for reader in bus.readers:
            self.bring_back(reader)
        for consumers in self._consumers.values():
            for consumer in consumers:
                consumer.dispatch()

    def wipe(self) -> None:
        """The store is lost: streams, messages and consumers. Connections are not touched."""
        for consumer in [one for of in self._consumers.values() for one in of]:
            consumer.end()
        self._streams.clear()
        self._consumers.clear()

    def ensure(self, spec: StreamSpec) -> None:
        if stream := self._streams.get(spec.name):
            stream.update(spec)
            return
        self._streams[spec.name] = MemoryStream(spec)
        self._consumers[spec.name] = []
        for reader in [one for bus in self.buses for one in bus.readers]:
            self.bring_back(reader)

    def stream(self, name: str) -> MemoryStream:
        """Raises `BusError` if it is missing."""
        if name not in self._streams:
            raise BusError(f"stream {name}: stream not found")
        return self._streams[name]

    def publish(self, message: Message) -> str | None:
        """What keeps it from being confirmed, if anything; core readers get it all the same."""
        for bus in self.buses:
            bus.receive(message)
        taking = [stream for stream in self._streams.values() if stream.takes(message.subject)]
        if not taking:
            return "no stream takes the subject"
        return self._store(taking[0], message)

    def _store(self, stream: MemoryStream, message: Message) -> str | None:
        try:
            stored = stream.store(message, asyncio.get_running_loop().time())
        except Refused as refused:
            return str(refused)
        if stored:
            for consumer in self._consumers[stream.spec.name]:
                consumer.offer(stored)
        return None

    def where(self, message: Message) -> int:
        """The sequence of a message that was just confirmed, or of the one it doubles."""
        for stream in self._streams.values():
            if stream.takes(message.subject):
                return stream.where(message)
        return 0

    def answers(self, subject: str) -> bool:
        """False if the stream that takes `subject` tells its publishers nothing."""
        return not any(one.spec.no_ack for one in self._streams.values() if one.takes(subject))

    def place(self, reader: Reader) -> None:
        """Give the reader a consumer: its group's, or a new one in place of all with its filter."""
        if reader.spec.group:
            self._group(reader.spec).join(reader)
            return
        for rival in self._rivals(reader.spec):
            for replaced in rival.readers:
                replaced.stopped = True
            self._consumers[reader.spec.stream].remove(rival)
            rival.end()
        self._create(reader.spec).join(reader)

    def _group(self, spec: ConsumerSpec) -> MemoryConsumer:
        for consumer in self._consumers[spec.stream]:
            if consumer.spec.name == spec.name:
                return consumer
        if self.stream(spec.stream).spec.retention == "workqueue" and self._rivals(spec):
            raise BusError(f"{spec.name}: filtered consumer not unique on workqueue stream")
        return self._create(spec)

    def _create(self, spec: ConsumerSpec) -> MemoryConsumer:
        consumer = MemoryConsumer(spec, self.stream(spec.stream), self.dice)
        self._consumers[spec.stream].append(consumer)
        return consumer

    def _rivals(self, spec: ConsumerSpec) -> list[MemoryConsumer]:
        return [one for one in self._consumers[spec.stream] if one.spec.filter == spec.filter]

    def bring_back(self, reader: Reader) -> None:
        """Place a reader whose consumer the broker has lost, unless a newer one has come."""
        lost = reader.consumer is None and reader.spec.stream in self._streams
        if reader.stopped or not lost or not reader.line.connected:
            return
        if reader.spec.group is None and self._has_newer(reader.spec):
            reader.stopped = True
        else:
            self.place(reader)

    def _has_newer(self, spec: ConsumerSpec) -> bool:
        return any(newer(rival.spec.name, spec.name) for rival in self._rivals(spec))


class MemoryBus:
    """See the port."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.connected = True
        self.settled = True
        self.era = 1
        self.readers: list[Reader] = []
        self._broker = broker
        self._core: list[_Core] = []
        self._calls: list[Callable[[], Awaitable[None]]] = []
        broker.buses.append(self)

    async def ensure(self, specs: Sequence[StreamSpec]) -> None:
        await self._trip()
        for spec in specs:
            self._broker.ensure(spec)

    async def publish(self, messages: Sequence[Message]) -> None:
        for message in messages:
            self._send(message)
        await asyncio.sleep(0)

    def _send(self, message: Message) -> str | None:
        if not self.connected:
            return "disconnected"
        if len(message.data) > MAX_PAYLOAD:
            return "maximum payload exceeded"
        return self._broker.publish(message)

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        if not self.connected or not self.settled:
            raise Unconfirmed("the connection is not settled")
        faults = [fault for message in messages if (fault := self._send(message))]
        await asyncio.sleep(0)
        if faults:
            raise Unconfirmed(faults[0])
        silent = not all(self._broker.answers(message.subject) for message in messages)
        if silent or self._broker.dice.falls(self._broker.dice.faults.confirm_loss):
            await asyncio.sleep(within)
            raise Unconfirmed(f"not confirmed in {within} s")
        return self._broker.where(messages[-1]) if messages else 0

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        if self.era == _CLOSED:
            raise BusUnreachable("the bus is closed")
        core = _Core(subject, handler, self._core)
        self._core.append(core)
        await asyncio.sleep(0)
        return core

    def receive(self, message: Message) -> None:
        """A core message for whoever of this bus listens; it may be lost."""
        if not self.connected:
            return
        for core in self._core:
            if takes(core.subject, message.subject) and not self._loses():
                self._hand(core, message)

    def _loses(self) -> bool:
        return self._broker.dice.falls(self._broker.dice.faults.loss)

    def _hand(self, core: "_Core", message: Message) -> None:
        era = self.era

        def arrive() -> None:
            if self.era == era:
                core.receive(message)

        after(1, arrive)

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        await self._trip()
        self._broker.stream(spec.stream)
        reader = Reader(spec, handler, self)
        self._broker.place(reader)
        self.readers = [one for one in self.readers if not one.stopped] + [reader]
        return reader

    async def last(self, stream: str, subject: str) -> Message | None:
        await self._trip()
        found = self._broker.stream(stream)
        found.forget(asyncio.get_running_loop().time())
        message = found.last(subject)
        return as_received(message) if message else None

    async def stored(self, stream: str, sequence: int) -> Message | None:
        await self._trip()
        found = self._broker.stream(stream)
        found.forget(asyncio.get_running_loop().time())
        stored = found.get(sequence)
        return as_received(stored.message) if stored else None

    def on_reconnect(self, call: Callable[[], Awaitable[None]]) -> None:
        self._calls.append(call)

    async def call_back(self) -> None:
        for call in self._calls:
            try:
                await call()
            except Exception:  # noqa: BLE001 - logged; the next call is made all the same
                _log.exception("a call after the reconnect failed")

    async def close(self) -> None:
        await asyncio.sleep(0)  # acks that are on their way still arrive
        self.connected = False
        self.era = _CLOSED
        for reader in self.readers:
            await reader.stop()
        self._core.clear()
        if self in self._broker.buses:
            self._broker.buses.remove(self)

    async def _trip(self) -> None:
        """A turn of the loop, as any trip to a broker takes."""
        await asyncio.sleep(0)
        if not self.connected:
            raise BusUnreachable("disconnected")


class _Core:
    def __init__(self, subject: str, handler: Handler, among: "list[_Core]") -> None:
        self.subject = subject
        self._handler = handler
        self._among = among
        self._stopped = False

    def receive(self, message: Message) -> None:
        if self._stopped:
            return
        try:
            self._handler(as_received(message))
        except Exception:  # noqa: BLE001 - logged; a handler's fault stops nobody
            _log.exception("the handler of %s raised", self.subject)

    async def stop(self) -> None:
        self._stopped = True
        if self in self._among:
            self._among.remove(self)
