"""The embedded broker's process, and the connection to it."""

import asyncio
import json
import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from services.messaging import streams
from services.messaging.jetstream import connect
from services.messaging.port import BusError, BusUnreachable, Message
from services.messaging.server import (
    Broker,
    BrokerFailed,
    broker_program,
    config_text,
    spawn_broker,
    start_broker,
)
from tests.broker import SPY, broker_config, bus_as, password, running_broker
from tests.ports import free_port
from tests.waiting import until


async def test_a_restarted_broker_has_its_port_and_its_store(tmp_path: Path) -> None:
    with running_broker(tmp_path) as first:
        bus = await bus_as(first, "table")
        await bus.ensure([streams.events()])
        await bus.publish_confirmed([Message(subject="event.0.x", data=b"kept")], within=5)
        await bus.close()
        first.stop()
        assert first.poll() is not None
        again = start_broker(first.config, tmp_path)
        try:
            assert again.url == first.url
            assert again.pid != first.pid
            bus = await bus_as(again, "table")
            kept = await bus.last(streams.EVENTS, "event.>")
            assert kept is not None
            assert kept.data == b"kept"
            await bus.close()
        finally:
            again.kill()


def test_passwords_are_for_the_owners_eyes_only(tmp_path: Path) -> None:
    directory = tmp_path / "new" / "broker"
    with running_broker(directory):
        holding = [file for file in directory.rglob("*") if file.is_file() and secret_in(file)]
        assert [file.name for file in holding] == ["broker.conf"]
        assert stat.S_IMODE(holding[0].stat().st_mode) == 0o600
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def secret_in(file: Path) -> bool:
    return json.dumps(password("table")).encode() in file.read_bytes()


def test_an_old_configuration_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "broker.conf").write_text("something else")
    (tmp_path / "broker.conf").chmod(0o644)
    with running_broker(tmp_path):
        assert stat.S_IMODE((tmp_path / "broker.conf").stat().st_mode) == 0o600


def test_it_listens_on_loopback_only(tmp_path: Path) -> None:
    settings = json.loads(config_text(broker_config(), tmp_path))
    assert settings["listen"].startswith("127.0.0.1:")
    assert not {"http", "cluster", "leafnodes", "gateway", "websocket"} & set(settings)


def test_it_logs_into_its_directory(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        assert "Server is ready" in (tmp_path / "broker.log").read_text()
        assert "Server is ready" in broker.log_tail()


def test_a_taken_port_is_a_failure_that_says_so(tmp_path: Path) -> None:
    with running_broker(tmp_path / "one") as broker:
        with pytest.raises(BrokerFailed, match="address already in use"):
            start_broker(broker.config, tmp_path / "two")
        assert broker.poll() is None


def test_a_second_broker_cannot_have_the_same_directory(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        with pytest.raises(BrokerFailed, match="runs already"):
            start_broker(broker_config(), tmp_path)
        assert broker.poll() is None
        broker.kill()
        start_broker(broker_config(), tmp_path).kill()


def test_a_failed_start_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file where the store should be")
    broker = spawn_broker(broker_config(), tmp_path)
    with pytest.raises(BrokerFailed, match="storage directory"):
        wait_ready(broker)
    assert broker.poll() not in (None, 0)


def wait_ready(broker: Broker) -> None:
    while not broker.ready():
        os.sched_yield()


def test_to_stop_or_kill_it_twice_is_no_trouble(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        broker.stop()
        broker.stop()
        broker.kill()
        assert broker.poll() is not None


def test_a_supervisor_may_act_in_the_child_before_it_runs(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    broker = start_broker(broker_config(), tmp_path, preexec_fn=lambda: mark.write_text("here"))
    broker.kill()
    assert mark.read_text() == "here"


def test_a_terminals_interrupt_is_not_for_the_broker(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        assert os.getpgid(broker.pid) != os.getpgid(0)


def test_the_program_is_found_without_the_wheels_script_beside_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    beside = broker_program()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert broker_program().samefile(beside)


async def test_without_a_broker_connecting_ends_in_time() -> None:
    with pytest.raises(BusUnreachable, match=r"127\.0\.0\.1"):
        await connect(
            f"nats://127.0.0.1:{free_port()}", user="u", password="p", name="test", within=0.3
        )


async def test_of_several_urls_any_that_answers_will_do(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        urls = f"nats://127.0.0.1:{free_port()},{broker.url}"
        bus = await connect(urls, user=SPY, password=password(SPY), name="test")
        assert bus.connected
        await bus.close()


async def test_one_broker_alone_does_not_store_a_stream_three_times(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        bus = await bus_as(broker, "table")
        with pytest.raises(BusError, match="replicas"):
            await bus.ensure(streams.all_streams(1, replicas=3))
        await bus.close()


async def test_a_port_that_never_answers_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"nats://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(BusUnreachable):
            await connect(url, user="u", password="p", name="test", within=0.3)


@pytest.mark.parametrize(
    ("user", "secret"), [(SPY, "wrong"), ("nobody", password(SPY)), ("table", password(SPY))]
)
async def test_a_refused_log_in_is_unreachable_at_once(
    tmp_path: Path, user: str, secret: str
) -> None:
    with (
        running_broker(tmp_path) as broker,
        pytest.raises(BusUnreachable, match=r"(?i)authorization"),
    ):
        await asyncio.wait_for(
            connect(broker.url, user=user, password=secret, name="test", within=60), 10
        )


async def test_a_connection_that_is_closed_for_good_says_so(tmp_path: Path) -> None:
    told: list[str] = []
    with running_broker(tmp_path) as broker:
        bus = await connect(
            broker.url,
            user=SPY,
            password=password(SPY),
            name="test",
            on_closed=lambda: told.append("closed"),
        )
        assert told == []
        await bus.close()
        await bus.wait_closed()
    assert told == ["closed"]


async def test_a_broker_that_is_away_for_long_is_found_again(tmp_path: Path) -> None:
    back = asyncio.Event()

    async def note() -> None:
        back.set()

    with running_broker(tmp_path) as broker:
        bus = await bus_as(broker, "table")
        bus.on_reconnect(note)
        broker.kill()
        await until(lambda: not bus.connected, "the loss to be noticed")
        again = start_broker(broker.config, tmp_path)
        try:
            await asyncio.wait_for(back.wait(), 10)
            assert bus.connected
        finally:
            await bus.close()
            again.kill()
