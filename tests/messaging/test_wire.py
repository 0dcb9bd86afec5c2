"""Bytes that no client library sends: a player with a bare socket ends nobody's connection."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from services.messaging import streams
from services.messaging.port import Delivery, Message
from services.messaging.server import Broker
from tests.broker import bus_as, password, running_broker
from tests.waiting import until

PLAYER, OTHER = "u_mallory00", "u_honest000"
MATCH = "m_" + "0" * 32


def publish(subject: bytes, reply: bytes = b"") -> bytes:
    return b"PUB " + subject + (b" " + reply if reply else b"") + b" 2\r\n{}\r\n"


def with_headers(subject: bytes, headers: bytes) -> bytes:
    whole = headers + b"\r\n\r\n"
    sizes = b" %d %d\r\n" % (len(whole), len(whole) + 2)
    return b"HPUB " + subject + sizes + whole + b"{}\r\n"


ME = PLAYER.encode()
COMMAND, ASK = b"cmdin." + MATCH.encode() + b"." + ME, b"ask." + MATCH.encode() + b"." + ME
WILD = [
    publish(b"cmdin.m_\xff\xfe." + ME),
    publish(b"ask.m_\xff\xfe." + ME),
    publish(b"ask.m_\x0bx." + ME),
    publish(b"cmdin.m_\x0bx." + ME),
    publish(ASK, b"x\xff\xfe"),
    publish(ASK, b"x\x0by"),
    with_headers(ASK, b"NATS/1.0\r\nX\xff: \xff\xfe"),
    with_headers(ASK, b"NATS/1.0 \xff\xff\xff"),
    with_headers(ASK, b"NATS/1.0 503 \xff\xff\xff"),
    with_headers(ASK, b"NATS/9"),
    with_headers(ASK, b"NATS/1.0 100 Idle Heartbeat"),
    with_headers(COMMAND, b"NATS/1.0 \xff\xff\xff"),
    with_headers(COMMAND, b"NATS/1.0 503 \xff\xff"),
    with_headers(COMMAND, b"NATS/1.0\r\n\xff\xff"),
    with_headers(COMMAND, b"NATS/9"),
    with_headers(COMMAND, b"NATS/1.0 409 Consumer Deleted"),
]


@asynccontextmanager
async def bare(broker: Broker) -> AsyncIterator[asyncio.StreamWriter]:
    """A player's connection without a library."""
    reader, writer = await asyncio.open_connection("127.0.0.1", broker.config.port)
    await reader.readline()
    login = {
        "user": PLAYER,
        "pass": password(PLAYER),
        "headers": True,
        "verbose": False,
        "protocol": 1,
        "lang": "x",
        "version": "1",
    }
    writer.write(b"CONNECT " + json.dumps(login).encode() + b"\r\n")
    await writer.drain()
    yield writer
    writer.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running_broker(tmp_path / "broker", [PLAYER, OTHER]) as running:
        yield running


async def test_no_bytes_of_a_player_end_the_tables_connection(broker: Broker) -> None:
    table, other = await bus_as(broker, "table"), await bus_as(broker, OTHER)
    await table.ensure(streams.all_streams(1))
    commands: list[Delivery] = []
    asks: list[Message] = []
    lost: list[int] = []

    async def count() -> None:
        lost.append(1)

    def take(delivery: Delivery) -> None:
        commands.append(delivery)
        delivery.ack()

    table.on_reconnect(count)
    await table.consume(streams.owner(0, 1), take)
    await table.subscribe("ask.*.*", asks.append)
    async with bare(broker) as writer:
        for number, wild in enumerate(WILD):
            writer.write(wild)
            await writer.drain()
            honest = f"m_{number:032x}"
            await other.publish([Message(subject=f"cmdin.{honest}.{OTHER}", data=b"{}")])
            await other.publish([Message(subject=f"ask.{honest}.{OTHER}", data=b"{}")])
            await until(
                lambda honest=honest: any(honest in d.message.subject for d in commands),  # type: ignore[misc]
                f"the honest command after {wild!r}",
            )
            await until(
                lambda honest=honest: any(honest in ask.subject for ask in asks),  # type: ignore[misc]
                f"the honest ask after {wild!r}",
            )
    assert lost == []
    await other.close()
    await table.close()
