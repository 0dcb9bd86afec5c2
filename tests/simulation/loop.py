"""An event loop on virtual time, whose callbacks belong to processes that can be stopped.

Nothing here waits: when nothing is ready the clock jumps to the next timer. A callback belongs to
the process in whose context it was scheduled; a process that is stopped admits none, so that it
stands still between two steps as after SIGSTOP, and one that is dead never goes on. Calls in a
pool of threads are made inline, each at one moment, after a delay and before another one.
"""

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, Protocol, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

SPINS: Final = 100_000
"""Turns of the loop at one moment after which it is going round in a circle."""


class Stuck(Exception):
    """Nothing is scheduled, or the loop goes on for ever at one moment."""


class Killed(BaseException):
    """The process has just died in this call: nothing that it still does has any effect."""


class Gate(Protocol):
    """A process, as far as the loop knows one."""

    def admits(self, call: "Call") -> bool:
        """True if the call may be made now; else the gate keeps it until it opens."""
        ...


PROCESS: Final[ContextVar[Gate | None]] = ContextVar("PROCESS", default=None)
"""The process that is running; None is the world around them."""


class Call:
    """A callback on its way through a gate."""

    def __init__(self, gate: Gate, function: Callable[..., object], args: tuple[Any, ...]) -> None:
        self.handle: asyncio.Handle | None = None
        self.context: Context | None = None
        self._gate = gate
        self._function = function
        self._args = args

    def make(self) -> None:
        """Call it, unless it was cancelled since or the gate is closed."""
        assert self.handle is not None
        if not self.handle.cancelled() and self._gate.admits(self):
            self._function(*self._args)


class _VirtualSelector(selectors.SelectSelector):
    """Passes the time that the loop would have waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._spins = 0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck("nothing is scheduled: everybody waits for somebody")
        self._spins = 0 if timeout > 0 else self._spins + 1
        if self._spins > SPINS:
            raise Stuck(f"the loop goes round at {self.now:.6f} s")
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """`delay` draws the seconds that half a call in a thread takes."""

    def __init__(self, delay: Callable[[], float]) -> None:
        self._virtual = _VirtualSelector()
        self._delay = delay
        self._free: dict[Executor, list[float]] = {}
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now

    def call_soon(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        context = context or copy_context()
        gate = context.get(PROCESS)
        if gate is None:
            return super().call_soon(callback, *args, context=context)
        call = Call(gate, callback, args)
        call.context = context
        call.handle = super().call_soon(call.make, context=context)
        return call.handle

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        context = context or copy_context()
        gate = context.get(PROCESS)
        if gate is None:
            return super().call_at(when, callback, *args, context=context)
        call = Call(gate, callback, args)
        call.context = context
        handle = super().call_at(when, call.make, context=context)
        call.handle = handle
        return handle

    def again(self, call: Call) -> None:
        """Make a call that a gate kept."""
        super().call_soon(call.make, context=call.context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> "asyncio.Future[T]":
        """As a pool of threads does: in order, at most as many at a time as it has threads."""
        assert isinstance(executor, ThreadPoolExecutor)
        if executor._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        free = self._free.setdefault(executor, [0.0] * executor._max_workers)
        begins = max(self.time(), min(free)) + self._delay()
        ends = begins + self._delay()
        free[free.index(min(free))] = ends
        future: asyncio.Future[T] = self.create_future()
        self.call_at(begins, self._begin, future, ends, lambda: func(*args))
        return future

    def _begin(self, future: "asyncio.Future[T]", ends: float, call: Callable[[], T]) -> None:
        if future.cancelled():
            return
        result, error = None, None
        try:
            result = call()
        except Killed:
            return
        except Exception as raised:  # noqa: BLE001 whatever it is, whoever waits is told
            error = raised
        self.call_at(ends, _finish, future, result, error)


def _finish(future: "asyncio.Future[Any]", result: Any, error: Exception | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
