"""A living worker and a broker that is killed: nothing that was confirmed is lost."""

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from schemas.subjects import MSG_ID_HEADER
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import ConsumerSpec, Message, StreamSpec, Unconfirmed
from services.messaging.server import start_broker
from tests.broker import SPY, bus_as, running_broker
from tests.messaging.heard import Delivered
from tests.waiting import until, until_async

WORK = StreamSpec(name="WORK", subjects=("work.>",), retention="workqueue", discard="old")
READER = ConsumerSpec(stream="WORK", name="w-e1", filter="work.>", ack_wait=0.5)
BATCHES, SIZE = 60, 50
CRASHES_BEFORE = (10, 25, 40)
TURNS = 20
"""Turns of the loop, more than anything takes that is about to be done."""


def batch_of(number: int) -> list[Message]:
    ids = [f"{number}:{place}" for place in range(SIZE)]
    return [
        Message(subject="work.a", data=each.encode(), headers={MSG_ID_HEADER: each}) for each in ids
    ]


async def confirm(bus: JetStreamBus, batch: Sequence[Message]) -> None:
    """As a worker does it: the same messages again until all are confirmed."""

    async def confirmed() -> bool:
        try:
            await bus.publish_confirmed(batch, within=2)
        except Unconfirmed:
            return False
        return True

    await until_async(confirmed, "a batch to be confirmed")


async def test_all_that_was_confirmed_over_three_crashes_is_delivered(tmp_path: Path) -> None:
    with ExitStack() as brokers:
        broker = brokers.enter_context(running_broker(tmp_path))
        sender, reader = await bus_as(broker, SPY), await bus_as(broker, SPY)
        await sender.ensure([WORK])
        got = Delivered()
        await reader.consume(READER, got.take)
        for number in range(BATCHES):
            sending = asyncio.ensure_future(confirm(sender, batch_of(number)))
            if number in CRASHES_BEFORE:
                await asyncio.sleep(0)
                broker.kill()
                broker = start_broker(broker.config, tmp_path)
                brokers.callback(broker.kill)
            await sending

        async def empty() -> bool:
            return await sender.last("WORK", ">") is None

        await until_async(empty, "everything to be acknowledged")
        wanted = {message.data for number in range(BATCHES) for message in batch_of(number)}
        assert set(got.bodies) == wanted
        await sender.close()
        await reader.close()


async def test_a_lost_connection_ends_the_wait_for_its_confirmations(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        bus = await bus_as(broker, SPY)
        await bus.ensure([WORK])
        os.kill(broker.pid, signal.SIGSTOP)
        waiting = asyncio.ensure_future(bus.publish_confirmed(batch_of(0), within=600))
        await asyncio.sleep(0)
        broker.kill()
        with pytest.raises(Unconfirmed, match="connection was lost"):
            await asyncio.wait_for(waiting, 10)
        await bus.close()


async def test_a_broker_that_says_nothing_costs_no_more_than_the_time_given(
    tmp_path: Path,
) -> None:
    with running_broker(tmp_path) as broker:
        bus = await bus_as(broker, SPY)
        await bus.ensure([WORK])
        os.kill(broker.pid, signal.SIGSTOP)
        with pytest.raises(Unconfirmed, match=r"50 of 50 not confirmed in 0\.1 s"):
            await asyncio.wait_for(bus.publish_confirmed(batch_of(0), within=0.1), 10)
        os.kill(broker.pid, signal.SIGCONT)
        await bus.publish_confirmed(batch_of(0), within=5)
        await bus.close()


async def test_a_publisher_that_is_ended_while_it_waits_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    with running_broker(tmp_path) as broker:
        bus = await bus_as(broker, SPY)
        await bus.ensure([WORK])
        await until(lambda: bus.connected and bus._confirmations.open, "a settled connection")
        os.kill(broker.pid, signal.SIGSTOP)
        waiting, tasks = bus._confirmations._waiting, len(asyncio.all_tasks())
        publishing = asyncio.ensure_future(bus.publish_confirmed(batch_of(0), within=600))
        await until(lambda: len(waiting) > 0, "it to wait")
        publishing.cancel()
        await asyncio.wait([publishing])
        assert waiting == {}
        await until(lambda: len(asyncio.all_tasks()) == tasks, "nobody to wait any more")
        os.kill(broker.pid, signal.SIGCONT)
        await bus.close()


async def test_nothing_is_confirmed_while_a_second_loss_has_not_been_told(tmp_path: Path) -> None:
    """The broker dies again while its first return is being told: what it lost then is not known
    before the second telling, and what is sent until then would hide it.
    """
    with ExitStack() as brokers:
        broker = brokers.enter_context(running_broker(tmp_path))
        bus = await bus_as(broker, SPY)
        await bus.ensure([WORK])
        told, ended = list[int](), list[int]()

        async def tell() -> None:
            told.append(len(told))
            if len(told) == 1:
                second.kill()
                await until(lambda: not bus.connected, "the second loss")

        async def end() -> None:
            ended.append(len(ended))

        bus.on_reconnect(tell)
        bus.on_reconnect(end)
        broker.kill()
        second = start_broker(broker.config, tmp_path)
        brokers.callback(second.kill)
        await until(lambda: len(ended) == 1, "the first return to be told")
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert not bus.connected
        assert not bus._confirmations.open, "the second loss is not told yet"
        third = start_broker(broker.config, tmp_path)
        brokers.callback(third.kill)
        await confirm(bus, batch_of(1))
        assert len(ended) == 2
        await bus.close()
