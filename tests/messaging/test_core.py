"""The contract of core messages, confirmed publishing and reconnects, on both adapters."""

from itertools import count

import msgspec
import pytest

from services.messaging import streams
from services.messaging.port import (
    Bus,
    BusError,
    BusUnreachable,
    ConsumerSpec,
    Message,
    StreamSpec,
    Unconfirmed,
)
from services.messaging.server import MAX_PAYLOAD
from tests.messaging.heard import Delivered, Heard
from tests.messaging.stage import Stage
from tests.waiting import until, until_async

LOG = StreamSpec(name="LOG", subjects=("log.>",), retention="limits", discard="old")
READER = ConsumerSpec(stream="LOG", name="r-e1", filter="log.>", ack_wait=0.5)
NEWER = ConsumerSpec(stream="LOG", name="r-e10", filter="log.>", ack_wait=0.5)
GROUP = ConsumerSpec(stream="LOG", name="crew", filter="log.>", group="crew", ack_wait=0.5)


def say(subject: str, body: str = "x") -> Message:
    return Message(subject=subject, data=body.encode())


class Calls:
    """What `on_reconnect` called, in order."""

    def __init__(self) -> None:
        self.made: list[str] = []

    async def one(self) -> None:
        self.made.append("one")

    async def fail(self) -> None:
        self.made.append("fail")
        raise ValueError("this call fails")

    async def two(self) -> None:
        self.made.append("two")


async def test_a_subscriber_hears_what_its_wildcards_take_in_order(stage: Stage, bus: Bus) -> None:
    one, star, rest = Heard(), Heard(), Heard()
    listener = await stage.bus()
    await listener.subscribe("feed.ann.m_1", one)
    await listener.subscribe("feed.ann.*", star)
    await listener.subscribe("feed.>", rest)
    sent = ["feed.ann.m_1", "feed.ann.m_2", "feed.bob.m_1", "feed.ann.m_1.x", "feed", "feed.end.x"]
    await bus.publish([say(subject, str(number)) for number, subject in enumerate(sent)])
    await rest.wait(5)
    assert rest.bodies == [b"0", b"1", b"2", b"3", b"5"]
    assert star.bodies == [b"0", b"1"]
    assert one.bodies == [b"0"]


async def test_core_messages_are_not_kept_for_those_who_come_later(bus: Bus) -> None:
    heard = Heard()
    await bus.publish([say("feed.a.b", "before")])
    await bus.subscribe("feed.>", heard)
    await bus.publish([say("feed.a.b", "after")])
    await heard.wait(1)
    assert heard.bodies == [b"after"]


async def test_every_subscriber_hears_a_core_message(stage: Stage, bus: Bus) -> None:
    all_heard = [Heard() for _ in range(3)]
    for heard in all_heard:
        await (await stage.bus()).subscribe("event.>", heard)
    await bus.publish([say("event.0.x")])
    for heard in all_heard:
        await heard.wait(1)


async def test_a_stopped_subscriber_hears_no_more(stage: Stage, bus: Bus) -> None:
    stopped, other = Heard(), Heard()
    listener = await stage.bus()
    listening = await listener.subscribe("feed.>", stopped)
    await listener.subscribe("feed.>", other)
    await bus.publish([say("feed.a.b", "1")])
    await stopped.wait(1)
    await listening.stop()
    await listening.stop()
    await bus.publish([say("feed.a.b", "2")])
    await other.wait(2)
    assert stopped.bodies == [b"1"]


async def test_a_handler_that_raises_hears_the_next_message(bus: Bus) -> None:
    heard = Heard()

    def raise_on_first(message: Message) -> None:
        heard(message)
        if len(heard.messages) == 1:
            raise ValueError("the first one")

    await bus.subscribe("feed.>", raise_on_first)
    await bus.publish([say("feed.a.b", "1"), say("feed.a.b", "2")])
    await heard.wait(2)


async def test_what_a_stream_takes_is_heard_by_core_subscribers_too(bus: Bus) -> None:
    await bus.ensure([streams.commands(16), streams.events()])
    heard = Heard()
    await bus.subscribe(">", heard)
    await bus.publish([say("cmdin.m_1.u_ann00000", "spoken")])
    await bus.publish_confirmed([say("event.0.x", "line")], within=5)
    await heard.wait_for(b"spoken")
    await heard.wait_for(b"line")
    spoken = [message.subject for message in heard.messages if message.data == b"spoken"]
    assert spoken == ["cmdin.m_1.u_ann00000"], "as it was sent: storing it says nothing"


