"""A person's terminal: lines in, text out; and what stands in for it where there is none.

On a terminal lines are heard at any time. Where stdin is a pipe or a file its lines are answers,
each taken when something is asked; its end is that of the stay, not of the seat.
"""

import asyncio
import codecs
import os
import shutil
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

STDIN: Final = 0
"""The descriptor: `sys.stdin` is None in a process that was started without one."""
STDOUT: Final = 1
READ_BYTES: Final = 4_096
LINE: Final = 1_000
"""Letters of a line that are heard; what is beyond them is dropped."""
WAITING: Final = 1_000
"""Lines that may wait to be taken; a pipe is read no further until some are."""


class Terminal(Protocol):
    """`always`: lines are heard at any time. `interrupted`: Ctrl-C was pressed."""

    always: bool
    interrupted: bool

    @property
    def columns(self) -> int | None:
        """How wide it is now; None for what is no terminal."""
        ...

    def show(self, text: str) -> None:
        """A line of text."""
        ...

    def prompt(self, text: str) -> None:
        """What a line is to be typed behind."""
        ...

    def take(self) -> str | None:
        """The next line, None if there is none yet."""
        ...

    @property
    def ended(self) -> bool:
        """True once no line will come any more and all were taken."""
        ...


class Console:
    """stdin and stdout. `wake` is set when there is something to take."""

    def __init__(self, wake: asyncio.Event) -> None:
        self.always = os.isatty(STDIN)
        self.interrupted = False
        self.wake = wake
        self._loop = asyncio.get_running_loop()
        self._lines: deque[str] = deque()
        self._room = threading.Semaphore(WAITING)
        self._closed = False
        self._gone = False
        self._open_prompt = False

    def start(self) -> None:
        """Hear lines and Ctrl-C from now on. The thread ends with the process: nothing can call
        a read back that waits for a person.
        """
        self._loop.add_signal_handler(signal.SIGINT, self._interrupt)
        reading = threading.Thread(target=self._read, name="stdin", daemon=True)
        reading.start()

    def stop(self) -> None:
        self._loop.remove_signal_handler(signal.SIGINT)
        if self._open_prompt:
            self._write("\n")

    @property
    def columns(self) -> int | None:
        return shutil.get_terminal_size().columns if os.isatty(STDOUT) else None

    @property
    def ended(self) -> bool:
        return self._gone or (self._closed and not self._lines)

    def show(self, text: str) -> None:
        fresh = "\n" if self._open_prompt else ""
        self._open_prompt = False
        self._write(f"{fresh}{text}\n")

    def prompt(self, text: str) -> None:
        self._write(text)
        self._open_prompt = True

    def take(self) -> str | None:
        if not self._lines or self._gone:
            return None
        self._room.release()
        line = self._lines.popleft()
        if self.always:
            self._open_prompt = False  # the line break was typed
        else:
            self.show(line)
        return line

    def _write(self, text: str) -> None:
        """Where nobody reads any more it is as if the input had ended."""
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)  # Python flushes once more at its end
            self._gone = True

    def _interrupt(self) -> None:
        self.interrupted = True
        self._open_prompt = True
        self.wake.set()

    # In the thread that reads -----------------------------------------------------------------

    def _read(self) -> None:
        """By the descriptor: a thread that holds `sys.stdin` would disturb the process's end."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        with suppress(OSError):
            while data := os.read(STDIN, READ_BYTES):
                *lines, rest = (rest + decoder.decode(data)).split("\n")
                rest = rest[:LINE]
                for line in lines:
                    self._tell(line)
        if rest:
            self._tell(rest)
        self._call(self._close)

    def _tell(self, line: str) -> None:
        self._room.acquire()
        self._call(lambda: self._lines.append(line[:LINE].rstrip("\r")))

    def _call(self, act: Callable[[], None]) -> None:
        def acting() -> None:
            act()
            self.wake.set()

        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(acting)

    def _close(self) -> None:
        self._closed = True
