"""`waraq join` in a terminal of its own, with somebody who reads and types."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final, Self

from tests.service.up_process import WARAQ, Up, environment

WITHIN: Final = 280.0
"""Seconds for one match."""
QUIET: Final = 0.2
AT_A_PROMPT: Final = 0.02
"""Seconds without output after which an unfinished line is a prompt; the shorter for one that ends
as every prompt does.
"""
PROMPT_ENDS: Final = " "
READ: Final = 65_536
CONTROLS: Final = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
"""Makes stdin the terminal of the session, so that Ctrl-C reaches the command."""
MATCH: Final = re.compile(r"m_[0-9a-f]{32}")


class Screen:
    """A command in a terminal of its own."""

    def __init__(self, up: Up, *words: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONTROLS, *WARAQ, "join", *words],
            env=environment(up.data, up.more),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def control(self, letter: bytes) -> None:
        os.write(self._master, letter)

    def read(self, within: float) -> bool:
        """Take what is shown; false if that was nothing."""
        readable, _, _ = select.select([self._master], [], [], within)
        try:
            data = os.read(self._master, READ) if readable else b""
        except OSError:  # the other end is closed
            return False
        self.text += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def until(self, text: str, act: Callable[[], None] = lambda: None) -> None:
        """Read until `text` is shown; `act` at each prompt."""
        end = time.monotonic() + WITHIN
        while text not in self.text:
            assert time.monotonic() < end, f"no {text!r} in: {self.text[-2000:]}"
            ended = self.process.poll() is not None
            if self.read(AT_A_PROMPT if self.text.endswith(PROMPT_ENDS) else QUIET):
                continue
            assert not ended, f"ended without {text!r}: {self.text[-2000:]}"
            if not self.text.endswith("\n"):
                act()

    def play(self, text: str) -> None:
        """Take the first offer at each prompt until `text` is shown."""
        self.until(text, lambda: self.type("1"))

    def code(self) -> int:
        while self.read(QUIET) or self.process.poll() is None:
            pass
        return self.process.wait()

    @property
    def match(self) -> str:
        found = MATCH.search(self.text)
        assert found is not None
        return found[0]
