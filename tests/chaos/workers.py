"""Worker processes: started, watched, started again when they die, killed and stopped."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from services.runtime.worker import OK, UNREACHABLE

Kind = Literal["table", "bot", "scoring"]
WATCH_EVERY: Final = 0.02
"""Seconds between two looks at the processes."""
AGAIN_AFTER: Final = 0.5
"""Seconds until a worker that ended by itself is started again; a killed one is at once."""
STOP_WITHIN: Final = 30.0
"""Seconds that a worker has to end when asked."""
EXPECTED: Final = (OK, UNREACHABLE, -signal.SIGKILL)
"""How a worker may end: asked to, without a broker or database to begin with, or killed."""


class Worker(Struct, eq=False):
    """A place for one worker, its process changing. `spared`: it is not to be killed now."""

    name: str
    kind: Kind
    words: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    process: subprocess.Popen[bytes]
    spared: bool = False
    again_at: float = 0.0
    """When it is started once more, on the clock `time.monotonic`; 0 while it lives."""

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def lives(self) -> bool:
        return self.process.poll() is None

    @property
    def said(self) -> Path:
        """What it and its predecessors wrote on stderr."""
        return self.folder / "stderr"

    def signal(self, number: signal.Signals) -> None:
        """Sent at once; to one that is gone nothing is."""
        if self.lives:
            os.kill(self.pid, number)


def new_worker(
    name: str, kind: Kind, words: tuple[str, ...], environment: Mapping[str, str], folder: Path
) -> Worker:
    """A worker, started, with a folder of its own."""
    folder.mkdir()
    process = _start(words, environment, folder / "stderr")
    return Worker(name, kind, words, environment, folder, process)


class Crew:
    """All workers. `killed` counts by kind what was killed here or killed itself by order."""

    def __init__(self) -> None:
        self.workers: list[Worker] = []
        self.killed: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()
        """Ends that nothing here asked for, by worker and exit code."""
        self._watching: asyncio.Task[None] | None = None

    def of(self, kind: Kind) -> list[Worker]:
        return [worker for worker in self.workers if worker.kind == kind]

    def at_hand(self, kind: Kind) -> list[Worker]:
        """Those that live and may be killed."""
        return [worker for worker in self.of(kind) if worker.lives and not worker.spared]

    def watch(self) -> None:
        self._watching = asyncio.create_task(self._watch())

    def kill(self, worker: Worker) -> None:
        worker.signal(signal.SIGKILL)
        worker.process.wait()
        self.killed[worker.kind] += 1

    @contextmanager
    def sparing(self, worker: Worker) -> Iterator[None]:
        worker.spared = True
        try:
            yield
        finally:
            worker.spared = False

    async def stop(self) -> None:
        """Ask all to end, bots and scoring first, and wait for each."""
        self._watch_no_more()
        for kind in ("bot", "scoring", "table"):
            crew = self.of(kind)
            for worker in crew:
                worker.signal(signal.SIGTERM)
            for worker in crew:
                await asyncio.to_thread(_wait, worker)
                self._note_end(worker)

    def kill_all(self) -> None:
        """The end of a run that failed: nobody is left behind."""
        self._watch_no_more()
        for worker in self.workers:
            worker.signal(signal.SIGKILL)
            worker.process.wait()

    def unexpected(self) -> int:
        """Workers that ended as none should."""
        allowed = [str(int(code)) for code in EXPECTED]
        return sum(n for what, n in self.ended.items() if what.split()[1] not in allowed)

    def _watch_no_more(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        while True:
            for worker in self.workers:
                self._tend(worker)
            await asyncio.sleep(WATCH_EVERY)

    def _tend(self, worker: Worker) -> None:
        if worker.lives:
            return
        now = time.monotonic()
        if not worker.again_at:
            self._note_end(worker)
            killed = worker.process.returncode == -signal.SIGKILL
            worker.again_at = now + (0.0 if killed else AGAIN_AFTER)
        if now >= worker.again_at:
            worker.process = _start(worker.words, worker.environment, worker.said)
            worker.again_at = 0.0

    def _note_end(self, worker: Worker) -> None:
        code = worker.process.returncode
        if code not in (-signal.SIGKILL, OK):
            self.ended[f"{worker.kind} {code}"] += 1


def count_said(workers: list[Worker], word: str) -> int:
    """Lines with `word` in what the workers wrote."""
    return sum(
        word in line
        for worker in workers
        for line in worker.said.read_text(errors="replace").splitlines()
    )


def _start(
    words: tuple[str, ...], environment: Mapping[str, str], said: Path
) -> subprocess.Popen[bytes]:
    with said.open("ab") as log:
        return subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _wait(worker: Worker) -> None:
    try:
        worker.process.wait(STOP_WITHIN)
    except subprocess.TimeoutExpired:
        worker.process.kill()
        worker.process.wait()
