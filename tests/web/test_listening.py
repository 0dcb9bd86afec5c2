"""Connections: a head has a time to come in, and there are so many at a time."""

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.waiting import until_async
from tests.web.serving import House, Site, site

WITHIN: Final = 10.0
"""Seconds; no test measures anything by it."""
SOON: Final = House(head_wait=0.1)
BEGINNINGS: Final = [
    b"",
    b"G",
    b"GET /livez HTTP/1.1\r\nHost: x\r\n",
    b"GET /livez HTTP/1.1\r\nX: " + b"x" * 1_000,
]


NO_HTTP: Final = [
    b"\x16\x03\x01\r\n\r\n",
    b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\n\r\n",
    b"GET /livez HTTP/1.1\r\n" + b"X: x\r\n" * 200 + b"\r\n",
    b"GET /livez HTTP/1.1\r\nAuthorization: Bearer " + b"x" * 9_000 + b"\r\n\r\n",
]


async def connected(here: Site) -> tuple[StreamReader, StreamWriter]:
    host, _, port = here.url.removeprefix("http://").rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def rest(reader: StreamReader) -> bytes:
    """What still comes until the other side ends it."""
    with suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), WITHIN)
    return b""


@pytest.mark.parametrize("said", BEGINNINGS)
async def test_a_head_that_does_not_come_ends_its_connection(tmp_path: Path, said: bytes) -> None:
    async with site(tmp_path, house=SOON) as here:
        reader, writer = await connected(here)
        writer.write(said)
        assert await rest(reader) == b""
        writer.close()


async def test_the_next_head_on_a_connection_has_as_long(tmp_path: Path) -> None:
    async with site(tmp_path, house=SOON) as here:
        reader, writer = await connected(here)
        writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\n")
        said = await rest(reader)
        writer.close()
    assert said.count(b"HTTP/1.1 200") == 1


async def test_a_head_that_trickles_in_has_no_longer(tmp_path: Path) -> None:
    """Each byte is news to the connection, and none of them is more time."""
    async with site(tmp_path, house=SOON) as here:
        reader, writer = await connected(here)
        ended = asyncio.create_task(rest(reader))
        writer.write(b"GET /livez HTTP/1.1\r\nX: ")
        while not ended.done():
            with suppress(ConnectionError):
                writer.write(b"x")
                await writer.drain()
            await asyncio.wait([ended], timeout=0.005)
        assert ended.result() == b""
        writer.close()


async def test_a_connection_too_many_is_turned_away_until_another_ends(tmp_path: Path) -> None:
    async with site(tmp_path, house=House(connections=1)) as here:
        held, first = await connected(here)
        first.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200" in await held.readline()
        reader, second = await connected(here)
        with suppress(ConnectionError):
            second.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await rest(reader) == b""
        second.close()
        first.close()
        await first.wait_closed()

        async def is_taken() -> bool:
            reader, writer = await connected(here)
            with suppress(ConnectionError):
                writer.write(b"GET /livez HTTP/1.0\r\n\r\n")
            said = await rest(reader)
            writer.close()
            return b"200" in said

        await until_async(is_taken, "the next connection to be taken")


@pytest.mark.parametrize("said", NO_HTTP)
async def test_what_is_no_http_is_told_so_and_leaves_no_trace_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    async with site(tmp_path) as here:
        reader, writer = await connected(here)
        writer.write(said)
        assert (await rest(reader)).startswith(b"HTTP/1.0 400 ")
        writer.close()
    assert caplog.records == []
