"""`$SRV`: an operator is told how workers stand; a player neither asks nor is ever answered."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from nats.aio.msg import Msg

from schemas.standing import Standing
from services.messaging.discovery import Service, answer, may_be_answered, seen
from services.messaging.jetstream import JetStreamBus
from services.messaging.jetstream_discovery import QUIET, gather
from services.messaging.permissions import ANSWERS, KINDS, Kind, answers_of, inbox
from services.messaging.port import BusUnreachable, LoginRefused
from services.messaging.server import Broker, start_broker
from tests.broker import SPY, bus_as, password, running_broker
from tests.messaging.raw import Raw
from tests.waiting import until_async

ANN, MATCH = "u_ann00000", "m_0123"
BEGAN = datetime(2026, 12, 1, tzinfo=UTC)
STANDING = Standing(ready=True, done=7, failed=1, numbers={"matches_open": 3}, owned=(0, 2))
ELSEWHERE = [
    "",
    "x",
    f"feed.{ANN}.{MATCH}",
    f"cmdin.{MATCH}.{ANN}",
    f"cmdin.{MATCH}.ops",
    f"{inbox(ANN)}.x",
    f"{inbox('cli')}.x",
    f"{inbox('cli')}.srvx",
    f"{inbox('table')}.x",
    "event.0.match_ended",
    "$JS.ACK.EVENTS.scoring.1.1.1.1.1",
]
"""Reply subjects on which nobody is answered."""


def service(kind: Kind = "table", name: str = "one", standing: Standing = STANDING) -> Service:
    return Service(
        kind=kind,
        id=name,
        version="0.0.1",
        at="here:1",
        description="Decides.",
        serves="cmdin.*.*",
        began=BEGAN,
        standing=lambda: standing,
    )


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running_broker(tmp_path / "broker", [ANN]) as running:
        yield running


@asynccontextmanager
async def attended(broker: Broker, *services: Service) -> AsyncIterator[list[JetStreamBus]]:
    buses = []
    for one in services:
        bus = await bus_as(broker, one.kind)
        await bus.attend(one)
        await bus._round_trip()
        buses.append(bus)
    yield buses
    for bus in buses:
        await bus.close()


@contextmanager
def on_a_loop_of_its_own(broker: Broker, standing: Callable[[], Standing]) -> Iterator[None]:
    """A table worker that may keep its loop busy without keeping ours."""
    begun, done = threading.Event(), threading.Event()

    async def work() -> None:
        bus = await bus_as(broker, "table")
        await bus.attend(structs.replace(service(name="busy"), standing=standing))
        await bus._round_trip()
        begun.set()
        await asyncio.to_thread(done.wait)
        await bus.close()

    working = threading.Thread(target=lambda: asyncio.run(work()))
    working.start()
    try:
        assert begun.wait(10)
        yield
    finally:
        done.set()
        working.join()


async def asked(
    broker: Broker, workers: list[JetStreamBus], subject: str, kind: Kind = "table"
) -> list[dict[str, Any]]:
    """What an operator hears who asks these workers there, for answers of that kind."""
    cli = await Raw("cli").connect(broker)
    reply = f"{answers_of(kind)}test"
    await cli.client.subscribe(reply, cb=cli._hear)
    await cli.say(subject, b"", reply)
    for _ in range(2):  # it has come to them, and their answers to the broker
        for worker in workers:
            await worker._round_trip()
    await cli.round_trip()
    await cli.round_trip()  # what came before the first has been heard
    await cli.client.close()
    return [json.loads(msg.data) for msg in cli.heard if msg.data]  # empty: nobody listens


async def all_seen(broker: Broker, user: str = "cli") -> list[tuple[str, str]]:
    found = await gather(broker.url, user=user, password=password(user), within=5)
    return [(one.worker, one.id) for one in found]


async def test_an_operator_gathers_how_all_workers_stand(broker: Broker) -> None:
    several = [service("table", "a"), service("table", "b"), service("bot"), service("scoring")]
    async with attended(broker, *several):
        assert await all_seen(broker) == [
            ("bot", "one"),
            ("scoring", "one"),
            ("table", "a"),
            ("table", "b"),
        ]
        (one, *_) = await gather(broker.url, user="cli", password=password("cli"), within=5)
        assert (one.version, one.at, one.standing) == ("0.0.1", "here:1", STANDING)


async def test_where_no_worker_runs_none_is_seen_and_without_a_broker_it_is_said(
    broker: Broker,
) -> None:
    assert await all_seen(broker) == []
    with pytest.raises(LoginRefused):
        await gather(broker.url, user="cli", password="wrong", within=5)
    broker.kill()
    with pytest.raises(BusUnreachable):
        await gather(broker.url, user="cli", password=password("cli"), within=0.5)


async def test_one_kind_or_one_worker_alone_can_be_asked(broker: Broker) -> None:
    asks: list[tuple[str, Kind, list[str]]] = [
        ("$SRV.PING", "table", ["a", "b"]),
        ("$SRV.PING", "bot", ["one"]),
        ("$SRV.PING", "scoring", []),
        ("$SRV.PING.waraq-table", "table", ["a", "b"]),
        ("$SRV.PING.waraq-table", "bot", []),
        ("$SRV.PING.waraq-table.b", "table", ["b"]),
        ("$SRV.PING.waraq-bot.b", "bot", []),
    ]
    async with attended(
        broker, service("table", "a"), service("table", "b"), service("bot")
    ) as workers:
        for subject, kind, ids in asks:
            found = await asked(broker, workers, subject, kind)
            assert sorted(one["id"] for one in found) == ids, subject


@pytest.mark.parametrize("kind", KINDS)
async def test_no_worker_may_answer_for_another_kind(broker: Broker, kind: Kind) -> None:
    raw = await Raw(kind).connect(broker)
    may = {other: await raw.may_publish(f"{answers_of(other)}x.y") for other in KINDS}
    assert may == {other: other == kind for other in KINDS}
    assert not await raw.may_publish(f"{ANSWERS}x")
    await raw.client.close()


async def test_what_a_worker_says_in_another_kinds_name_is_not_heard(broker: Broker) -> None:
    """It hears what is asked of bots, and answers it in a table's words."""
    bot = await Raw("bot").connect(broker)

    async def forge(msg: Msg) -> None:
        for reply in (msg.reply, msg.reply.replace(answers_of("bot"), answers_of("table"))):
            await bot.client.publish(reply, answer(service("table", "forged"), "STATS"))

    await bot.client.subscribe("$SRV.STATS.waraq-bot", cb=forge)
    await bot.round_trip()
    async with attended(broker, service("table", "true"), service("bot", "true")):
        assert await all_seen(broker) == [("bot", "true"), ("table", "true")]
    assert bot.refusals, "it tried"
    await bot.client.close()