async def test_a_thousand_messages_are_confirmed_together(bus: Bus) -> None:
    await bus.ensure([LOG])
    await bus.publish_confirmed([say("log.a", str(number)) for number in range(1_000)], within=10)
    last = await bus.last("LOG", "log.a")
    assert last is not None
    assert last.data == b"999"


async def test_to_confirm_nothing_is_no_trouble(bus: Bus) -> None:
    await bus.publish_confirmed([], within=0.1)


async def test_without_a_stream_nothing_is_confirmed(bus: Bus) -> None:
    with pytest.raises(Unconfirmed, match="no stream takes the subject"):
        await bus.publish_confirmed([say("log.a")], within=5)


async def test_one_refused_message_leaves_the_call_unconfirmed_and_the_others_stored(
    bus: Bus,
) -> None:
    await bus.ensure([msgspec.structs.replace(LOG, max_message_bytes=10)])
    with pytest.raises(Unconfirmed, match="message size exceeds maximum allowed"):
        await bus.publish_confirmed([say("log.a"), say("log.a", "x" * 11), say("log.b")], within=5)

    async def stored() -> bool:
        return await bus.last("LOG", "log.b") is not None

    await until_async(stored, "the message after the refused one")


async def test_a_message_over_the_payload_limit_is_dropped_and_the_next_is_sent(bus: Bus) -> None:
    heard = Heard()
    await bus.subscribe("feed.>", heard)
    await bus.publish([say("feed.a.b", "x" * (MAX_PAYLOAD + 1)), say("feed.a.b", "small")])
    await heard.wait(1)
    assert heard.bodies == [b"small"]


async def test_after_a_crash_the_calls_are_made_in_order_and_a_failing_one_stops_none(
    stage: Stage, bus: Bus
) -> None:
    calls = Calls()
    for call in (calls.one, calls.fail, calls.two):
        bus.on_reconnect(call)
    await stage.stop()
    await stage.start()
    await until(lambda: calls.made == ["one", "fail", "two"], "the calls after the reconnect")
    await stage.stop()
    await stage.start()
    await until(lambda: len(calls.made) == 6, "the calls after the second reconnect")


async def test_subscriptions_outlive_a_crash(stage: Stage, bus: Bus) -> None:
    heard, calls = Heard(), Calls()
    await bus.subscribe("feed.>", heard)
    bus.on_reconnect(calls.one)
    await stage.stop()
    await stage.start()
    await until(lambda: calls.made == ["one"], "the reconnect")
    await bus.publish([say("feed.a.b", "after")])
    await heard.wait_for(b"after")


async def test_to_publish_without_a_broker_never_raises(stage: Stage, bus: Bus) -> None:
    calls = Calls()
    bus.on_reconnect(calls.one)
    await stage.stop()
    for _ in range(40):
        await bus.publish([say("feed.a.b", "x" * 500_000)])
    await stage.start()
    await until(lambda: calls.made == ["one"], "the reconnect")
    heard = Heard()
    await bus.subscribe("feed.>", heard)
    await bus.publish([say("feed.a.b", "after")])
    await heard.wait_for(b"after")


async def test_without_a_broker_nothing_is_confirmed(stage: Stage, bus: Bus) -> None:
    await bus.ensure([LOG])
    await stage.stop()
    with pytest.raises(Unconfirmed):
        await bus.publish_confirmed([say("log.a")], within=0.2)


async def test_a_store_outlives_a_crash_and_so_do_its_consumers(stage: Stage, bus: Bus) -> None:
    await bus.ensure([LOG])
    got = Delivered()
    await bus.consume(READER, got.take)
    await bus.publish_confirmed([say("log.a", "before")], within=5)
    await got.wait_for(b"before")
    await stage.stop()
    await stage.start()
    sender = await stage.bus()
    await sender.publish_confirmed([say("log.a", "after")], within=5)
    await got.wait_for(b"after")
    last = await sender.last("LOG", "log.a")
    assert last is not None
    assert last.data == b"after"


