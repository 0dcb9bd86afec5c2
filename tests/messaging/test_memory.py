"""The faults of the in-memory bus: from one seed, and really there."""

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.memory_consumer import NO_FAULTS, Faults
from services.messaging.memory_stream import takes, transformed
from services.messaging.port import ConsumerSpec, Message, StreamSpec, Unconfirmed
from tests.messaging.heard import Delivered, Heard
from tests.waiting import until

QUEUE = StreamSpec(name="WORK", subjects=("work.>",), retention="workqueue", discard="old")
READER = ConsumerSpec(stream="WORK", name="w-e1", filter="work.>")
HASTY = ConsumerSpec(stream="WORK", name="w-e1", filter="work.>", ack_wait=0.05)
BODIES = [b"%d" % number for number in range(200)]


async def delivered(seed: int, faults: Faults) -> list[bytes]:
    """What a reader that acknowledges all gets of 200 messages, until each has come."""
    bus = MemoryBus(MemoryBroker(seed, faults))
    await bus.ensure([QUEUE])
    got = Delivered()
    await bus.consume(READER, got.take)
    await bus.publish([Message(subject="work.a", data=body) for body in BODIES])
    await until(lambda: set(got.bodies) == set(BODIES), "each message at least once")
    for _ in range(20):
        await asyncio.sleep(0)
    return got.bodies


async def heard(seed: int, faults: Faults) -> list[bytes]:
    bus = MemoryBus(MemoryBroker(seed, faults))
    ears = Heard()
    await bus.subscribe("feed.>", ears)
    await bus.publish([Message(subject="feed.a.b", data=body) for body in BODIES])
    for _ in range(3):
        await asyncio.sleep(0)
    return ears.bodies


async def test_without_faults_all_comes_once_and_in_order() -> None:
    assert await delivered(1, NO_FAULTS) == BODIES
    assert await heard(1, NO_FAULTS) == BODIES


async def test_one_seed_gives_one_order_of_deliveries() -> None:
    faults = Faults(duplicates=0.3, reorder=0.3)
    assert await delivered(7, faults) == await delivered(7, faults)
    assert await delivered(7, faults) != await delivered(8, faults)


async def test_one_seed_loses_the_same_core_messages() -> None:
    faults = Faults(loss=0.3)
    assert await heard(7, faults) == await heard(7, faults)
    assert await heard(7, faults) != await heard(8, faults)


async def test_core_messages_are_lost_and_the_others_keep_their_order() -> None:
    bodies = await heard(3, Faults(loss=0.5))
    assert 50 < len(bodies) < 150
    assert bodies == [body for body in BODIES if body in bodies]


async def test_loss_takes_nothing_from_a_stream() -> None:
    assert await delivered(3, Faults(loss=1.0)) == BODIES


async def test_duplicates_come_twice() -> None:
    bodies = await delivered(3, Faults(duplicates=0.5))
    assert 250 < len(bodies) < 350
    assert set(bodies) == set(BODIES)


async def test_reordered_deliveries_all_come() -> None:
    bodies = await delivered(3, Faults(reorder=0.5))
    assert bodies != BODIES
    assert sorted(bodies) == sorted(BODIES)


async def test_a_lost_ack_is_one_more_delivery() -> None:
    broker = MemoryBroker(3, Faults(ack_loss=0.5))
    bus = MemoryBus(broker)
    await bus.ensure([QUEUE])
    got = Delivered()
    await bus.consume(HASTY, got.take)
    await bus.publish([Message(subject="work.a", data=body) for body in BODIES])
    stored = broker.stream("WORK")
    await until(lambda: stored.last(">") is None, "all to be acknowledged in the end")
    assert len(got.bodies) > 300
    assert set(got.bodies) == set(BODIES)


async def test_a_lost_confirmation_leaves_the_message_stored() -> None:
    bus = MemoryBus(MemoryBroker(3, Faults(confirm_loss=1.0)))
    await bus.ensure([QUEUE])
    with pytest.raises(Unconfirmed, match="not confirmed"):
        await bus.publish_confirmed([Message(subject="work.a", data=b"x")], within=0.01)
    assert await bus.last("WORK", "work.a") is not None


