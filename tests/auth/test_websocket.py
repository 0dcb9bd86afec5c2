"""The broker's websocket: a player has by it what he has over TCP; pages elsewhere have nothing."""

import asyncio
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError

from services.messaging.server import MAX_PAYLOAD, Broker
from tests.auth.door import (
    ANN,
    BOB,
    ORIGIN,
    OTHERS,
    Player,
    door,
    expired,
    token,
)
from tests.broker import SPY, bus_as
from tests.waiting import until

pytestmark = [
    pytest.mark.slow,
    # nats-py 2.16 gives aiohttp a time-out in its old form.
    pytest.mark.filterwarnings("ignore:parameter 'timeout' of type 'float':DeprecationWarning"),
]
MATCH = "m_0123"
UPGRADE = (
    "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with door(tmp_path_factory.mktemp("door")) as running:
        yield running


async def test_a_token_lets_a_player_in_with_his_own_subjects(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.web_url)
    assert await ann.may_publish(f"cmdin.{MATCH}.{ANN}")
    assert await ann.may_publish(f"ask.{MATCH}.{ANN}")
    assert await ann.may_subscribe(f"feed.{ANN}.*")
    spy = await bus_as(broker, SPY)
    await spy._client.publish(f"feed.{ANN}.{MATCH}", b"news")
    await until(lambda: f"feed.{ANN}.{MATCH}" in ann.subjects, "the news")
    await spy.close()
    await ann.leave()


async def test_he_has_nothing_of_anothers(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.web_url)
    for subject in (f"cmdin.{MATCH}.{BOB}", f"ask.{MATCH}.{BOB}", "$JS.API.INFO", "event.0.x"):
        assert not await ann.may_publish(subject), subject
    for subject in (f"feed.{BOB}.*", "feed.>", "event.>", "turn.>", "$KV.>"):
        assert not await ann.may_subscribe(subject), subject
    await ann.leave()


def greeting(shown: str) -> bytes:
    return f'CONNECT {{"auth_token":"{shown}","verbose":true,"protocol":1}}\r\n'.encode()


async def said_to(socket: ClientWebSocketResponse, what: bytes) -> bytes:
    """What the broker answers, up to its first word about a log-in."""
    await socket.send_bytes(what)
    heard = b""
    while b"+OK" not in heard and b"-ERR" not in heard:
        message = await socket.receive(timeout=10)
        if message.type is not WSMsgType.BINARY:
            break
        heard += message.data
    return heard


@pytest.mark.parametrize("origin", [None, ORIGIN])
async def test_pages_of_our_origins_and_programs_come_in(
    broker: Broker, origin: str | None
) -> None:
    async with ClientSession() as client, client.ws_connect(broker.web_url, origin=origin) as line:
        assert b"+OK" in await said_to(line, greeting(token()))


@pytest.mark.parametrize("shown", ["", "x", token(keys=OTHERS), expired()], ids=range(4))
async def test_without_a_good_token_nobody_does(broker: Broker, shown: str) -> None:
    async with ClientSession() as client, client.ws_connect(broker.web_url, origin=ORIGIN) as line:
        assert b"Authorization Violation" in await said_to(line, greeting(shown))


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "https://cards.example.evil.example",
        "http://cards.example",
        "https://cards.example:8443",
        "null",
    ],
)
async def test_a_page_of_another_origin_is_refused_whatever_its_token(
    broker: Broker, origin: str
) -> None:
    async with ClientSession() as client:
        with pytest.raises(WSServerHandshakeError) as refused:
            await client.ws_connect(broker.web_url, origin=origin)
    assert refused.value.status == 403


async def test_who_never_logs_in_is_cut(broker: Broker) -> None:
    async with ClientSession() as client, client.ws_connect(broker.web_url, origin=ORIGIN) as line:
        heard = b""
        while (message := await line.receive(timeout=10)).type is WSMsgType.BINARY:
            heard += message.data
    assert b"Authentication Timeout" in heard


@pytest.mark.parametrize("said", ["", UPGRADE, "POST / HTTP/1.1\r\nHost: x\r\n\r\n"])
async def test_who_never_ends_the_handshake_is_cut(broker: Broker, said: str) -> None:
    address = urlsplit(broker.web_url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(said.encode())
    async with asyncio.timeout(10):
        heard = await reader.read()
    assert b"101 Switching" not in heard
    writer.close()


async def test_a_frame_over_the_payload_limit_costs_the_connection_and_nobody_elses(
    broker: Broker,
) -> None:
    bob = await Player(BOB).enter(broker.web_url)
    ann = await Player(ANN).enter(broker.web_url)
    ann.client._max_payload = 2 * MAX_PAYLOAD  # an attacker's client does not check
    await ann.client.publish(f"cmdin.{MATCH}.{ANN}", b"x" * (MAX_PAYLOAD + 1))
    await until(lambda: ann.client.is_closed, "the connection to be cut")
    assert await bob.may_publish(f"cmdin.{MATCH}.{BOB}")
    await bob.leave()


async def test_the_door_is_on_loopback_only(broker: Broker) -> None:
    address = urlsplit(broker.web_url)
    assert address.hostname == "127.0.0.1"
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.2", address.port or 0)) != 0