async def test_a_worker_in_a_long_turn_is_waited_for(broker: Broker) -> None:
    """Its loop stands still for longer than answers of others are apart."""

    def busy() -> Standing:
        time.sleep(QUIET + 0.2)
        return STANDING

    with on_a_loop_of_its_own(broker, busy):
        async with attended(broker, service("bot"), service("scoring")):
            assert ("table", "busy") in await all_seen(broker)


async def test_answers_have_the_conventions_form(broker: Broker) -> None:
    common = {"name": "waraq-table", "id": "one", "version": "0.0.1", "metadata": {"at": "here:1"}}
    async with attended(broker, service()) as workers:
        (ping,) = await asked(broker, workers, "$SRV.PING")
        assert ping == common | {"type": "io.nats.micro.v1.ping_response"}
        (info,) = await asked(broker, workers, "$SRV.INFO")
        endpoint = {"name": "work", "subject": "cmdin.*.*", "queue_group": ""}
        assert info == common | {
            "type": "io.nats.micro.v1.info_response",
            "description": "Decides.",
            "endpoints": [endpoint | {"metadata": {}}],
        }
        (stats,) = await asked(broker, workers, "$SRV.STATS")
        (counted,) = stats.pop("endpoints")
        assert stats == common | {
            "type": "io.nats.micro.v1.stats_response",
            "started": "2026-12-01T00:00:00+00:00",
        }
        assert (counted["num_requests"], counted["num_errors"]) == (7, 1)
        assert counted["data"]["numbers"] == {"matches_open": 3}


@pytest.mark.parametrize("reply", [*ELSEWHERE, f"{ANSWERS}x", f"{answers_of('bot')}x"])
async def test_nobody_is_answered_elsewhere(broker: Broker, reply: str) -> None:
    """Whoever asks, even one who may say everything: the worker looks at the subject itself."""
    assert not may_be_answered("table", reply)
    async with attended(broker, service()):
        spy = await Raw(SPY).connect(broker)
        await spy.client.subscribe(">", cb=spy._hear)
        await spy.round_trip()
        await spy.say("$SRV.STATS", b"", reply)
        assert await all_seen(broker) == [("table", "one")], "it has heard what was asked before"
        told = [msg.subject for msg in spy.heard if b"io.nats.micro" in msg.data]
        assert told, "the spy hears answers"
        assert all(subject.startswith(answers_of("table")) for subject in told)
        await spy.client.close()


@pytest.mark.parametrize("subject", [f"$SRV.{verb}" for verb in ("PING", "INFO", "STATS")])
async def test_a_player_can_neither_ask_nor_listen_nor_answer(broker: Broker, subject: str) -> None:
    ann = await Raw(ANN).connect(broker)
    for of in ("", *(f".waraq-{kind}" for kind in KINDS), ".waraq-table.one"):
        assert not await ann.may_publish(subject + of)
        assert not await ann.may_subscribe(subject + of)
    assert not await ann.may_publish(f"{ANSWERS}x")
    assert not await ann.may_subscribe(f"{ANSWERS}>")
    await ann.client.close()


@pytest.mark.parametrize("user", ["table", "bot", "scoring", "analytics", "auth"])
async def test_no_worker_may_ask_another(broker: Broker, user: str) -> None:
    raw = await Raw(user).connect(broker)
    assert not await raw.may_publish("$SRV.STATS")
    await raw.client.close()


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        answer(service("bot"), "STATS"),
        answer(service(), "PING"),
        answer(service(), "INFO"),
        answer(service(), "STATS").replace(b'"ready":true', b'"ready":"yes"'),
    ],
    ids=range(8),
)
def test_an_answer_of_another_form_is_of_nobody(wrong: bytes) -> None:
    assert seen("table", wrong) is None


async def test_a_worker_answers_again_once_the_broker_is_back(broker: Broker) -> None:
    async with attended(broker, service()):
        broker.kill()
        again = start_broker(broker.config, broker.directory)

        async def answers() -> bool:
            return await all_seen(again) == [("table", "one")]

        try:
            await until_async(answers, "the worker to answer again")
        finally:
            again.kill()
