"""A reader that does not read is cut off alone: whoever reads misses nothing."""

import asyncio
import json
from pathlib import Path

from services.messaging.port import Message
from services.messaging.server import MAX_PAYLOAD, MAX_PENDING, Broker
from tests.broker import bus_as, password, running_broker
from tests.messaging.heard import Heard
from tests.waiting import until

ANN, BOB = "u_ann00000", "u_bob00000"
MANY = 2 * MAX_PENDING // MAX_PAYLOAD
"""Largest messages that are surely more than may wait for one reader, its kernel's buffers too."""


class Stuck:
    """A client that subscribes to its feed and then reads nothing more."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def was_cut(self) -> bool:
        """Read what is left; true if that ends."""
        try:
            async with asyncio.timeout(20):
                while await self._reader.read(1 << 20):
                    pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self._writer.close()


async def stuck(broker: Broker, player: str) -> Stuck:
    host, _, port = broker.url.removeprefix("nats://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    login = {"user": player, "pass": password(player), "verbose": False, "headers": True}
    writer.write(f"CONNECT {json.dumps(login)}\r\nSUB feed.{player}.* 1\r\nPING\r\n".encode())
    await reader.readuntil(b"PONG\r\n")
    return Stuck(reader, writer)


async def test_a_reader_that_does_not_read_is_cut_off_and_the_others_miss_nothing(
    tmp_path: Path,
) -> None:
    with running_broker(tmp_path, players=(ANN, BOB)) as broker:
        table, bob = await bus_as(broker, "table"), await bus_as(broker, BOB)
        heard = Heard()
        await bob.subscribe(f"feed.{BOB}.*", heard)
        ann = await stuck(broker, ANN)
        large = bytes(MAX_PAYLOAD - 1_024)
        for number in range(MANY):
            await table.publish(
                [
                    Message(subject=f"feed.{ANN}.m_1", data=large),
                    Message(subject=f"feed.{BOB}.m_1", data=str(number).encode()),
                ]
            )
        await until(lambda: len(heard.messages) == MANY, "all that Bob was told", within=60)
        assert [int(message.data) for message in heard.messages] == list(range(MANY))
        assert await ann.was_cut()
        assert table.connected
        assert table.dropped == 0
        ann.close()
        for bus in (table, bob):
            await bus.close()
