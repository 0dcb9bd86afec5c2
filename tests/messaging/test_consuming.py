"""The contract of `consume`, on both adapters."""

import pytest

from services.messaging import streams
from services.messaging.port import Bus, BusError, ConsumerSpec, Delivery, Message, StreamSpec
from tests.messaging.heard import Delivered
from tests.messaging.stage import Stage
from tests.waiting import until, until_async

WORK = StreamSpec(name="WORK", subjects=("work.>",), retention="workqueue", discard="old")
FACTS = StreamSpec(name="FACTS", subjects=("fact.>",), retention="limits", discard="old")
SOON = 0.2
"""Seconds after which an unacknowledged message comes again, where a test waits for it."""
FIRST = ConsumerSpec(stream="WORK", name="w-e1", filter="work.>")
SECOND = ConsumerSpec(stream="WORK", name="w-e2", filter="work.>")
GROUP = ConsumerSpec(stream="WORK", name="crew", filter="work.>", group="crew")


def again_soon(spec: ConsumerSpec) -> ConsumerSpec:
    return ConsumerSpec(
        stream=spec.stream, name=spec.name, filter=spec.filter, group=spec.group, ack_wait=SOON
    )


def work(*bodies: str) -> list[Message]:
    return [Message(subject="work.a", data=body.encode()) for body in bodies]


async def publish(bus: Bus, *bodies: str) -> None:
    await bus.publish_confirmed(work(*bodies), within=5)


async def drained(bus: Bus) -> None:
    async def empty() -> bool:
        return await bus.last("WORK", ">") is None

    await until_async(empty, "the work queue to be empty")


@pytest.fixture
async def bus(stage: Stage) -> Bus:
    made = await stage.bus()
    await made.ensure([WORK, FACTS])
    return made


async def test_a_consumer_starts_at_the_first_message_and_keeps_the_order(bus: Bus) -> None:
    bodies = [str(number) for number in range(300)]
    await publish(bus, *bodies[:150])
    got = Delivered()
    await bus.consume(FIRST, got.take)
    await publish(bus, *bodies[150:])
    await got.wait(300)
    assert got.bodies == [body.encode() for body in bodies]


async def test_a_message_comes_again_until_it_is_acknowledged(bus: Bus) -> None:
    got = Delivered(acknowledge=False)
    await bus.consume(again_soon(FIRST), got.take)
    await publish(bus, "a")
    await got.wait(3)
    assert set(got.bodies) == {b"a"}
    got.ack_all()
    await drained(bus)
    count = len(got.bodies)
    await publish(bus, "b")
    await got.wait_for(b"b")
    assert got.bodies[count:].count(b"a") <= 1, "one may have been on its way"


async def test_what_is_acknowledged_is_gone_from_a_work_queue(bus: Bus) -> None:
    got = Delivered()
    await bus.consume(FIRST, got.take)
    await publish(bus, "a", "b")
    await got.wait(2)
    await drained(bus)
    later = Delivered()
    await bus.consume(SECOND, later.take)
    await publish(bus, "c")
    await later.wait_for(b"c")
    assert later.bodies == [b"c"]


async def test_the_members_of_a_group_share_what_comes(stage: Stage, bus: Bus) -> None:
    one, other = Delivered(), Delivered()
    await bus.consume(GROUP, one.take)
    await (await stage.bus()).consume(GROUP, other.take)
    bodies = [str(number) for number in range(200)]
    await publish(bus, *bodies)
    await until(lambda: len(one.bodies + other.bodies) >= 200, "all 200 of the group")
    assert sorted(one.bodies + other.bodies) == sorted(body.encode() for body in bodies)
    assert one.bodies
    assert other.bodies


async def test_what_a_lost_member_has_not_acknowledged_goes_to_another(
    stage: Stage, bus: Bus
) -> None:
    dying_bus = await stage.bus()
    dying = Delivered(acknowledge=False)
    await dying_bus.consume(again_soon(GROUP), dying.take)
    await publish(bus, "a", "b")
    await dying.wait(2)
    await dying_bus.close()
    heir = Delivered()
    await bus.consume(again_soon(GROUP), heir.take)
    await heir.wait(2)
    assert sorted(heir.bodies) == [b"a", b"b"]


async def test_a_new_exclusive_consumer_gets_what_the_old_one_left_at_once(
    stage: Stage, bus: Bus
) -> None:
    zombie = Delivered(acknowledge=False)
    await bus.consume(FIRST, zombie.take)
    await publish(bus, "a", "b", "c")
    await zombie.wait(3)
    heir = Delivered()
    await (await stage.bus()).consume(SECOND, heir.take)
    await heir.wait(3)
    assert heir.bodies == [b"a", b"b", b"c"], "long before the 30 s of the old one's ack_wait"


async def test_a_replaced_consumer_gets_nothing_more(stage: Stage, bus: Bus) -> None:
    zombie, heir = Delivered(), Delivered()
    zombie_bus = await stage.bus()
    await zombie_bus.consume(FIRST, zombie.take)
    await bus.consume(SECOND, heir.take)
    await publish(bus, *(str(number) for number in range(50)))
    await heir.wait(50)
    await zombie_bus.last("WORK", ">")
    assert zombie.bodies == []


