"""Signals: SIGTERM and SIGINT ask a worker to finish what it is doing and go; SIGUSR1 to drain."""

import asyncio
import os
import signal
from typing import Final

READY: Final = b"ready\n"


def asked_to_stop() -> asyncio.Event:
    """An event that SIGTERM or SIGINT sets; call it on the running loop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def asked_to_drain(*, already: bool) -> asyncio.Event:
    """An event that SIGUSR1 sets: begin nothing new, and end when all that was begun has ended.

    `already`: it was asked of a worker that died, in whose place this one is.
    """
    drain = asyncio.Event()
    if already:
        drain.set()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, drain.set)
    return drain


def tell_ready(descriptor: int | None) -> None:
    """Tell the supervisor, through the pipe it gave us, that work has begun."""
    if descriptor is None:
        return
    try:
        os.write(descriptor, READY)
    except BrokenPipeError:
        return
    finally:
        os.close(descriptor)


class Line:
    """A worker's connection: when it is closed for good by itself, the worker has to end."""

    def __init__(self, stop: asyncio.Event) -> None:
        self._stop = stop
        self.lost = False

    def closed(self) -> None:
        """The connection was closed, by ourselves once asked to stop or else by itself."""
        self.lost = not self._stop.is_set()
        self._stop.set()
