"""Fail points: adapters that kill their own process at a named step of a command's path.

They wrap the ports that production code is given, so that it does not know of them. A worker's
folder holds the orders: `order` arms a point, `door` lets the worker past another one's lock once.
"""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct

from services.event_log.port import Append, Batch, Claim, EventLog
from services.messaging.port import (
    Bus,
    ConsumerSpec,
    Delivery,
    DeliveryHandler,
    Message,
    Subscription,
)
from tests.around import BusAround, LogAround

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


class FailingLog(LogAround):
    """An `EventLog` that may die around an append, and be told to overlook a lock."""

    def __init__(self, inner: EventLog, points: FailPoints) -> None:
        super().__init__(inner)
        self._points = points

    def append(self, claim: Claim, batch: Batch) -> int:
        if not batch.entries:
            return self.inner.append(claim, batch)
        self._points.passed("before_commit")
        position = self.inner.append(claim, batch)
        self._points.passed("after_commit")
        return position

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        if not any(one.batch.entries for one in appends):
            return self.inner.append_together(appends)
        self._points.passed("before_commit")
        positions = self.inner.append_together(appends)
        if any(one.batch.entries and p for one, p in zip(appends, positions, strict=True)):
            self._points.passed("after_commit")
        return positions

    def hold(self, partition: int) -> bool:
        return self._points.through_the_door() or self.inner.hold(partition)


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


class FailingBus(BusAround):
    """A `Bus` that may die between a confirmation and its being known, and at an ack."""

    def __init__(self, inner: Bus, points: FailPoints) -> None:
        super().__init__(inner)
        self._points = points

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        sequence = await self.inner.publish_confirmed(messages, within=within)
        if messages:
            self._points.passed("before_confirm")
        return sequence

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        return await self.inner.consume(
            spec, lambda delivery: handler(FailingDelivery(delivery, self._points))
        )


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
