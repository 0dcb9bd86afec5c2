"""A process of the simulation: it runs, stands still, or is dead at any of its steps."""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any, Final, Literal

from msgspec import Struct

from services.event_log.memory import MemoryLog
from tests.simulation.loop import PROCESS, Call, Killed, VirtualLoop

State = Literal["running", "frozen", "dead", "buried"]
Role = Literal["table", "bot", "scoring", "player"]
BURIAL_ROUNDS: Final = 200
BURIAL_PAUSE: Final = 0.2
"""Seconds between two tries to end what is left of a dead process."""


class Trap(Struct, frozen=True):
    """The process dies when it passes `point` for the `count`th time from now on.

    Points: `before_commit`, `after_commit`, `before_confirm`, `after_confirm`, `before_tell`,
    `before_ack`, `statement` (of the standings' database), and `step`: any step of the loop.
    """

    point: str
    count: int


class Process:
    """Everything started in it, and nothing else, stands still or dies with it.

    Dead means: no step is ever made again. What was on the stack is unwound by `Killed`, and
    what it does on the way reaches nobody, because its adapters ask `alive` first. At the end of
    the simulation the dead are buried: their tasks are cancelled, so that Python can let go.
    """

    def __init__(
        self, name: str, role: Role, loop: VirtualLoop, on_death: Callable[[], None]
    ) -> None:
        self.name = name
        self.role = role
        self.state: State = "running"
        self.stop = asyncio.Event()
        self.tasks: list[asyncio.Task[Any]] = []
        self.main: asyncio.Task[None] | None = None
        self.handle: MemoryLog | None = None
        """What holds the partitions' locks for this process."""
        self.context: Context = copy_context()
        self.context.run(PROCESS.set, self)
        self._loop = loop
        self._on_death = on_death
        self._parked: list[Call] = []
        self._trap: Trap | None = None

    @property
    def alive(self) -> bool:
        return self.state in ("running", "frozen")

    def start(self, main: Coroutine[Any, Any, None]) -> None:
        self.main = self._loop.create_task(main, context=self.context.copy())

    def admits(self, call: Call) -> bool:
        if self.state == "running":
            self._pass("step")
        if self.state in ("running", "buried"):
            return True
        self._parked.append(call)
        return False

    def set_trap(self, trap: Trap | None) -> None:
        self._trap = trap

    def point(self, name: str) -> None:
        """The process passes a named point; raises `Killed` if it dies there or is dead."""
        self._pass(name)
        if not self.alive:
            raise Killed

    def _pass(self, name: str) -> None:
        trap = self._trap
        if trap is None or trap.point != name or not self.alive:
            return
        self._trap = Trap(name, trap.count - 1) if trap.count > 1 else None
        if self._trap is None:
            self.kill()

    def kill(self) -> None:
        """As `kill -9` does."""
        if self.alive:
            self.state = "dead"
            self._on_death()

    def freeze(self) -> None:
        if self.state == "running":
            self.state = "frozen"

    def thaw(self) -> None:
        if self.state == "frozen":
            self.state = "running"
            self._let_go()

    def _let_go(self) -> None:
        parked, self._parked = self._parked, []
        for call in parked:
            self._loop.again(call)

    async def bury(self) -> None:
        """Cancel what is left, until it has ended."""
        self.state = "buried"
        self._let_go()
        for _ in range(BURIAL_ROUNDS):
            if not self._left():
                return
            for task in self._left():
                task.cancel()
            await asyncio.sleep(BURIAL_PAUSE)
        raise AssertionError(f"{self.name} does not end: {self._left()}")

    def _left(self) -> list[asyncio.Task[Any]]:
        return [task for task in self.tasks if not task.done()]


def count_tasks(
    loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, Any], context: Context | None = None
) -> "asyncio.Task[Any]":
    """A task factory by which each process knows its tasks."""
    task = asyncio.Task(coro, loop=loop, context=context)
    process = (context or copy_context()).get(PROCESS)
    if isinstance(process, Process):
        process.tasks = [one for one in process.tasks if not one.done()]
        process.tasks.append(task)
    return task
