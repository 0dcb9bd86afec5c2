"""The port for operators' tools: three answers, to whoever may reach it, and nothing else."""

import asyncio
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection

import pytest
from aiohttp import ClientError, ClientSession
from prometheus_client import Counter
from prometheus_client.parser import text_string_to_metric_families as families

from services.runtime import ops
from services.runtime.health import Health
from services.runtime.ops import CONNECTIONS, answering, new_registry
from services.runtime.settings import OpsListen, SettingMissing, bot_settings
from tests.ports import free_port
from tests.waiting import until_async

BROKER = {"WARAQ_NATS_URL": "nats://127.0.0.1:4222"}


@asynccontextmanager
async def asked(
    health: Health, counted: int = 0, host: str = "127.0.0.1"
) -> AsyncIterator[tuple[ClientSession, str]]:
    registry, listen = new_registry(), OpsListen(host, free_port())
    Counter("waraq_things", "Things.", registry=registry).inc(counted)
    async with answering(listen, registry, health), ClientSession() as session:
        yield session, f"http://127.0.0.1:{listen.port}"


def address_of(url: str) -> tuple[str, int]:
    host, _, port = url.removeprefix("http://").partition(":")
    return host, int(port)


async def said(session: ClientSession, url: str) -> tuple[int, object]:
    async with session.get(url) as answer:
        return answer.status, await answer.json()


async def test_a_worker_is_ready_once_it_has_begun_and_while_all_is_there() -> None:
    health, there = Health(), True
    health.needs("broker", lambda: there)
    async with asked(health) as (session, url):
        async with session.get(f"{url}/readyz") as answer:
            assert (answer.status, await answer.json()) == (
                503,
                {"ready": False, "missing": ["begun"]},
            )
        health.begin()
        async with session.get(f"{url}/readyz") as answer:
            assert (answer.status, await answer.json()) == (200, {"ready": True, "missing": []})
        there = False
        async with session.get(f"{url}/readyz") as answer:
            assert (answer.status, await answer.json()) == (
                503,
                {"ready": False, "missing": ["broker"]},
            )
        async with session.get(f"{url}/livez") as answer:
            assert (answer.status, await answer.json()) == (200, {"live": True})


async def test_what_is_counted_is_told_in_the_text_of_prometheus() -> None:
    async with (
        asked(Health(), counted=3) as (session, url),
        session.get(f"{url}/metrics") as answer,
    ):
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        found = {one.name: one for one in families(await answer.text())}
    assert [sample.value for sample in found["waraq_things"].samples] == [3]
    assert found["process_resident_memory_bytes"].samples[0].value > 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/metrics/x", 404),
        ("POST", "/metrics", 501),
        ("PUT", "/livez", 501),
    ],
)
async def test_nothing_else_is_answered(method: str, path: str, status: int) -> None:
    async with asked(Health()) as (session, url), session.request(method, url + path) as answer:
        assert answer.status == status


async def test_a_loop_that_stands_still_is_told_from_a_living_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ops, "TURNS_WITHIN", 0.05)
    health, told = Health(), {}
    health.needs("broker", lambda: True)
    health.begin()

    def ask(url: str) -> None:
        for path in ("livez", "readyz", "metrics"):
            try:
                with urllib.request.urlopen(f"{url}/{path}", timeout=10) as answer:
                    told[path] = answer.read().decode()
            except urllib.error.HTTPError as error:
                told[path] = (error.code, json.loads(error.read()))
                error.close()

    async with asked(health) as (_, url):
        asking = threading.Thread(target=ask, args=(url,))
        asking.start()
        asking.join()  # the loop stands still meanwhile
        assert told["livez"] == (503, {"live": False})
        assert told["readyz"] == (503, {"ready": False, "missing": ["loop"]})
        assert stands(told["metrics"]) == {"ready": 0, "begun": 0, "broker": 0, "loop": 1}
        await asyncio.to_thread(ask, url)
        assert stands(told["metrics"]) == {"ready": 1, "begun": 0, "broker": 0, "loop": 0}


def stands(text: str) -> dict[str, float]:
    """Ready, and by its name what is missing, as alerts read it."""
    told = {one.name: one.samples for one in families(text)}
    missing = {one.labels["need"]: one.value for one in told["waraq_missing"]}
    return missing | {"ready": told["waraq_ready"][0].value}


async def test_the_metrics_say_what_is_missing_as_readyz_does() -> None:
    health, there, loop = Health(), False, asyncio.get_running_loop()

    def looked() -> bool:
        assert asyncio.get_running_loop() is loop, "what is looked at is the loop's own"
        return there

    health.needs("broker", looked)
    async with asked(health) as (session, url):
        for begun, there in ((False, False), (True, False), (True, True)):
            if begun and not there:
                health.begin()
            async with session.get(f"{url}/metrics") as answer:
                found = stands(await answer.text())
            assert found == {
                "begun": not begun,
                "broker": not there,
                "loop": 0,
                "ready": begun and there,
            }


