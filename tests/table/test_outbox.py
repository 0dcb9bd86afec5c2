"""The outbox by itself: what it may send, and when."""

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import READ_ROWS, Row
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.runtime.tasks import end
from services.table.outbox import Outbox, event_message, position_of
from tests.clocks import HandClock
from tests.streams import played, store
from tests.waiting import until


async def test_rows_read_before_the_stream_was_lost_are_not_sent_after_it() -> None:
    """They would stand in the stream as if all before them were there."""
    rows = played(1, moves=20).rows
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, [played(1, moves=20)])
    broker = MemoryBroker()
    bus, line = MemoryBus(broker), MemoryBus(broker)
    await bus.ensure(streams.all_streams(1))
    for row in rows[:-3]:
        await line.publish([event_message(row, 1)])
    losses = [1]

    async def lose() -> None:
        broker.disconnect(bus)
        broker.wipe()
        await line.ensure(streams.all_streams(1))
        await broker.reconnect(bus)

    async def page(after: int, limit: int = READ_ROWS) -> Sequence[Row]:
        found = log.read(0, after, limit)
        if losses:
            losses.pop()
            await lose()
        return found

    async def doubt() -> None:
        outbox.doubt()

    claim = replace(log.claim(0, "test"), published=len(rows) - 3)
    outbox = Outbox(bus, claim, generation=1, page=page, clock=HandClock(), on_room=lambda: None)
    bus.on_reconnect(doubt)
    sending = asyncio.create_task(outbox.run())
    await until(lambda: outbox.confirmed == len(rows), "all rows to be confirmed")
    await end(sending)
    there = [position_of(one.message) for one in broker.stream(streams.EVENTS).matching("event.>")]
    assert there == list(range(1, len(rows) + 1))


async def test_it_tells_for_how_long_the_broker_has_confirmed_nothing() -> None:
    rows = played(1, moves=20).rows
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, [played(1, moves=20)])
    clock, broker = HandClock(), MemoryBroker()
    bus = MemoryBus(broker)
    await bus.ensure(streams.all_streams(1))

    async def page(after: int, limit: int = READ_ROWS) -> Sequence[Row]:
        return log.read(0, after, limit)

    claim = replace(log.claim(0, "test"), position=0, published=0)
    outbox = Outbox(bus, claim, generation=1, page=page, clock=clock, on_room=lambda: None)
    clock.seconds += 60
    assert outbox.stalled() == 0, "nothing waits"
    outbox.add(rows[:1])
    clock.seconds += 7
    outbox.add(rows[1:])
    clock.seconds += 3
    assert outbox.stalled() == 10
    sending = asyncio.create_task(outbox.run())
    await until(lambda: outbox.confirmed == len(rows), "all rows to be confirmed")
    clock.seconds += 60
    assert outbox.stalled() == 0
    await end(sending)
