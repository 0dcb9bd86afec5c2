"""Wrappers around the ports that change nothing: a test overrides the call that it is about."""

from collections.abc import Awaitable, Callable, Sequence

from services.event_log.batches import one_by_one
from services.event_log.port import (
    READ_ROWS,
    Append,
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
    DeliveryHandler,
    Handler,
    Message,
    StreamSpec,
    Subscription,
)


class LogAround:
    """A log that passes everything on."""

    def __init__(self, inner: EventLog) -> None:
        self.inner = inner

    def info(self) -> LogInfo:
        return self.inner.info()

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        return self.inner.load(stream, after=after, limit=limit)

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        return self.inner.read(partition, after, limit)

    def position(self, partition: int) -> int:
        return self.inner.position(partition)

    def streams(self, *, after: str = "", limit: int = READ_ROWS) -> tuple[str, ...]:
        return self.inner.streams(after=after, limit=limit)

    def open_streams(self, partition: int) -> tuple[str, ...]:
        return self.inner.open_streams(partition)

    def dead_letters(self, *, after: int = 0, limit: int = READ_ROWS) -> tuple[DeadLetter, ...]:
        return self.inner.dead_letters(after=after, limit=limit)

    def hold(self, partition: int) -> bool:
        return self.inner.hold(partition)

    def release(self, partition: int) -> None:
        self.inner.release(partition)

    def join(self) -> Crew:
        return self.inner.join()

    def leave(self) -> None:
        self.inner.leave()

    def claim(self, partition: int, owner: str) -> Claim:
        return self.inner.claim(partition, owner)

    def append(self, claim: Claim, batch: Batch) -> int:
        return self.inner.append(claim, batch)

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        """By `append`: what a test does to that is done to these too."""
        return one_by_one(self, appends)

    def close(self) -> None:
        self.inner.close()


class BusAround:
    """A bus that passes everything on."""

    def __init__(self, inner: Bus) -> None:
        self.inner = inner

    @property
    def connected(self) -> bool:
        return self.inner.connected

    async def ensure(self, specs: Sequence[StreamSpec]) -> None:
        await self.inner.ensure(specs)

    async def publish(self, messages: Sequence[Message]) -> None:
        await self.inner.publish(messages)

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        return await self.inner.publish_confirmed(messages, within=within)

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        return await self.inner.subscribe(subject, handler)

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        return await self.inner.consume(spec, handler)

    async def last(self, stream: str, subject: str) -> Message | None:
        return await self.inner.last(stream, subject)

    async def stored(self, stream: str, sequence: int) -> Message | None:
        return await self.inner.stored(stream, sequence)

    def on_reconnect(self, call: Callable[[], Awaitable[None]]) -> None:
        self.inner.on_reconnect(call)

    async def close(self) -> None:
        await self.inner.close()
