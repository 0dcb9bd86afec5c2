"""The thread in which a log is called, and what becomes of a log that stands still."""

import subprocess
import sys
from threading import Event
from typing import Never

import pytest

from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import EventLog
from services.table import log_thread
from services.table.log_thread import LogThread


class Abandoned(Exception):
    """Stands for the end of the process."""


def frozen(reason: str) -> Never:
    raise Abandoned(reason)


async def test_a_log_that_stands_still_ends_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_thread, "FROZEN", 0.05)
    thawed = Event()
    thread = LogThread(MemoryLog(MemoryStore()), "test", frozen=frozen)
    with pytest.raises(Abandoned, match="has not answered"):
        await thread.call(lambda _: thawed.wait(10))
    thawed.set()
    thread.close()


async def test_a_log_that_raises_a_timeout_of_its_own_only_raises() -> None:
    def slow(_: EventLog) -> None:
        raise TimeoutError("its own")

    thread = LogThread(MemoryLog(MemoryStore()), "test", frozen=frozen)
    with pytest.raises(TimeoutError, match="its own"):
        await thread.call(slow)
    thread.close()


def test_a_worker_that_gives_up_ends_at_once_though_a_thread_of_it_waits_for_ever() -> None:
    program = (
        "import threading; from services.runtime.worker import abandon;"
        "threading.Thread(target=threading.Event().wait).start(); abandon('frozen')"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=30, check=False)
    assert done.returncode == 5