async def test_what_is_on_its_way_to_a_lost_connection_is_lost() -> None:
    broker = MemoryBroker()
    bus, sender = MemoryBus(broker), MemoryBus(broker)
    ears = Heard()
    await bus.subscribe("feed.>", ears)
    sending = asyncio.ensure_future(
        sender.publish([Message(subject="feed.a.b", data=b"on its way")])
    )
    broker.disconnect(bus)
    await sending
    await sender.publish([Message(subject="feed.a.b", data=b"into the void")])
    await broker.reconnect(bus)
    await sender.publish([Message(subject="feed.a.b", data=b"after")])
    await ears.wait(1)
    assert ears.bodies == [b"after"]


async def test_the_acks_of_a_lost_connection_are_lost() -> None:
    broker = MemoryBroker()
    bus = MemoryBus(broker)
    await bus.ensure([QUEUE])
    got = Delivered(acknowledge=False)
    await bus.consume(HASTY, got.take)
    await bus.publish([Message(subject="work.a", data=b"x")])
    await got.wait(1)
    got.ack_all()
    broker.disconnect(bus)
    await broker.reconnect(bus)
    await got.wait(2)


async def test_one_lost_connection_leaves_the_others_alone() -> None:
    broker = MemoryBroker()
    lost, other = MemoryBus(broker), MemoryBus(broker)
    ears = Heard()
    await other.subscribe("feed.>", ears)
    broker.disconnect(lost)
    await lost.publish([Message(subject="feed.a.b", data=b"never sent")])
    await other.publish([Message(subject="feed.a.b", data=b"sent")])
    await ears.wait(1)
    assert ears.bodies == [b"sent"]


TOKENS = st.sampled_from(["a", "b", "c"])


@given(st.lists(TOKENS, min_size=1, max_size=5))
def test_every_subject_matches_itself_and_what_stands_for_all(tokens: list[str]) -> None:
    subject = ".".join(tokens)
    assert takes(subject, subject)
    assert takes(">", subject)
    assert takes(".".join("*" for _ in tokens), subject)
    assert not takes(subject + ".>", subject)
    assert not takes(subject, subject + ".a")
    assert not takes(".".join(["*", *tokens]), subject)


def test_a_subject_that_the_source_does_not_take_is_not_transformed() -> None:
    transform = streams.commands(16).transform
    assert transform is not None
    assert transformed(transform, "turn.m_1.0") == "turn.m_1.0"
    assert transformed(transform, "cmdin.m_1.ops").endswith(".m_1.ops")


async def test_a_stream_of_few_bytes_that_discards_new_stays_as_it_is() -> None:
    bus = MemoryBus(MemoryBroker())
    small = msgspec.structs.replace(QUEUE, discard="new", max_bytes=10)
    await bus.ensure([small])
    await bus.publish_confirmed([Message(subject="work.a", data=b"12345678")], within=1)
    with pytest.raises(Unconfirmed, match="maximum"):
        await bus.publish_confirmed([Message(subject="work.a", data=b"9")] * 3, within=1)


async def test_a_connection_that_is_lost_again_while_it_comes_back_is_not_settled() -> None:
    broker = MemoryBroker()
    bus = MemoryBus(broker)
    await bus.ensure([QUEUE])
    calls: list[asyncio.Event] = []

    async def call() -> None:
        calls.append(asyncio.Event())
        await calls[-1].wait()

    bus.on_reconnect(call)
    broker.disconnect(bus)
    first = asyncio.create_task(broker.reconnect(bus))
    await until(lambda: len(calls) == 1, "the first call")
    broker.disconnect(bus)
    calls[0].set()
    await first
    second = asyncio.create_task(broker.reconnect(bus))
    await until(lambda: len(calls) == 2, "the second call")
    with pytest.raises(Unconfirmed, match="not settled"):
        await bus.publish_confirmed([Message(subject="work.a", data=b"")], within=1)
    calls[1].set()
    await second
    await bus.publish_confirmed([Message(subject="work.a", data=b"")], within=1)