async def test_what_was_not_acknowledged_before_a_crash_comes_again(stage: Stage, bus: Bus) -> None:
    await bus.ensure([LOG])
    got = Delivered(acknowledge=False)
    await bus.consume(READER, got.take)
    await bus.publish_confirmed([say("log.a", "unacknowledged")], within=5)
    await got.wait_for(b"unacknowledged")
    seen = len(got.bodies)
    await stage.stop()
    await stage.start()
    await got.wait(seen + 1)


@pytest.mark.parametrize("spec", [READER, GROUP], ids=["exclusive", "group"])
async def test_consumers_come_back_to_an_emptied_broker_once_the_stream_is_there(
    stage: Stage, bus: Bus, spec: ConsumerSpec
) -> None:
    reader = await stage.bus()
    got = Delivered()
    await bus.ensure([LOG])
    bus.on_reconnect(lambda: bus.ensure([LOG]))
    await reader.consume(spec, got.take)
    await stage.stop()
    stage.wipe()
    await stage.start()

    async def stored() -> bool:
        try:
            await bus.publish_confirmed([say("log.a", "after")], within=1)
        except Unconfirmed:
            return False
        return True

    await until_async(stored, "the stream to be there again")
    await got.wait_for(b"after")


async def test_of_two_owners_that_come_back_the_newer_one_stays(stage: Stage, bus: Bus) -> None:
    zombie_bus = await stage.bus()
    zombie, owner = Delivered(), Delivered()
    await bus.ensure([LOG])
    bus.on_reconnect(lambda: bus.ensure([LOG]))
    await zombie_bus.consume(READER, zombie.take)
    await bus.consume(NEWER, owner.take)
    await stage.stop()
    stage.wipe()
    await stage.start()

    numbers = count()

    async def owner_alone() -> bool:
        body = f"{next(numbers)}"
        try:
            await bus.publish_confirmed([say("log.a", body)], within=1)
        except Unconfirmed:
            return False
        await bus.last("LOG", ">")
        await zombie_bus.last("LOG", ">")
        return body.encode() in owner.bodies and body.encode() not in zombie.bodies

    await until_async(owner_alone, "the owner to be alone")
    had = len(zombie.bodies)
    await bus.publish_confirmed([say("log.a", f"more {n}") for n in range(20)], within=5)
    await owner.wait_for(b"more 19")
    await zombie_bus.last("LOG", ">")
    assert len(zombie.bodies) == had


async def test_to_close_sends_what_was_published(stage: Stage, bus: Bus) -> None:
    heard = Heard()
    await bus.subscribe("feed.>", heard)
    sender = await stage.bus()
    await sender.publish([say("feed.a.b", str(number)) for number in range(500)])
    await sender.close()
    await heard.wait(500)


async def test_to_close_sends_the_acks(stage: Stage, bus: Bus) -> None:
    queue = StreamSpec(name="WORK", subjects=("work.>",), retention="workqueue", discard="old")
    await bus.ensure([queue])
    await bus.publish_confirmed([say("work.a", str(number)) for number in range(50)], within=5)
    reader = await stage.bus()
    got = Delivered(acknowledge=False)
    await reader.consume(ConsumerSpec(stream="WORK", name="w-e1", filter="work.>"), got.take)
    await got.wait(50)
    got.ack_all()
    await reader.close()

    async def empty() -> bool:
        return await bus.last("WORK", ">") is None

    await until_async(empty, "the acks that were sent on closing")


async def test_a_closed_bus_does_nothing_and_says_so(stage: Stage, bus: Bus) -> None:
    await bus.ensure([LOG])
    closed = await stage.bus()
    await closed.close()
    await closed.close()
    await closed.publish([say("log.a")])
    with pytest.raises(Unconfirmed):
        await closed.publish_confirmed([say("log.a")], within=0.1)
    with pytest.raises(BusUnreachable):
        await closed.last("LOG", ">")
    with pytest.raises(BusUnreachable):
        await closed.subscribe("feed.>", Heard())
    with pytest.raises(BusError):
        await closed.consume(READER, Delivered().take)
    assert await bus.last("LOG", ">") is None
