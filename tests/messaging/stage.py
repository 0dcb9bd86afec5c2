"""Both adapters on one stage: buses on a broker that can be stopped, started and emptied."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import Bus
from services.messaging.server import Broker, start_broker
from tests.broker import SPY, bus_as, running_broker


class Stage(Protocol):
    async def bus(self) -> Bus:
        """A new connection with every right."""
        ...

    async def stop(self) -> None:
        """The broker crashes."""
        ...

    async def start(self) -> None:
        """It runs again, where it was, with what it had stored."""
        ...

    def wipe(self) -> None:
        """While it is stopped: its store is lost."""
        ...


class MemoryStage:
    def __init__(self) -> None:
        self._broker = MemoryBroker()
        self._buses: list[MemoryBus] = []

    async def bus(self) -> Bus:
        self._buses.append(MemoryBus(self._broker))
        return self._buses[-1]

    async def stop(self) -> None:
        for bus in self._buses:
            self._broker.disconnect(bus)

    async def start(self) -> None:
        for bus in self._buses:
            await self._broker.reconnect(bus)

    def wipe(self) -> None:
        self._broker.wipe()

    async def close(self) -> None:
        for bus in self._buses:
            await bus.close()


class NatsStage:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._cleanup = ExitStack()
        self._broker: Broker = self._cleanup.enter_context(running_broker(directory))
        self._buses: list[Bus] = []

    async def bus(self) -> Bus:
        self._buses.append(await bus_as(self._broker, SPY))
        return self._buses[-1]

    async def stop(self) -> None:
        self._broker.kill()

    async def start(self) -> None:
        self._broker = start_broker(self._broker.config, self._directory)
        self._cleanup.callback(self._broker.kill)

    def wipe(self) -> None:
        shutil.rmtree(self._directory / "store")

    async def close(self) -> None:
        with self._cleanup:
            for bus in self._buses:
                await bus.close()
