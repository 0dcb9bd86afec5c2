"""A process's connection to the broker: it takes time, it can be cut, the dead say nothing.

What crosses it goes on by itself: a broker stores what reached it whatever becomes of the sender.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import Context
from typing import Any, Protocol, TypeVar

from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import (
    BusUnreachable,
    ConsumerSpec,
    Delivery,
    DeliveryHandler,
    Handler,
    Message,
    StreamSpec,
    Subscription,
    Unconfirmed,
)
from tests.simulation.loop import Killed
from tests.simulation.process import Process

T = TypeVar("T")


class Tap(Protocol):
    """Who sees what crosses a connection."""

    def sent(self, process: Process, message: Message) -> None:
        """It is said now, whether or not it arrives."""
        ...

    def arrived(self, process: Process, message: Message) -> None: ...

    def acked(self, process: Process, message: Message) -> None: ...


class Connection:
    """A `Bus`. `outside` is the context of no process, `delay` the seconds of one way."""

    def __init__(
        self,
        process: Process,
        broker: MemoryBroker,
        tap: Tap,
        *,
        outside: Context,
        delay: Callable[[], float],
    ) -> None:
        self.bus = MemoryBus(broker)
        self._process = process
        self._broker = broker
        self._tap = tap
        self._outside = outside
        self._delay = delay
        self._last = 0.0

    def sever(self) -> None:
        """The process is dead: the broker sees its connection end."""
        bus = self.bus
        self._broker.disconnect(bus)
        self._broker.buses.remove(bus)
        for reader in bus.readers:
            reader.stopped = True
            if reader.consumer is not None and reader.spec.group is not None:
                reader.consumer.leave(reader)

    @property
    def connected(self) -> bool:
        return self._process.alive and self.bus.connected

    async def _across(self, doing: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the broker does when this has reached it, in the order in which it was sent."""
        if not self._process.alive:
            if self._process.state == "buried":
                raise BusUnreachable("the process is dead")
            await asyncio.get_running_loop().create_future()
        loop, era = asyncio.get_running_loop(), self.bus.era
        self._last = at = max(self._last + 1e-6, loop.time() + self._delay())

        async def arrive() -> T:
            await asyncio.sleep(at - loop.time())
            if self.bus.era != era:
                raise BusUnreachable("the connection was lost on the way")
            return await doing()

        task = loop.create_task(arrive(), context=self._outside.copy())
        task.add_done_callback(_seen)
        return await asyncio.shield(task)

    async def ensure(self, specs: Sequence[StreamSpec]) -> None:
        await self._across(lambda: self.bus.ensure(specs))

    async def publish(self, messages: Sequence[Message]) -> None:
        if not self._process.alive:
            return
        self._process.point("before_tell")
        self._note(messages)
        with contextlib.suppress(BusUnreachable):  # as the port says: it may be dropped
            await self._across(lambda: self.bus.publish(messages))

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        if self._process.alive:
            self._process.point("before_confirm")
            self._note(messages)
            if not self.bus.settled:  # known on this side, whenever it would arrive
                raise Unconfirmed("the connection is not settled")
        try:
            stands = await self._across(lambda: self.bus.publish_confirmed(messages, within=within))
        except BusUnreachable as error:
            raise Unconfirmed(str(error)) from error
        self._process.point("after_confirm")
        return stands

    def _note(self, messages: Sequence[Message]) -> None:
        for message in messages:
            self._tap.sent(self._process, message)

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        inner = await self._across(lambda: self.bus.subscribe(subject, handler))
        return _Subscription(self, inner)

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        def hand(delivery: Delivery) -> None:
            if self._process.alive:
                self._tap.arrived(self._process, delivery.message)
                handler(_Delivery(delivery, self._process, self._tap, self._outside))

        inner = await self._across(lambda: self.bus.consume(spec, hand))
        return _Subscription(self, inner)

    async def last(self, stream: str, subject: str) -> Message | None:
        return await self._across(lambda: self.bus.last(stream, subject))

    async def stored(self, stream: str, sequence: int) -> Message | None:
        return await self._across(lambda: self.bus.stored(stream, sequence))

    def on_reconnect(self, call: Callable[[], Awaitable[None]]) -> None:
        """The call is made in the process, so that it stands still or dies with it."""

        async def inside() -> None:
            await call()

        async def made() -> None:
            loop, context = asyncio.get_running_loop(), self._process.context
            await asyncio.shield(loop.create_task(inside(), context=context.copy()))

        self.bus.on_reconnect(made)

    async def close(self) -> None:
        await self._across(self.bus.close)


class _Subscription:
    def __init__(self, connection: Connection, inner: Subscription) -> None:
        self._connection = connection
        self._inner = inner

    async def stop(self) -> None:
        """Needs no answer: as in any client, nothing is handed on from now."""
        if self._connection._process.alive:
            await self._inner.stop()


class _Delivery:
    def __init__(self, inner: Delivery, process: Process, tap: Tap, outside: Context) -> None:
        self._inner = inner
        self._process = process
        self._tap = tap
        self._outside = outside

    @property
    def message(self) -> Message:
        return self._inner.message

    def ack(self) -> None:
        if not self._process.alive:
            return
        self._process.point("before_ack")
        self._tap.acked(self._process, self.message)
        self._outside.copy().run(self._inner.ack)


def _seen(task: "asyncio.Task[Any]") -> None:
    """Nobody may be left to take what came of it."""
    if not task.cancelled() and isinstance(task.exception(), Killed):
        raise AssertionError("the world outside of all processes was killed")
