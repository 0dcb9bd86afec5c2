"""Processes in which searches run, so that they stop neither the worker's loop nor each other.

A process is started when one is needed and all others are busy, at most `most` of them. One that
dies or does not answer is killed and the turn is thought about once more, in a new one: a position
has one answer, whichever process finds it.
"""

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from typing import Final

import msgspec

from schemas.commands import Suggestion
from schemas.views import BotTurn, encode_turn
from services.bot.answering import Unthought
from services.bot.thinker import decode_thought
from services.runtime.faults import place_of

THINKER: Final[tuple[str, ...]] = (sys.executable, "-m", "services.bot.thinker")
THOUGHT_WITHIN: Final = 10.0
"""Seconds after which a process is held for dead: a hundred times a long thought."""

_log = logging.getLogger(__name__)


class Pool:
    """`program` reads turns and writes thoughts, a line each (see `services.bot.thinker`); `on_end`
    is called for each process that died or was held for dead.
    """

    def __init__(
        self,
        most: int,
        *,
        program: tuple[str, ...] = THINKER,
        within: float = THOUGHT_WITHIN,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        assert most >= 1, "a pool without processes never thinks"
        self._program = program
        self._within = within
        self._on_end = on_end
        self._room = asyncio.Semaphore(most)
        self._idle: list[Process] = []
        self.running: set[Process] = set()
        self.waiting = 0
        """Turns for which no process is free."""

    async def think(self, turn: BotTurn) -> Suggestion:
        """What to do on `turn`, once a process is free; raises `Unthought`."""
        async with self._place():
            line = await self._line_on(turn)
        try:
            thought = decode_thought(line)
        except msgspec.DecodeError as error:
            raise Unthought("a thought that cannot be read") from error
        if thought.suggestion is None:
            raise Unthought(str(thought.fault))
        return thought.suggestion

    @contextlib.asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        self.waiting += 1
        try:
            await self._room.acquire()
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._room.release()

    async def close(self) -> None:
        """End every process; call it once nobody waits for a thought any more."""
        self._idle.clear()
        for process in tuple(self.running):
            await self._end(process)

    async def _line_on(self, turn: BotTurn) -> bytes:
        line = await self._try(turn, self._idle_one() or await self._start())
        if not line:
            _log.warning("a thinking process is gone, the turn is thought about once more")
            line = await self._try(turn, await self._start())
        if not line:
            raise Unthought("two processes died of it")
        return line

    async def _try(self, turn: BotTurn, process: Process) -> bytes:
        """The thought's line; empty if the process died, or did not answer and so was ended."""
        line = b""
        try:
            async with asyncio.timeout(self._within):
                line = await _asked(process, encode_turn(turn))
        except (OSError, ValueError) as error:
            _log.warning("a thinking process does not answer", extra={"fault": place_of(error)})
        finally:
            if line.endswith(b"\n"):
                self._idle.append(process)
            else:
                line = b""
                self._on_end()
                await self._end(process)
        return line

    def _idle_one(self) -> Process | None:
        """The one that was busy last, so that those which few turns need stay the same."""
        return self._idle.pop() if self._idle else None

    async def _start(self) -> Process:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._program,
                stdin=PIPE,
                stdout=PIPE,
                start_new_session=True,  # Ctrl-C is the worker's, which answers what it has first
            )
        except OSError as error:
            raise Unthought(f"no process can be started: {place_of(error)}") from error
        self.running.add(process)
        return process

    async def _end(self, process: Process) -> None:
        self.running.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.communicate()


async def _asked(process: Process, turn: bytes) -> bytes:
    """What the process writes about `turn`; raises `OSError`, or `ValueError` if it is too long."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(turn + b"\n")
    await process.stdin.drain()
    return await process.stdout.readline()
