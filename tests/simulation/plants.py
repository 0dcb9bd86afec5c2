"""Planted bugs: each is a wrapper around one adapter of the production code, and must be found."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas import subjects
from schemas.feed import Advice, Happened, decode_feed, encode_feed
from services.event_log.port import (
    READ_ROWS,
    Batch,
    Claim,
    EventLog,
    LogUnreachable,
    Row,
)
from services.messaging.port import (
    Bus,
    ConsumerSpec,
    Delivery,
    DeliveryHandler,
    Message,
    Subscription,
)
from services.runtime.clock import Clock
from tests.around import BusAround, LogAround

EVERY: Final = 7
"""A bug that shows only now and then shows each so many times."""


# The log's --------------------------------------------------------------------------------------


class ForgottenIds(LogAround):
    """Accepted commands are not known by their ids once a match is rebuilt."""

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        rows = self.inner.load(stream, after=after, limit=limit)
        return tuple(replace(row, entry=replace(row.entry, command=None)) for row in rows)


class NoFence(LogAround):
    """An append does not look at its epoch."""

    def append(self, claim: Claim, batch: Batch) -> int:
        return self.inner.append(self._newest(claim), batch)

    def _newest(self, claim: Claim) -> Claim:
        store = self.inner._store  # type: ignore[attr-defined]
        return replace(claim, epoch=store.partition(claim.partition).epoch)


class LyingCommit(LogAround):
    """Now and then a commit is told and not made."""

    def __init__(self, inner: EventLog) -> None:
        super().__init__(inner)
        self._appends = 0

    def append(self, claim: Claim, batch: Batch) -> int:
        self._appends += 1
        if batch.entries and self._appends % EVERY == 0:
            return self.inner.position(claim.partition) + len(batch.entries)
        return self.inner.append(claim, batch)


class TornBatch(LogAround):
    """A transaction that fails may have written the first of its rows."""

    def __init__(self, inner: EventLog) -> None:
        super().__init__(inner)
        self._appends = 0

    def append(self, claim: Claim, batch: Batch) -> int:
        self._appends += len(batch.entries) > 1
        if len(batch.entries) > 1 and self._appends % EVERY == 0:
            self.inner.append(claim, replace(batch, entries=batch.entries[:-1], closed=()))
            raise LogUnreachable("planted: torn")
        return self.inner.append(claim, batch)


class SkippingCursor(LogAround):
    """A reader that passes over a row now and then, as if it had taken it in."""

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        rows = self.inner.read(partition, after, limit)
        return tuple(self._seen(row, rows) for row in rows)

    def _seen(self, row: Row, rows: tuple[Row, ...]) -> Row:
        skipped = row.entry.type in ("seat_taken", "round_ended") and row.position % 2 == 0
        return replace(row, entry=rows[0].entry) if skipped else row


# The bus's --------------------------------------------------------------------------------------


class EarlyAck(BusAround):
    """A command is acknowledged when it comes, before it is committed."""

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        def hand(delivery: Delivery) -> None:
            delivery.ack()
            handler(delivery)

        return await self.inner.consume(spec, hand)


class SkippingOutbox(BusAround):
    """Now and then an event is counted as confirmed that was never sent."""

    def __init__(self, inner: Bus) -> None:
        super().__init__(inner)
        self._sent = 0

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        self._sent += 1
        skips = self._sent % EVERY == 0 and len(messages) > 1
        sent = (*messages[:-2], messages[-1]) if skips else messages
        return await self.inner.publish_confirmed(sent, within=within)


class LeakyFeed(BusAround):
    """What one seat is dealt is told to the next listener too."""

    async def publish(self, messages: Sequence[Message]) -> None:
        dealt: tuple[str, ...] = ()
        said = []
        for message in messages:
            feed = decode_feed(message.data) if message.subject.startswith("feed.") else None
            if isinstance(feed, Happened):
                if dealt and not feed.cards:
                    data = encode_feed(replace(feed, cards=dealt))
                    message = replace(message, data=data)  # noqa: PLW2901 the planted bug
                dealt = feed.cards
            said.append(message)
        await self.inner.publish(said)


class LooseAdvice(BusAround):
    """What one player is advised is told to another one who hears of the match."""

    def __init__(self, inner: Bus) -> None:
        super().__init__(inner)
        self._heard: dict[str, set[str]] = {}

    async def publish(self, messages: Sequence[Message]) -> None:
        await self.inner.publish([self._turned(message) for message in messages])

    def _turned(self, message: Message) -> Message:
        kind, voice, *match = message.subject.split(".")
        if kind != "feed":
            return message
        heard = self._heard.setdefault(match[0], set())
        heard.add(voice)
        others = sorted(heard - {voice})
        if not isinstance(decode_feed(message.data), Advice) or not others:
            return message
        return replace(message, subject=subjects.feed(others[0], match[0]))


# The clock's ------------------------------------------------------------------------------------


class LostAlarms:
    """A clock that stands still for whoever waits: no alarm ever rings."""

    def __init__(self, inner: Clock) -> None:
        self._inner = inner
        self._stands = inner.ticks()

    def now(self) -> int:
        return self._inner.now()

    def ticks(self) -> float:
        return self._stands


class Plant(Struct, frozen=True, kw_only=True):
    """What stands between the production code and its adapters; by default nothing."""

    log: Callable[[EventLog], EventLog] = lambda log: log
    """The table's log."""
    cursor: Callable[[EventLog], EventLog] = lambda log: log
    """The log as scoring reads it."""
    bus: Callable[[Bus], Bus] = lambda bus: bus
    """The table's bus."""
    clock: Callable[[Clock], Clock] = lambda clock: clock


HONEST: Final = Plant()
PLANTS: Final[Mapping[str, Plant]] = {
    "forgotten_ids": Plant(log=ForgottenIds),
    "no_fence": Plant(log=NoFence),
    "lying_commit": Plant(log=LyingCommit),
    "torn_batch": Plant(log=TornBatch),
    "skipping_cursor": Plant(cursor=SkippingCursor),
    "early_ack": Plant(bus=EarlyAck),
    "skipping_outbox": Plant(bus=SkippingOutbox),
    "leaky_feed": Plant(bus=LeakyFeed),
    "loose_advice": Plant(bus=LooseAdvice),
    "lost_alarms": Plant(clock=LostAlarms),
}
