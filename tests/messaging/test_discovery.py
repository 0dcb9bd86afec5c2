"""`$SRV`: an operator is told how workers stand; a player neither asks nor is ever answered."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from schemas.standing import Standing
from services.messaging.discovery import Service, answer, may_be_answered, seen
from services.messaging.jetstream import JetStreamBus
from services.messaging.jetstream_discovery import gather
from services.messaging.permissions import ANSWERS, SERVICES, inbox
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


def service(role: str = "table", name: str = "one", standing: Standing = STANDING) -> Service:
    return Service(
        name=f"waraq-{role}",
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
        bus = await bus_as(broker, one.name.removeprefix("waraq-"))
        await bus.attend(one)
        await bus._round_trip()
        buses.append(bus)
    yield buses
    for bus in buses:
        await bus.close()


async def asked(broker: Broker, subject: str) -> list[dict[str, Any]]:
    """What an operator hears who asks there."""
    cli = await Raw("cli").connect(broker)
    reply = f"{ANSWERS}test"
    await cli.client.subscribe(reply, cb=cli._hear)
    await cli.say(subject, b"", reply)
    workers = await Raw("table").connect(broker)  # what it asks comes after what was asked before
    await workers.round_trip()
    await cli.round_trip()
    await workers.client.close()
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
    async with attended(broker, service("table", "a"), service("table", "b"), service("bot")):
        for subject, ids in (
            ("$SRV.PING", ["a", "b", "one"]),
            ("$SRV.PING.waraq-table", ["a", "b"]),
            ("$SRV.PING.waraq-table.b", ["b"]),
            ("$SRV.PING.waraq-bot.b", []),
        ):
            found = await asked(broker, subject)
            assert sorted(one["id"] for one in found) == ids, subject


async def test_answers_have_the_conventions_form(broker: Broker) -> None:
    common = {"name": "waraq-table", "id": "one", "version": "0.0.1", "metadata": {"at": "here:1"}}
    async with attended(broker, service()):
        (ping,) = await asked(broker, "$SRV.PING")
        assert ping == common | {"type": "io.nats.micro.v1.ping_response"}
        (info,) = await asked(broker, "$SRV.INFO")
        endpoint = {"name": "work", "subject": "cmdin.*.*", "queue_group": ""}
        assert info == common | {
            "type": "io.nats.micro.v1.info_response",
            "description": "Decides.",
            "endpoints": [endpoint | {"metadata": {}}],
        }
        (stats,) = await asked(broker, "$SRV.STATS")
        (counted,) = stats.pop("endpoints")
        assert stats == common | {
            "type": "io.nats.micro.v1.stats_response",
            "started": "2026-12-01T00:00:00+00:00",
        }
        assert (counted["num_requests"], counted["num_errors"]) == (7, 1)
        assert counted["data"]["numbers"] == {"matches_open": 3}


@pytest.mark.parametrize("reply", ELSEWHERE)
async def test_nobody_is_answered_elsewhere(broker: Broker, reply: str) -> None:
    """Whoever asks, even one who may say everything: the worker looks at the subject itself."""
    assert not may_be_answered(reply)
    async with attended(broker, service()):
        spy = await Raw(SPY).connect(broker)
        await spy.client.subscribe(">", cb=spy._hear)
        await spy.round_trip()
        await spy.say("$SRV.STATS", b"", reply)
        assert await all_seen(broker) == [("table", "one")], "it has heard what was asked before"
        told = [msg.subject for msg in spy.heard if b"io.nats.micro" in msg.data]
        assert told, "the spy hears answers"
        assert all(subject.startswith(ANSWERS) for subject in told)
        await spy.client.close()


@pytest.mark.parametrize("subject", [f"$SRV.{verb}" for verb in ("PING", "INFO", "STATS")])
async def test_a_player_can_neither_ask_nor_listen_nor_answer(broker: Broker, subject: str) -> None:
    ann = await Raw(ANN).connect(broker)
    for of in ("", *(f".{name}" for name in SERVICES), ".waraq-table.one"):
        assert not await ann.may_publish(subject + of)
        assert not await ann.may_subscribe(subject + of)
    assert not await ann.may_publish(f"{ANSWERS}x")
    assert not await ann.may_subscribe(f"{ANSWERS}>")
    await ann.client.close()


async def test_what_a_player_says_with_an_operators_reply_subject_is_answered_by_nobody(
    broker: Broker,
) -> None:
    async with attended(broker, service()):
        cli, ann = await Raw("cli").connect(broker), await Raw(ANN).connect(broker)
        await cli.client.subscribe(f"{ANSWERS}>", cb=cli._hear)
        await cli.round_trip()
        await ann.say(f"ask.{MATCH}.{ANN}", b"{}", f"{ANSWERS}x")
        await ann.say("$SRV.STATS", b"", f"{ANSWERS}x")
        assert await all_seen(broker) == [("table", "one")]
        assert [msg.subject for msg in cli.heard if msg.subject == f"{ANSWERS}x"] == []
        await ann.client.close()
        await cli.client.close()


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
        answer(service("other"), "STATS"),
        answer(service(), "PING"),
        answer(service(), "INFO"),
        answer(service(), "STATS").replace(b'"ready":true', b'"ready":"yes"'),
    ],
    ids=range(8),
)
def test_an_answer_of_another_form_is_of_nobody(wrong: bytes) -> None:
    assert seen(wrong) is None


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
