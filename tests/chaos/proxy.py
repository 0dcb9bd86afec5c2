"""A TCP proxy that holds bytes back, one way or both, cuts, and cuts at an append that commits."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from enum import Enum
from typing import Final, Literal

from msgspec import Struct

CHUNK: Final = 1 << 16
COMMIT: Final = b'"place":1,'
"""What only an append of events has in it: one statement that commits itself, or nothing."""
LOOPBACK: Final = "127.0.0.1"

Way = Literal["up", "down"]
"""`up`: from the worker to the server."""


class AtCommit(Enum):
    """What happens to the next append: dropped before the server sees it, or its answer dropped.
    Either way the connection is cut, and who sent it cannot know what came of it.
    """

    BEFORE = "before"
    AFTER = "after"


class Pair(Struct, eq=False):
    """One connection through the proxy. `doomed`: what the server answers next is its end."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    doomed: bool = False

    def cut(self) -> None:
        """Both ends are reset, and what was on its way is lost."""
        self.client.transport.abort()
        self.server.transport.abort()

    def end(self) -> None:
        """Both ends are closed once they have got what was on its way."""
        self.client.close()
        self.server.close()


class Proxy:
    """Listens on a port of its own and passes everything on to `target`."""

    def __init__(self, target: Callable[[], int]) -> None:
        self._target = target
        self._pairs: list[Pair] = []
        self._open: dict[Way, asyncio.Event] = {"up": asyncio.Event(), "down": asyncio.Event()}
        self._at_commit: AtCommit | None = None
        self._server: asyncio.Server
        self.commits_cut = 0
        self.port = 0
        self.release()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self._server.close()
        self.release()
        self.cut()

    def hold(self, *ways: Way) -> None:
        """Pass nothing on these ways any more; the connections stay."""
        for way in ways:
            self._open[way].clear()

    def release(self) -> None:
        """Pass on everything, first what was held."""
        for way in self._open.values():
            way.set()

    def cut(self) -> None:
        """Reset every connection."""
        for pair in self._pairs:
            pair.cut()

    def cut_at_commit(self, when: AtCommit) -> None:
        """Do it once; `commits_cut` counts."""
        self._at_commit = when

    def forget_commit(self) -> None:
        """No COMMIT came: none is cut any more."""
        self._at_commit = None

    @property
    def server_side_ports(self) -> frozenset[int]:
        """Our own ports at the server, by which it tells its clients apart."""
        return frozenset(pair.server.get_extra_info("sockname")[1] for pair in self._pairs)

    async def _serve(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        try:
            answers, server = await asyncio.open_connection(LOOPBACK, self._target())
        except OSError:
            client.transport.abort()
            return
        pair = Pair(client, server)
        self._pairs.append(pair)
        try:
            await asyncio.gather(self._pass_up(reader, pair), self._pass_down(answers, pair))
        finally:
            pair.end()
            self._pairs.remove(pair)

    async def _pass_up(self, reader: asyncio.StreamReader, pair: Pair) -> None:
        async for data in _chunks(reader):
            await self._open["up"].wait()
            when = self._at_commit if COMMIT in data else None
            if when is not None:
                self._at_commit = None
                self.commits_cut += 1
            if when is AtCommit.BEFORE:
                pair.cut()
                return
            pair.doomed = pair.doomed or when is AtCommit.AFTER
            await _write(pair.server, data)
        pair.end()

    async def _pass_down(self, reader: asyncio.StreamReader, pair: Pair) -> None:
        async for data in _chunks(reader):
            await self._open["down"].wait()
            if pair.doomed:
                pair.cut()
                return
            await _write(pair.client, data)
        pair.end()


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What is read until the end; a broken connection is an end too."""
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK):
            yield data


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    """A broken connection shows at the other side's end, where it is read."""
    with contextlib.suppress(OSError):
        writer.write(data)
        await writer.drain()
