"""A broker and table workers in a folder of their own: the real processes, without bots."""

import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from services.cli.bench.conditions import Conditions, plain_environment
from services.cli.bench.matches import KEY
from services.cli.place import Place, make_folder, prepare, write_access
from services.cli.supervisor import STOP_WITHIN, Child, die_with_parent, spawn, wait_end, wait_ready
from services.event_log.upgrade import upgrade
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.permissions import COMMAND_LINE_PLAYER, Permissions, inbox
from services.messaging.server import Broker, BrokerConfig, BrokerUser, role_users, start_broker

LOADER: Final = "loader"
"""The broker's user that says what players and bots would say, on one connection: in order."""
_STATUS_RSS: Final = "VmRSS:"
_UTIME: Final = 11
"""Where the two times stand among the fields of `stat`, counted after the program's name."""


class Service:
    """What is running; `place` is where."""

    def __init__(self, place: Place, broker: Broker) -> None:
        self.place = place
        self.broker = broker
        self.tables: list[Child] = []
        """Those that were started and not stopped, the oldest first."""
        self.scoring: Child | None = None

    def start_table(self) -> Child:
        """A table worker that serves every partition."""
        child = self.start_standby()
        wait_ready(child)
        return child

    def start_standby(self) -> Child:
        """A table worker that takes what partitions it can get, now or later."""
        child = spawn(self.place, "table")
        self.tables.append(child)
        return child

    def start_scoring(self) -> Child:
        """A scoring worker, which reads the log that the tables write."""
        self.scoring = spawn(self.place, "scoring")
        wait_ready(self.scoring)
        return self.scoring

    def stop_table(self, child: Child, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it and wait for its end."""
        self.tables.remove(child)
        _end(child, how)

    def stop(self) -> None:
        for child in list(self.tables):
            self.stop_table(child)
        if self.scoring is not None:
            _end(self.scoring)
        self.broker.stop()

    @asynccontextmanager
    async def bus(self) -> AsyncIterator[JetStreamBus]:
        """The loader's connection."""
        bus = await connect(self.broker.url, user=LOADER, password=LOADER, name=LOADER)
        try:
            yield bus
        finally:
            await bus.close()


def _end(child: Child, how: signal.Signals = signal.SIGTERM) -> None:
    child.process.send_signal(how)
    wait_end(child, time.monotonic() + STOP_WITHIN)


@contextmanager
def serving(conditions: Conditions, log_url: str) -> Iterator[Service]:
    """A broker on a log that is ready; tables are to be started."""
    with conditions.empty_folder() as folder:
        environ = {"WARAQ_LOG_URL": log_url, "WARAQ_LOG_LEVEL": "error"}
        place = Place(folder / "data", plain_environment() | environ)
        make_folder(place.data)
        _write_key(place.key_file)
        upgrade(log_url)
        service = Service(place, _start_broker(place))
        try:
            yield service
        finally:
            service.stop()


def _write_key(path: Path) -> None:
    """The key that all scripts are dealt with; deals of a bench are nobody's secret."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(KEY)


def _start_broker(place: Place) -> Broker:
    access = prepare(place)
    loader = BrokerUser(name=LOADER, password=LOADER, permissions=_loader())
    users = (*role_users(access.passwords), loader)
    config = BrokerConfig(users=users, warden=access.warden)
    broker = start_broker(config, place.broker, preexec_fn=die_with_parent)
    write_access(place, replace(access, port=broker.config.port))
    return broker


def _loader() -> Permissions:
    return Permissions(
        publish=("cmdin.*.*", f"ask.*.{COMMAND_LINE_PLAYER}"),
        subscribe=(f"feed.{COMMAND_LINE_PLAYER}.*", f"{inbox(LOADER)}.>"),
    )


def resident_mib(child: Child) -> float:
    """The memory that a process holds now, in MiB."""
    status = Path(f"/proc/{child.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(_STATUS_RSS))
    return int(line.split()[1]) / 1024


def cpu_seconds(pid: int) -> float:
    """What a process has used of all processors so far, in user and system mode."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = after_name[_UTIME : _UTIME + 2]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