async def test_the_ack_of_a_replaced_consumer_counts_for_nothing(stage: Stage, bus: Bus) -> None:
    zombie = Delivered(acknowledge=False)
    await bus.consume(FIRST, zombie.take)
    await publish(bus, "a")
    await zombie.wait(1)
    heir = Delivered(acknowledge=False)
    await (await stage.bus()).consume(SECOND, heir.take)
    zombie.ack_all()
    await bus.last("WORK", ">")
    await heir.wait(1)
    last_heir = Delivered()
    third = ConsumerSpec(stream="WORK", name="w-e3", filter="work.>")
    await bus.consume(third, last_heir.take)
    await last_heir.wait_for(b"a")


async def test_consumers_of_other_partitions_are_left_alone(stage: Stage, bus: Bus) -> None:
    one, other = Delivered(), Delivered()
    await bus.consume(ConsumerSpec(stream="WORK", name="p0-e1", filter="work.0.>"), one.take)
    await (await stage.bus()).consume(
        ConsumerSpec(stream="WORK", name="p1-e2", filter="work.1.>"), other.take
    )
    for partition in ("0", "1"):
        body = Message(subject=f"work.{partition}.x", data=partition.encode())
        await bus.publish_confirmed([body], within=5)
    await one.wait(1)
    await other.wait(1)
    assert (one.bodies, other.bodies) == ([b"0"], [b"1"])


async def test_no_more_than_max_pending_wait_for_their_acks(bus: Bus) -> None:
    got = Delivered(acknowledge=False)
    spec = ConsumerSpec(stream="WORK", name="w-e1", filter="work.>", max_pending=5)
    await bus.consume(spec, got.take)
    await publish(bus, *(str(number) for number in range(20)))
    await got.wait(5)
    await bus.last("WORK", ">")
    assert len(got.bodies) == 5
    got.ack_all()
    await got.wait(10)
    await bus.last("WORK", ">")
    assert len(got.bodies) == 10


async def test_a_handler_that_raises_stops_nothing(bus: Bus) -> None:
    got = Delivered()
    failed: list[bytes] = []

    def raise_once(delivery: Delivery) -> None:
        if not failed:
            failed.append(delivery.message.data)
            raise ValueError("the first one")
        got.take(delivery)

    await bus.consume(again_soon(FIRST), raise_once)
    await publish(bus, "a", "b")
    await got.wait_for(b"b")
    await got.wait_for(b"a")
    assert failed == [b"a"]


async def test_a_stopped_subscription_calls_no_more_and_leaves_the_rest(
    stage: Stage, bus: Bus
) -> None:
    got = Delivered()
    reading = await bus.consume(again_soon(GROUP), got.take)
    await publish(bus, "a")
    await got.wait(1)
    await reading.stop()
    await reading.stop()
    await publish(bus, "b")
    heir = Delivered()
    await (await stage.bus()).consume(again_soon(GROUP), heir.take)
    await heir.wait_for(b"b")
    assert got.bodies == [b"a"]


async def test_a_missing_stream_cannot_be_consumed(bus: Bus) -> None:
    for group in (None, "g"):
        spec = ConsumerSpec(stream="NOWHERE", name="x", filter="x.>", group=group)
        with pytest.raises(BusError, match="stream not found"):
            await bus.consume(spec, Delivered().take)


async def test_two_groups_in_one_work_queue_are_refused(bus: Bus) -> None:
    await bus.consume(GROUP, Delivered().take)
    other = ConsumerSpec(stream="WORK", name="gang", filter="work.>", group="gang")
    with pytest.raises(BusError, match="not unique"):
        await bus.consume(other, Delivered().take)


async def test_each_group_of_a_log_gets_everything_it_filters(bus: Bus) -> None:
    ended, everything = Delivered(), Delivered()
    scoring = ConsumerSpec(stream="FACTS", name="s", filter="fact.*.ended", group="s")
    audit = ConsumerSpec(stream="FACTS", name="a", filter="fact.>", group="a")
    await bus.consume(scoring, ended.take)
    await bus.consume(audit, everything.take)
    subjects = ["fact.0.ended", "fact.0.played", "fact.1.ended", "fact.1.ended.more"]
    facts = [Message(subject=subject, data=b"x") for subject in subjects]
    await bus.publish_confirmed(facts, within=5)
    await everything.wait(4)
    await ended.wait(2)
    assert everything.subjects == subjects
    assert ended.subjects == ["fact.0.ended", "fact.1.ended"]


async def test_a_log_keeps_what_is_acknowledged(bus: Bus) -> None:
    got = Delivered()
    await bus.consume(ConsumerSpec(stream="FACTS", name="f-e1", filter="fact.>"), got.take)
    await bus.publish_confirmed([Message(subject="fact.0.x", data=b"x")], within=5)
    await got.wait(1)
    again = Delivered()
    await bus.consume(ConsumerSpec(stream="FACTS", name="f-e2", filter="fact.>"), again.take)
    await again.wait(1)
    assert again.bodies == [b"x"]


async def test_headers_of_workers_arrive_and_those_of_players_do_not(bus: Bus) -> None:
    await bus.ensure(streams.all_streams(1))
    told, commands = Delivered(), Delivered()
    await bus.consume(ConsumerSpec(stream="EVENTS", name="e", filter="event.>"), told.take)
    await bus.consume(streams.owner(0, 1), commands.take)
    headers = {"Waraq-Head": "00ff"}
    sent = [
        Message(subject=subject, data=b"x", headers=headers)
        for subject in ("event.0.card_played", "cmdin.m_1.u_somebody")
    ]
    await bus.publish(sent)
    await told.wait(1)
    await commands.wait(1)
    assert told.messages[0].headers["Waraq-Head"] == "00ff"
    assert commands.messages[0].headers == {}
