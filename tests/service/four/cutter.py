"""A bad network before one client: it passes on websocket frames, and resets at the worst moments.

Each client is cut so many times in each of these ways, in an order and at moments that follow from
a seed. What is lost with a connection is what was in it: the frame that the cut waited for.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum
from random import Random
from typing import Final, Literal

from msgspec import Struct

from services.runtime.tasks import end
from tests.service.four.frames import Frame, Frames

LOOPBACK: Final = "127.0.0.1"
CHUNK: Final = 1 << 16
GAP: Final = 16
"""The most commands and news that pass between two cuts, before the next waits for its moment: a
short match has some 500, and all ten come before its end.
"""
QUIET: Final = 0.05
"""Seconds within which a connection is cut on which nothing need happen."""
RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER: what is closed is reset, and what was not sent is thrown away."""

Way = Literal["up", "down"]


class Cut(Enum):
    """What is lost."""

    UNSAID = "a command, before the broker has it"
    TORN = "the second half of a command"
    UNANSWERED = "whatever comes after a command has reached the broker"
    UNHEARD = "an event"
    HALF_HEARD = "the second half of an event"
    QUIET = "nothing but the connection"
    END = "the end of a round, or of the match"


TIMES: Final = {
    Cut.UNSAID: 2,
    Cut.TORN: 1,
    Cut.UNANSWERED: 3,
    Cut.UNHEARD: 2,
    Cut.HALF_HEARD: 1,
    Cut.QUIET: 1,
}
"""Ten at random. `END` is everybody's, at the end of every round: who does not ask when he is back
may never hear of the next one.
"""
AT_A_COMMAND: Final = sum(TIMES[cut] for cut in (Cut.UNSAID, Cut.TORN, Cut.UNANSWERED))
"""So many of them leave a command that the client has no answer to."""


class Pair(Struct, eq=False):
    """One connection. `ending`: it will be cut, and by nothing else; `deaf`: with the next frame
    down.
    """

    client: asyncio.StreamWriter
    broker: asyncio.StreamWriter
    ending: bool = False
    deaf: bool = False

    def reset(self) -> None:
        """For the client without a goodbye; the broker has what was passed on to it."""
        with contextlib.suppress(OSError):
            end: socket.socket = self.client.get_extra_info("socket")
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.client.transport.abort()
        self.broker.close()


class Cutter:
    """Listens for one client on `port`, and passes on to the broker's websockets at `target`."""

    def __init__(self, target: int, chance: Random) -> None:
        self._target = target
        self._chance = chance
        self._left = [cut for cut, times in TIMES.items() for _ in range(times)]
        chance.shuffle(self._left)
        self._over = False
        self.done: list[Cut] = []
        self._gap = chance.randint(0, GAP)
        self.port = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """It passes on for as long as this is open."""
        tasks: set[asyncio.Task[None]] = set()

        def serve(reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._serve(reader, client))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_server(serve, LOOPBACK, 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            await end(*tasks)

    async def _serve(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        answers, broker = await asyncio.open_connection(LOOPBACK, self._target)
        pair = Pair(client, broker)
        try:
            await asyncio.gather(
                self._pass_on(reader, broker, pair, "up"),
                self._pass_on(answers, client, pair, "down"),
            )
        finally:
            pair.reset()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: Pair, way: Way
    ) -> None:
        async for frame in _frames(reader):
            passed = self._passed(frame, way, pair)
            await _write(writer, passed)
            if len(passed) < len(frame.raw):
                pair.reset()
                return
        writer.close()

    def _passed(self, frame: Frame, way: Way, pair: Pair) -> bytes:
        """What is passed on of it; if that is not all, the connection ends with it."""
        if pair.deaf and way == "down":
            return b""
        cut = None if pair.ending else self._due(frame, way)
        if cut is None:
            return frame.raw
        pair.ending = True
        self._next(cut)
        match cut:
            case Cut.UNANSWERED:
                pair.deaf = True
            case Cut.QUIET:
                pause = self._chance.uniform(0, QUIET)
                asyncio.get_running_loop().call_later(pause, pair.reset)
            case Cut.TORN | Cut.HALF_HEARD:
                return frame.raw[: len(frame.raw) // 2]
            case _:
                return b""
        return frame.raw

    def _due(self, frame: Frame, way: Way) -> Cut | None:
        """What is cut at this moment; of the ten the next, if it is the moment for it."""
        if way == "down" and self._is_end(frame.text):
            return Cut.END
        command, event = b"PUB cmdin." in frame.text, b'"type":"event"' in frame.text
        if not self._left or not (command or b"MSG feed." in frame.text):
            return None
        self._gap -= 1
        cut = self._left[0]
        fits = event if cut in _AT_NEWS else command or cut is Cut.QUIET
        return cut if self._gap < 0 and fits else None

    def _is_end(self, text: bytes) -> bool:
        """Of the match's end once: the next time it may be seen."""
        if self._over:
            return False
        self._over = any(word in text for word in _OVER)
        return self._over or _ROUND_OVER in text

    def _next(self, cut: Cut) -> None:
        self.done.append(cut)
        if cut is not Cut.END:
            self._left.pop(0)
            self._gap = self._chance.randint(0, GAP)


_AT_NEWS: Final = (Cut.UNHEARD, Cut.HALF_HEARD)
_ROUND_OVER: Final = b'"round_scored"'
_OVER: Final = (b'"match_ended"', b'"match_over"')


async def _frames(reader: asyncio.StreamReader) -> AsyncIterator[Frame]:
    """Until the end; a broken connection is an end too."""
    frames = Frames()
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK):
            for frame in frames.take(data):
                yield frame


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    """A broken connection shows where it is read."""
    with contextlib.suppress(OSError):
        writer.write(data)
        await writer.drain()