async def test_who_holds_connections_and_says_nothing_keeps_nobody_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those beyond `CONNECTIONS` are closed at once, those that are silent after a while."""
    monkeypatch.setattr(ops, "WITHIN", 0.2)
    async with asked(Health()) as (session, url):
        silent = [socket.create_connection(address_of(url)) for _ in range(2 * CONNECTIONS)]

        async def answered() -> bool:
            try:
                return (await said(session, f"{url}/livez"))[0] == 200
            except ClientError:
                return False

        await until_async(answered, "an answer besides silent connections")
        for one in silent:
            one.close()


@pytest.mark.parametrize("head", [b"GET /livez", b"GET /livez HTTP/1.1\r\nX: "])
async def test_who_drips_is_cut_when_his_time_is_over(
    monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    """Each byte comes well within what one read may wait."""
    monkeypatch.setattr(ops, "WITHIN", 0.3)
    async with asked(Health()) as (_, url):
        with socket.create_connection(address_of(url)) as dripping:
            dripping.sendall(head)
            dripping.setblocking(False)

            async def cut() -> bool:
                try:
                    dripping.sendall(b"x")
                    return dripping.recv(1) == b""
                except BlockingIOError:
                    return False
                except OSError:
                    return True

            await until_async(cut, "the connection to be cut")


def answer_to(url: str, *hosts: str) -> int:
    """The status of `/livez` asked for with these headers `Host`."""
    asking = HTTPConnection(*address_of(url), timeout=10)
    asking.putrequest("GET", "/livez", skip_host=True)
    for host in hosts:
        asking.putheader("Host", host)
    asking.endheaders()
    status = asking.getresponse().status
    asking.close()
    return status


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "LOCALHOST:9", "[::1]:9100", "10.0.0.9"]
)
async def test_on_loopback_its_names_and_addresses_are_answered(host: str) -> None:
    async with asked(Health()) as (_, url):
        assert await asyncio.to_thread(answer_to, url, host) == 200


@pytest.mark.parametrize(
    "hosts", [("evil.example",), ("evil.example:9100",), ("127.0.0.1", "evil.example"), ("[",)]
)
async def test_on_loopback_a_page_that_points_its_own_name_there_is_refused(
    hosts: tuple[str, ...],
) -> None:
    async with asked(Health()) as (_, url):
        assert await asyncio.to_thread(answer_to, url, *hosts) == 421
        assert await asyncio.to_thread(answer_to, url) == 200, "HTTP/1.0 names none"


async def test_elsewhere_the_clusters_own_names_are_answered() -> None:
    async with asked(Health(), host="0.0.0.0") as (_, url):
        assert await asyncio.to_thread(answer_to, url, "waraq-table.games.svc:9100") == 200


async def test_a_place_that_was_only_chosen_and_is_taken_is_done_without(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        listen = OpsListen("127.0.0.1", other.getsockname()[1], chosen=True)
        async with answering(listen, new_registry(), Health()):
            assert caplog.messages == ["operators' tools are not answered"]


async def test_a_place_that_was_named_and_is_taken_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        listen = OpsListen("127.0.0.1", other.getsockname()[1])
        where = f"127.0.0.1:{listen.port}"
        with pytest.raises(SettingMissing, match=f"WARAQ_OPS_LISTEN: cannot listen on {where}"):
            async with answering(listen, new_registry(), Health()):
                pytest.fail("it listened")


async def test_without_the_setting_nothing_listens() -> None:
    assert bot_settings(BROKER).ops is None
    async with answering(None, new_registry(), Health()):
        pass


def test_the_setting_is_a_host_and_a_port() -> None:
    assert bot_settings(BROKER | {"WARAQ_OPS_LISTEN": "[::1]:9100"}).ops == OpsListen("::1", 9100)
    chosen = bot_settings(BROKER | {"WARAQ_OPS_LISTEN": "127.0.0.1:9100", "WARAQ_OPS_CHOSEN": "1"})
    assert chosen.ops == OpsListen("127.0.0.1", 9100, chosen=True)


@pytest.mark.parametrize("wrong", ["9100", ":9100", "here:", "here:0", "here:70000", "here:x"])
def test_no_other_form_of_it_is_taken(wrong: str) -> None:
    with pytest.raises(SettingMissing, match=r"WARAQ_OPS_LISTEN is .*HOST:PORT, as 127.0.0.1:9100"):
        bot_settings(BROKER | {"WARAQ_OPS_LISTEN": wrong})
