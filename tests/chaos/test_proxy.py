"""The proxy does to a connection what it says."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing

import pytest

from services.event_log.port import Batch, LogUnreachable
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade
from tests.chaos.proxy import COMMIT, LOOPBACK, AtCommit, Proxy
from tests.event_log.places import MATCH, batch, entry
from tests.postgres import Server, fresh_database
from tests.waiting import until

BEGIN = b"before"


class Echo:
    """A server that answers with what it gets, and remembers it."""

    def __init__(self) -> None:
        self.got = b""
        self.port = 0

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1_000):
                self.got += data
                writer.write(data)
        except ConnectionResetError:
            pass
        finally:
            writer.close()


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.got = b""
        self.ended = False
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(1_000):
                self.got += data
        except ConnectionResetError:
            pass
        self.ended = True

    async def close(self) -> None:
        self.writer.close()
        await self._reading


@pytest.fixture
async def echo() -> AsyncIterator[Echo]:
    server = Echo()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def proxy(echo: Echo) -> AsyncIterator[Proxy]:
    found = Proxy(lambda: echo.port)
    await found.start()
    yield found
    await found.stop()


@pytest.fixture
async def client(proxy: Proxy) -> AsyncIterator[Client]:
    found = Client(*await asyncio.open_connection(LOOPBACK, proxy.port))
    yield found
    await found.close()


async def test_everything_passes_both_ways(client: Client, echo: Echo) -> None:
    client.writer.write(BEGIN + COMMIT)
    await until(lambda: client.got == BEGIN + COMMIT, "the echo")
    assert echo.got == client.got


async def test_what_is_held_on_the_way_up_arrives_once_it_is_released(
    client: Client, echo: Echo, proxy: Proxy
) -> None:
    client.writer.write(b"a")
    await until(lambda: client.got == b"a", "the echo")
    proxy.hold("up")
    client.writer.write(b"b")
    reader, writer = await asyncio.open_connection(LOOPBACK, echo.port)
    writer.write(b"c")
    assert await reader.read(1) == b"c"
    assert echo.got == b"ac"
    proxy.release()
    await until(lambda: client.got == b"ab", "what was held")
    writer.close()


async def test_what_is_held_on_the_way_down_has_reached_the_server(
    client: Client, echo: Echo, proxy: Proxy
) -> None:
    proxy.hold("down")
    client.writer.write(b"a")
    await until(lambda: echo.got == b"a", "the server to get it")
    assert client.got == b""
    proxy.release()
    await until(lambda: client.got == b"a", "the echo")


async def test_what_was_held_when_the_connection_was_cut_is_lost(
    client: Client, echo: Echo, proxy: Proxy
) -> None:
    proxy.hold("down")
    client.writer.write(b"a")
    await until(lambda: echo.got == b"a", "the server to get it")
    proxy.cut()
    proxy.release()
    await until(lambda: client.ended, "the end")
    assert client.got == b""


async def test_a_commit_that_is_cut_before_never_reaches_the_server(
    client: Client, echo: Echo, proxy: Proxy
) -> None:
    proxy.cut_at_commit(AtCommit.BEFORE)
    client.writer.write(BEGIN)
    await until(lambda: client.got == BEGIN, "the echo")
    client.writer.write(COMMIT)
    await until(lambda: client.ended, "the end")
    assert (proxy.commits_cut, echo.got, client.got) == (1, BEGIN, BEGIN)


async def test_a_commit_that_is_cut_after_is_done_and_its_answer_lost(
    client: Client, echo: Echo, proxy: Proxy
) -> None:
    proxy.cut_at_commit(AtCommit.AFTER)
    client.writer.write(BEGIN)
    await until(lambda: client.got == BEGIN, "the echo")
    client.writer.write(COMMIT)
    await until(lambda: client.ended, "the end")
    assert (proxy.commits_cut, echo.got, client.got) == (1, BEGIN + COMMIT, BEGIN)


@pytest.mark.parametrize(("when", "written"), [(AtCommit.BEFORE, 0), (AtCommit.AFTER, 1)])
async def test_what_is_cut_is_an_append_of_events_and_nothing_else(
    postgres_server: Server, when: AtCommit, written: int
) -> None:
    with fresh_database(postgres_server) as url:
        upgrade(url)
        proxy = Proxy(lambda: postgres_server.port)
        await proxy.start()
        through = url.replace(f":{postgres_server.port}/", f":{proxy.port}/")
        log = await asyncio.to_thread(open_log, through)
        claim = await asyncio.to_thread(log.claim, 0, "me")
        proxy.cut_at_commit(when)
        assert await asyncio.to_thread(log.append, claim, Batch(published=1)) == 0
        assert proxy.commits_cut == 0
        with pytest.raises(LogUnreachable):
            await asyncio.to_thread(log.append, claim, batch(entry(1)))
        assert proxy.commits_cut == 1
        with closing(open_log(url)) as straight:
            assert len(straight.load(MATCH)) == written
        await asyncio.to_thread(log.close)
        await proxy.stop()


async def test_a_server_that_is_gone_ends_the_connection(echo: Echo, proxy: Proxy) -> None:
    await echo.stop()
    client = Client(*await asyncio.open_connection(LOOPBACK, proxy.port))
    await until(lambda: client.ended, "the end")
    await client.close()
