"""The broker's cluster of deploy/nats, its files as they are but for ports and folders."""

import json
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from services.messaging.server import broker_program
from tests.deploy.secrets import make_secrets
from tests.ports import free_ports
from tests.waiting import until

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
NODES: Final = ("nats-0", "nats-1", "nats-2")
ORIGIN: Final = "https://cards.example"
READY_WITHIN: Final = 30.0
PORTS: Final = {"clients": 4222, "http": 8222, "routes": 6222, "websocket": 8080}
"""What nats.conf says, by what it is for."""


class Node(Struct, eq=False):
    name: str
    folder: Path
    ports: dict[str, int]
    process: subprocess.Popen[bytes] | None = None

    def asked(self, path: str) -> dict[str, Any]:
        """What the node's monitoring answers."""
        url = f"http://127.0.0.1:{self.ports['http']}{path}"
        with urllib.request.urlopen(url, timeout=2) as answer:
            found: dict[str, Any] = json.loads(answer.read())
        return found

    def ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "said").read_text()
        with suppress(OSError):
            return bool(self.asked("/healthz")["status"] == "ok")
        return False


class Cluster(Struct):
    nodes: tuple[Node, ...]
    secrets: Path

    @property
    def url(self) -> str:
        return ",".join(f"nats://127.0.0.1:{node.ports['clients']}" for node in self.nodes)

    def secret(self, name: str) -> str:
        return (self.secrets / name).read_text()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Three nodes, started; they are killed in the end."""
    free = iter(free_ports(len(NODES) * len(PORTS)))
    ports = {name: {use: next(free) for use in PORTS} for name in NODES}
    routes = (f"127.0.0.1:{found['routes']}" for found in ports.values())
    secrets = make_secrets(folder / "secrets", *routes)
    nodes = tuple(Node(name, folder / name, ports[name]) for name in NODES)
    try:
        for node in nodes:
            _start(node, secrets)
        yield Cluster(nodes, secrets)
    finally:
        for node in nodes:
            if node.process is not None:
                node.process.kill()
                node.process.wait()


async def all_ready(found: Cluster) -> None:
    for node in found.nodes:
        await until(node.ready, f"{node.name} to be healthy", within=READY_WITHIN)


def lay_out(folder: Path, secrets: Path) -> Path:
    """The files of one node beside each other, as a container has them; the path of nats.conf."""
    folder.mkdir(exist_ok=True)
    for file in (*(DEPLOY / "nats").glob("*.conf"), secrets / "secrets.conf"):
        shutil.copy(file, folder)
    shutil.copy(secrets / "routes.conf", folder)
    return folder / "nats.conf"


def node_environment(name: str) -> dict[str, str]:
    return os.environ | {"SERVER_NAME": name, "WEB_ORIGINS": f'["{ORIGIN}"]'}


def _start(node: Node, secrets: Path) -> None:
    config = lay_out(node.folder, secrets)
    text = config.read_text().replace('"/data"', json.dumps(str(node.folder / "store")))
    for use, port in PORTS.items():
        said = f'"0.0.0.0:{port}"'
        assert text.count(said) == 1, use
        text = text.replace(said, f'"127.0.0.1:{node.ports[use]}"')
    config.write_text(text)
    with (node.folder / "said").open("wb") as said_there:
        node.process = subprocess.Popen(
            [broker_program(), "-c", config],
            env=node_environment(node.name),
            stdin=subprocess.DEVNULL,
            stdout=said_there,
            stderr=said_there,
            start_new_session=True,
        )
