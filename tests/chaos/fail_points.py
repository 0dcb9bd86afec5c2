"""Fail points: adapters that kill their own process at a named step of a command's path.

They wrap the ports that production code is given, so that it does not know of them. A worker's
folder holds the orders: `order` arms a point, `door` lets the worker past another one's lock once.
"""

import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct

from services.event_log.port import (
    READ_ROWS,
    Batch,
    Claim,
    Crew,
    DeadLetter,
    EventLog,
    LogInfo,
    Row,
)
from services.messaging.port import (
    Bus,
    ConsumerSpec,
    Delivery,
    DeliveryHandler,
    Handler,
    Message,
    StreamSpec,
    Subscription,
)

Point = Literal["before_commit", "after_commit", "before_confirm", "before_ack"]
POINTS: Final[tuple[Point, ...]] = get_args(Point)
"""Before the append; after it; after EVENTS has the events and before their owner knows it; after
the answers are said and before the command is acknowledged.
"""
ORDER: Final = "order"
FIRED: Final = "fired"
DOOR: Final = "door"


class Order(Struct, frozen=True):
    """Die at the point when it is passed for the `passes`th time from now on."""

    point: Point
    passes: int
    number: int


class FailPoints:
    """The fail points of one process. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = Lock()
        self._number = -1
        self._left = 0

    def passed(self, point: Point) -> None:
        """Count it, and die here if that was ordered."""
        with self._guard:
            order = self._order()
            if order is None or order.point != point:
                return
            if order.number != self._number:
                self._number, self._left = order.number, order.passes
            self._left -= 1
            if self._left <= 0:
                (self._folder / ORDER).rename(self._folder / FIRED)
                os.kill(os.getpid(), signal.SIGKILL)

    def through_the_door(self) -> bool:
        """True once for each time that the door was opened."""
        try:
            (self._folder / DOOR).unlink()
        except FileNotFoundError:
            return False
        return True

    def _order(self) -> Order | None:
        try:
            return msgspec.json.decode((self._folder / ORDER).read_bytes(), type=Order)
        except FileNotFoundError:
            return None


class FailingLog:
    """An `EventLog` that may die around an append, and be told to overlook a lock."""

    def __init__(self, log: EventLog, points: FailPoints) -> None:
        self._log = log
        self._points = points

    def append(self, claim: Claim, batch: Batch) -> int:
        if not batch.entries:
            return self._log.append(claim, batch)
        self._points.passed("before_commit")
        position = self._log.append(claim, batch)
        self._points.passed("after_commit")
        return position

    def hold(self, partition: int) -> bool:
        return self._points.through_the_door() or self._log.hold(partition)

    def release(self, partition: int) -> None:
        self._log.release(partition)

    def join(self) -> Crew:
        return self._log.join()

    def leave(self) -> None:
        self._log.leave()

    def claim(self, partition: int, owner: str) -> Claim:
        return self._log.claim(partition, owner)

    def info(self) -> LogInfo:
        return self._log.info()

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        return self._log.load(stream, after=after, limit=limit)

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        return self._log.read(partition, after, limit)

    def position(self, partition: int) -> int:
        return self._log.position(partition)

    def streams(self, *, after: str = "", limit: int = READ_ROWS) -> tuple[str, ...]:
        return self._log.streams(after=after, limit=limit)

    def open_streams(self, partition: int) -> tuple[str, ...]:
        return self._log.open_streams(partition)

    def dead_letters(self, *, after: int = 0, limit: int = READ_ROWS) -> tuple[DeadLetter, ...]:
        return self._log.dead_letters(after=after, limit=limit)

    def close(self) -> None:
        self._log.close()


class FailingDelivery:
    """A `Delivery` whose ack may be the end."""

    def __init__(self, delivery: Delivery, points: FailPoints) -> None:
        self._delivery = delivery
        self._points = points

    @property
    def message(self) -> Message:
        return self._delivery.message

    def ack(self) -> None:
        self._points.passed("before_ack")
        self._delivery.ack()


class FailingBus:
    """A `Bus` that may die between a confirmation and its being known, and at an ack."""

    def __init__(self, bus: Bus, points: FailPoints) -> None:
        self._bus = bus
        self._points = points

    @property
    def connected(self) -> bool:
        return self._bus.connected

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        sequence = await self._bus.publish_confirmed(messages, within=within)
        if messages:
            self._points.passed("before_confirm")
        return sequence

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        return await self._bus.consume(
            spec, lambda delivery: handler(FailingDelivery(delivery, self._points))
        )

    async def ensure(self, specs: Sequence[StreamSpec]) -> None:
        await self._bus.ensure(specs)

    async def publish(self, messages: Sequence[Message]) -> None:
        await self._bus.publish(messages)

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        return await self._bus.subscribe(subject, handler)

    async def last(self, stream: str, subject: str) -> Message | None:
        return await self._bus.last(stream, subject)

    async def stored(self, stream: str, sequence: int) -> Message | None:
        return await self._bus.stored(stream, sequence)

    def on_reconnect(self, call: Callable[[], Awaitable[None]]) -> None:
        self._bus.on_reconnect(call)

    async def close(self) -> None:
        await self._bus.close()


def arm(folder: Path, order: Order) -> None:
    """Give the order, whole at once."""
    (folder / FIRED).unlink(missing_ok=True)
    new = folder / f"{ORDER}.new"
    new.write_bytes(msgspec.json.encode(order))
    new.rename(folder / ORDER)


def fired(folder: Path) -> bool:
    """True once the order has been carried out."""
    return (folder / FIRED).exists()


def disarm(folder: Path) -> None:
    (folder / ORDER).unlink(missing_ok=True)
