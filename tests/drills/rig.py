"""What a drill plays on: a broker, PostgreSQL, workers as processes (of any revision), a load."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, Self

import psycopg
from msgspec import Struct

from services.cli.play import Hall, Table
from services.event_log.port import Reader
from services.event_log.sql import open_reader
from services.event_log.survey import PartitionFound, survey
from services.messaging.jetstream import JetStreamBus, connect
from services.runtime.key_files import create_key
from services.runtime.shutdown import READY
from services.runtime.tasks import end
from tests.broker import SPY, broker_config, password
from tests.chaos.brokers import MakeBrokers, OneBroker
from tests.chaos.verdict import standings_differ
from tests.invariants import (
    NOTHING_IN_LOG,
    NOTHING_IN_STREAM,
    count_log,
    count_published,
    published,
    rows_of,
)
from tests.postgres import Server, serving
from tests.service.up_process import CHECKOUT, Said, environment
from tests.waiting import until

Kind = Literal["table", "bot", "scoring"]
WITHIN: Final = 60.0
"""Seconds that a step may take; nothing is measured by it."""
AT_ONCE: Final = 4
"""Matches that are played at the same time."""
TABLES: Final = (
    Table.of_bots("hokm", "white", target=1),
    Table.of_bots("hand", "black", variant="saudi", seats=3, rounds=3),
)
NOTHING_LOST: Final = (*NOTHING_IN_LOG, "standings_other")
"""Numbers that are 0 after every drill, whatever became of the stream."""
NOTHING: Final = (*NOTHING_LOST, *NOTHING_IN_STREAM)
"""Numbers that are 0 after every drill in which the stream loses nothing."""


class Worker(Struct, eq=False):
    """A process; `ready` is the pipe on which it says that it works."""

    name: str
    process: subprocess.Popen[bytes]
    ready: int
    said: Path

    def is_ready(self) -> bool:
        assert self.process.poll() is None, f"{self.name} ended: {self.tail()}"
        with contextlib.suppress(BlockingIOError):
            return os.read(self.ready, len(READY)) == READY
        return False

    def tail(self) -> str:
        return self.said.read_text(errors="replace")[-2_000:]


class Rig:
    """Enter it for a broker and databases; workers are started one by one."""

    def __init__(self, folder: Path, make_brokers: MakeBrokers = OneBroker) -> None:
        self.folder = folder
        self.brokers = make_brokers(broker_config(), folder / "broker")
        self.postgres: Server
        self.workers: list[Worker] = []
        self._cleanup = ExitStack()
        self._numbers = count()

    @property
    def log_url(self) -> str:
        return self.postgres.url("waraq")

    @property
    def standings_url(self) -> str:
        return self.postgres.url("standings")

    async def __aenter__(self) -> Self:
        try:
            await self.brokers.start()
            self._cleanup.callback(self.brokers.kill)
            self.postgres = self._cleanup.enter_context(serving())
            self.make_databases()
            create_key(self.folder / "shuffle.key")
        except BaseException:
            self._cleanup.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self.kill_workers()
        self._cleanup.close()

    def make_databases(self) -> None:
        """Empty ones, in the place of any that are there."""
        with psycopg.connect(self.postgres.url(), autocommit=True) as connection:
            for name in ("waraq", "standings"):
                connection.execute(f"drop database if exists {name} with (force)".encode())
                connection.execute(f"create database {name}".encode())

    def nats_url(self) -> str:
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.brokers.ports)

    async def bus(self, user: str) -> JetStreamBus:
        secret = password(user)
        return await connect(self.nats_url(), user=user, password=secret, name=user, within=30)

    def told(self, user: str) -> dict[str, str]:
        """All that any worker, or the command line, is told here."""
        return {
            "WARAQ_NATS_URL": self.nats_url(),
            "WARAQ_NATS_USER": user,
            "WARAQ_NATS_PASSWORD": password(user),
            "WARAQ_LOG_URL": self.log_url,
            "WARAQ_STANDINGS_URL": self.standings_url,
            "WARAQ_SHUFFLE_KEY_FILE": str(self.folder / "shuffle.key"),
            "WARAQ_STREAM_REPLICAS": str(self.brokers.replicas),
        }

    # Commands and workers ---------------------------------------------------------------------

    def waraq(self, *words: str, code: Path = CHECKOUT) -> Said:
        return self.run(sys.executable, "-m", "services.cli", *words, code=code)

    def run(self, *words: str, code: Path = CHECKOUT, **more: str) -> Said:
        """A program to its end, told what an operator is told."""
        done = subprocess.run(
            words,
            env=self._environment("cli", code) | more,
            cwd=code,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Said(done)

    async def start(self, kind: Kind, code: Path = CHECKOUT) -> Worker:
        """A worker of the revision that lies in `code`, once it works."""
        worker = self._spawn(kind, code)
        await until(worker.is_ready, f"{worker.name} to work", within=WITHIN)
        return worker

    def _spawn(self, kind: Kind, code: Path) -> Worker:
        ours, theirs = os.pipe()
        name = f"{kind}{next(self._numbers)}"
        said = self.folder / f"{name}.stderr"
        with said.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"services.{kind}"],
                env=self._environment(kind, code) | {"WARAQ_READY_FD": str(theirs)},
                cwd=code,
                stdin=subprocess.DEVNULL,
                stderr=log,
                pass_fds=(theirs,),
                start_new_session=True,
            )
        os.close(theirs)
        os.set_blocking(ours, False)
        worker = Worker(name, process, ours, said)
        self.workers.append(worker)
        return worker

    async def stop(self, worker: Worker) -> None:
        """Ask it to end, as an upgrade does; it must end well."""
        worker.process.send_signal(signal.SIGTERM)
        await until(lambda: worker.process.poll() is not None, f"{worker.name} to end", within=30)
        assert worker.process.returncode == 0, worker.tail()
        self._forget(worker)

    def kill_workers(self) -> None:
        for worker in list(self.workers):
            worker.process.kill()
            worker.process.wait()
            self._forget(worker)

    def _forget(self, worker: Worker) -> None:
        os.close(worker.ready)
        self.workers.remove(worker)

    def _environment(self, user: str, code: Path) -> dict[str, str]:
        """`python -m` looks into the folder that it stands in first, then here."""
        return environment(self.folder / "data", self.told(user)) | {"PYTHONPATH": str(code)}

    # How it stands ----------------------------------------------------------------------------

    def partitions(self) -> tuple[PartitionFound, ...]:
        return survey(self.log_url).partitions

    def serving(self) -> set[int]:
        """The processes that serve a partition."""
        return {int(one.owner.rpartition(":")[2]) for one in self.partitions() if one.owner}

    async def shared_by(self, *workers: Worker) -> None:
        wanted = {worker.process.pid for worker in workers}
        await until(lambda: self.serving() == wanted, f"{wanted} to share the log", within=WITHIN)

    @contextlib.contextmanager
    def reader(self) -> Iterator[Reader]:
        with closing(open_reader(self.log_url)) as log:
            yield log

    async def numbers(self, *, in_stream: bool = True) -> dict[str, Any]:
        """Every invariant as a number, once scoring has caught up."""
        with self.reader() as log:
            rows = rows_of(log)
            found = count_log(log, rows)
            await until(
                lambda: standings_differ(self.standings_url, log) == 0,
                "the standings to be those of the log",
                within=WITHIN,
            )
            found["standings_other"] = standings_differ(self.standings_url, log)
        if in_stream:
            bus = await self.bus(SPY)
            found |= count_published(rows, await published(bus, len(rows)))
            await bus.close()
        return found


class Load:
    """Matches of bots of both games, one after another, several at the same time."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._closing = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.played: list[str] = []

    async def begin(self) -> None:
        self._bus = await self._rig.bus("cli")
        self._hall = Hall(self._bus)
        await self._hall.enter()
        self._tasks = [asyncio.create_task(self._go_on(number)) for number in range(AT_ONCE)]

    async def more(self, matches: int) -> None:
        """Until so many more have been played to their ends."""
        wanted = len(self.played) + matches
        await until(lambda: self._count() >= wanted, f"{matches} more matches", within=WITHIN)

    async def finish(self) -> None:
        """Open no more, and wait for the ends of those that are open."""
        self._closing.set()
        await asyncio.wait_for(asyncio.gather(*self._tasks), WITHIN)
        await self._bus.close()

    async def drop(self) -> None:
        """Whatever becomes of the open ones."""
        await end(*self._tasks)
        await self._bus.close()

    def _count(self) -> int:
        for task in self._tasks:
            if task.done():
                task.result()
        return len(self.played)

    async def _go_on(self, number: int) -> None:
        while not self._closing.is_set():
            played = await self._hall.play(TABLES[number % len(TABLES)])
            assert played.winner is not None
            self.played.append(played.match)
            number += 1
