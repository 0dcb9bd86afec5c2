"""`waraq up` as a process of its own, with what a test does to it."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result

from services.cli.__main__ import main
from services.event_log.port import Reader
from services.event_log.sql import file_url, open_reader

WARAQ: Final = (sys.executable, "-m", "services.cli")
READY_WITHIN: Final = 60.0
COMMAND_WITHIN: Final = 240.0
PACE: Final = "0.05"
"""Seconds before a bot moves where people sit: nobody waits for it here."""
CHECKOUT: Final = Path(__file__).parents[2]


class Said:
    """What a command printed and how it ended."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON lines on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]


def environment(data: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Ours, without any setting that this machine has for the program."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARAQ_")}
    ours = {
        "WARAQ_DATA": str(data),
        "WARAQ_PACE": PACE,
        "PYTHONPATH": str(CHECKOUT),
        "XDG_STATE_HOME": str(data.parent / "state"),
    }
    return kept | ours | dict(more)


def waraq(data: Path, *words: str, lines: str = "", **more: str) -> Said:
    """Run one command to its end; `lines` are what it reads."""
    done = subprocess.run(
        [*WARAQ, *words],
        env=environment(data, more),
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=COMMAND_WITHIN,
        check=False,
    )
    return Said(done)


class Up:
    """The service in one data folder."""

    def __init__(self, data: Path, more: Mapping[str, str]) -> None:
        self.data = data
        self.more = dict(more)
        self.stderr = data.parent / f"{data.name}.stderr"
        with self.stderr.open("ab") as said:
            self.process = subprocess.Popen(
                [*WARAQ, "up", "--json"],
                env=environment(data, more),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=said,
            )
        self.ready = self._ready()

    def waraq(self, *words: str, lines: str = "") -> Said:
        return waraq(self.data, *words, lines=lines, **self.more)

    def told(self, *words: str) -> Result:
        """What a command that soon ends is told, run in this process."""
        return CliRunner().invoke(main, words, env=environment(self.data, self.more))

    @contextmanager
    def log(self) -> Iterator[Reader]:
        """The log of its folder, to read."""
        with closing(open_reader(file_url(self.data / "log.db"))) as log:
            yield log

    def children(self) -> dict[str, int]:
        """Its children by name: the workers and nats-server."""
        return {
            name: pid
            for pid in _children_of(self.process.pid)
            if (name := _worker_name(pid)) is not None
        }

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _ready(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        end = time.monotonic() + READY_WITHIN
        while time.monotonic() < end:
            readable, _, _ = select.select([self.process.stdout], [], [], 0.1)
            if readable:
                line = self.process.stdout.readline()
                assert line, f"up ended: {self.stderr.read_text()[-3000:]}"
                ready: dict[str, Any] = json.loads(line)
                return ready
        raise AssertionError(f"up was not ready in {READY_WITHIN} s")


@contextmanager
def running(data: Path, **more: str) -> Iterator[Up]:
    """The service, stopped in the end."""
    up = Up(data, more)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.stop()
        assert up.process.stdout is not None
        up.process.stdout.close()


def _children_of(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def _worker_name(pid: int) -> str | None:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return None
    for word in words:
        name = word.decode().rpartition("/")[2]
        if name == "nats-server" or name.startswith("services."):
            return name.removeprefix("services.")
    return None
