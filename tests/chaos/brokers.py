"""The broker of a run: one server, or a cluster of three whose streams have three copies."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from msgspec import Struct

from services.messaging.server import (
    LOOPBACK,
    Broker,
    BrokerConfig,
    _ports,
    broker_program,
    config_text,
    start_broker,
)
from tests.ports import free_port
from tests.waiting import until

NODES: Final = 3
NODE_READY_WITHIN: Final = 30.0
"""Seconds that a node has to take clients."""


class Brokers(Protocol):
    """What a run needs of its broker."""

    replicas: int

    @property
    def ports(self) -> tuple[int, ...]:
        """Where clients connect."""
        ...

    async def start(self) -> None: ...

    def kill(self) -> None:
        """All of it crashes."""
        ...

    def wipe(self) -> None:
        """While it is down: what it stored is lost."""
        ...


class OneBroker:
    """As embedded and in small installations."""

    replicas = 1

    def __init__(self, config: BrokerConfig, directory: Path) -> None:
        self._config = config
        self._directory = directory
        self._broker: Broker | None = None

    @property
    def ports(self) -> tuple[int, ...]:
        return (self._config.port,)

    async def start(self) -> None:
        self._broker = await asyncio.to_thread(start_broker, self._config, self._directory)
        self._config = self._broker.config

    def kill(self) -> None:
        if self._broker is not None:
            self._broker.kill()

    def wipe(self) -> None:
        shutil.rmtree(self._directory / "store")


class Node(Struct, eq=False):
    """One server of a cluster; its ports stay when it is started again."""

    name: str
    port: int
    route: int
    directory: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self.process is not None, "the node was never started"
        return self.process.pid

    def ready(self) -> bool:
        assert self.process is not None, "the node was never started"
        assert self.process.poll() is None, f"{self.name} ended"
        return _ports(self.directory / f"nats-server_{self.pid}.ports") is not None


class Cluster:
    """Three nodes on loopback."""

    replicas = NODES

    def __init__(self, config: BrokerConfig, directory: Path) -> None:
        self._config = config
        self.nodes = [
            Node(f"n{number}", free_port(), free_port(), directory / f"n{number}")
            for number in range(NODES)
        ]

    @property
    def ports(self) -> tuple[int, ...]:
        return tuple(node.port for node in self.nodes)

    async def start(self) -> None:
        for node in self.nodes:
            self.spawn(node)
        for node in self.nodes:
            await until(node.ready, f"{node.name} to take clients", within=NODE_READY_WITHIN)

    def spawn(self, node: Node) -> None:
        """Start a node's process."""
        node.directory.mkdir(parents=True, exist_ok=True)
        for stale in node.directory.glob("nats-server_*.ports"):
            stale.unlink()
        path = node.directory / "broker.conf"
        path.write_text(json.dumps(self._settings(node)))
        with (node.directory / "stderr").open("ab") as said:
            node.process = subprocess.Popen(
                [broker_program(), "-c", path], stdout=said, stderr=said, start_new_session=True
            )

    def kill(self) -> None:
        for node in self.nodes:
            if node.process is not None:
                node.process.kill()
                node.process.wait()

    def wipe(self) -> None:
        for node in self.nodes:
            shutil.rmtree(node.directory / "store")

    def _settings(self, node: Node) -> dict[str, Any]:
        settings: dict[str, Any] = json.loads(config_text(self._config, node.directory))
        routes = [f"nats://{LOOPBACK}:{other.route}" for other in self.nodes]
        cluster = {"name": "chaos", "listen": f"{LOOPBACK}:{node.route}", "routes": routes}
        listen = f"{LOOPBACK}:{node.port}"
        return settings | {"server_name": node.name, "listen": listen, "cluster": cluster}


MakeBrokers = Callable[[BrokerConfig, Path], Brokers]
