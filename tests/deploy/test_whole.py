"""The whole of deploy/, as far as it can run without containers: the broker's cluster by its files,
PostgreSQL by its roles, and every worker with the very environment that Compose gives it.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from schemas.commands import HokmOptions, OpenMatch, SeatPlan, StartMatch
from services.cli.client import Ended, MatchClient, new_match_id
from services.messaging import server, streams
from services.messaging.jetstream import connect
from services.messaging.port import Message
from tests.deploy.cluster import DEPLOY, ORIGIN, Cluster, all_ready, cluster
from tests.deploy.compose import composed, in_folder, workers
from tests.deploy.databases import Laid, laid_out, waraq
from tests.deploy.secrets import make_secrets
from tests.ports import free_port
from tests.waiting import until

pytestmark = [
    pytest.mark.slow,
    # nats-py's own, of aiohttp, with a websocket
    pytest.mark.filterwarnings("ignore:parameter 'timeout' of type 'float':DeprecationWarning"),
]
CHECKOUT: Final = DEPLOY.parent
READY_WITHIN: Final = 60.0
STOP_WITHIN: Final = 30
"""Seconds: the grace that Compose gives a worker."""
PLAY_WITHIN: Final = 120


class Worker(Struct, eq=False):
    name: str
    ops: int
    said: Path
    process: subprocess.Popen[bytes]

    def ready(self) -> bool:
        assert self.process.poll() is None, self.said.read_text()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ops}/readyz", timeout=3) as found:
                return bool(found.status == 200)
        except OSError:
            return False


class Deployed(Struct, frozen=True):
    broker: Cluster
    database: Laid
    workers: tuple[Worker, ...]
    page: str
    data: Path
    """Of nobody: whatever `make up` left in the checkout's is not looked at."""

    def operator(self, *words: str) -> str:
        """A command as `docker compose run operator` has it."""
        told = in_folder(composed()["services"]["operator"]["environment"], self.broker.secrets)
        here = {"WARAQ_NATS_URL": self.broker.url, "WARAQ_DATA": str(self.data)}
        return waraq(*words, **told | here | {"WARAQ_WEB_URL": self.page})


@asynccontextmanager
async def deployed(folder: Path) -> AsyncIterator[Deployed]:
    with cluster(folder) as broker, laid_out(broker.secrets) as database:
        make_secrets(broker.secrets, postgres=f"127.0.0.1:{database.server.port}")
        await all_ready(broker)
        with _started(folder, broker) as found:
            for worker in found.workers:
                await until(worker.ready, f"{worker.name} to be ready", within=READY_WITHIN)
            yield Deployed(broker, database, found.workers, found.page, folder / "data")


class Started(Struct):
    workers: tuple[Worker, ...]
    page: str


@contextmanager
def _started(folder: Path, broker: Cluster) -> Iterator[Started]:
    """Every worker, as often as Compose starts it."""
    page = free_port()
    here = {
        "WARAQ_NATS_URL": broker.url,
        "WARAQ_WEB_LISTEN": f"127.0.0.1:{page}",
        "WARAQ_PLAYERS_URL": f"ws://127.0.0.1:{broker.nodes[1].ports['websocket']}",
        "WARAQ_PACE": "0",
    }
    found: list[Worker] = []
    try:
        for name, service in workers().items():
            told = in_folder(service["environment"], broker.secrets)
            told |= {key: value for key, value in here.items() if key in {*told, "WARAQ_PACE"}}
            often = range(service["deploy"].get("replicas", 1))
            found.extend(_start(f"{name}-{number}", name, told, folder) for number in often)
        yield Started(tuple(found), f"http://127.0.0.1:{page}")
    finally:
        for worker in found:
            worker.process.kill()
            worker.process.wait()


def _start(name: str, kind: str, told: dict[str, str], folder: Path) -> Worker:
    ops = free_port()
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WARAQ_")}
    said = folder / f"{name}.said"
    with said.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli", "worker", kind],
            env=kept | told | {"WARAQ_OPS_LISTEN": f"127.0.0.1:{ops}", "PYTHONPATH": str(CHECKOUT)},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    return Worker(name, ops, said, process)


def asked(page: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{page}{path}", data, headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=10) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


async def played(page: str) -> Ended:
    """A match of four bots, opened by a new guest with a ticket of his day, over a websocket."""
    guest = await asyncio.to_thread(asked, page, "/session")
    player, token, match = guest["player"], guest["token"], new_match_id()
    wanted = {"match": match, "offset": 0}
    ticket = await asyncio.to_thread(asked, page, "/ticket", wanted, token)
    bus = await connect(guest["nats"], user=player, password=token, name=player)
    client = MatchClient(bus, player, match)

    def hear(message: Message) -> None:
        client.hear(message)

    await bus.subscribe(f"feed.{player}.*", hear)
    seats = tuple(SeatPlan(seat=seat, filled_by="house", level="white") for seat in range(4))
    opening = OpenMatch(options=HokmOptions(), seats=seats, ticket=ticket["ticket"])
    await client.do(opening, within=PLAY_WITHIN)
    await client.do(StartMatch(), within=PLAY_WITHIN)
    ended = await client.until_ended(patience=PLAY_WITHIN)
    await bus.close()
    return ended


async def test_a_guest_plays_a_match_that_an_operator_then_audits(tmp_path: Path) -> None:
    async with deployed(tmp_path) as here:
        ended = await played(here.page)
        assert ended.winner is not None
        listed = json.loads(here.operator("match", "list", "--json"))
        assert listed["status"] == "ended"
        here.operator("audit", "--all")
        here.operator("doctor")
        status = [json.loads(line) for line in here.operator("status", "--json").splitlines()]
        doors = [(one["door"], one["ok"]) for one in status if one["kind"] == "door"]
        assert doors == [("web", True), ("log-ins", True)]
        stored = here.broker.nodes[0].asked("/jsz?accounts=1&streams=1&config=1")
        (account,) = [one for one in stored["account_details"] if one["name"] == "WARAQ"]
        copies = {one["name"]: one["config"]["num_replicas"] for one in account["stream_detail"]}
        assert copies == {streams.COMMANDS: 3, streams.EVENTS: 3, streams.TURNS: 3}
        for worker in here.workers:
            worker.process.terminate()
        ends = {worker.name: worker.process.wait(STOP_WITHIN) for worker in here.workers}
        assert set(ends.values()) == {0}, ends
        for worker in here.workers:
            assert '"level":"error"' not in worker.said.read_text(), worker.said.read_text()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster with nobody behind it."""
    with cluster(tmp_path_factory.mktemp("broker")) as found:
        asyncio.run(all_ready(found))
        yield found


def told(port: int, said: str) -> str:
    """All that a listener answers until it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as link:
        link.sendall(said.encode())
        answer = b""
        while data := link.recv(4_096):
            answer += data
    return answer.decode(errors="replace")  # a websocket goes on in frames


def test_limits_are_those_that_the_embedded_broker_has(broker: Cluster) -> None:
    for node in broker.nodes:
        found = node.asked("/varz")
        assert found["server_name"] == node.name
        assert found["max_payload"] == server.MAX_PAYLOAD
        assert found["max_control_line"] == server.MAX_CONTROL_LINE
        assert found["max_connections"] == server.MAX_CONNECTIONS
        assert found["max_subscriptions"] == server.MAX_SUBSCRIPTIONS
        assert found["max_pending"] == server.MAX_PENDING
        assert found["write_deadline"] == server.WRITE_DEADLINE * 10**9
        assert found["auth_timeout"] == server.LOGIN_WAIT
        assert len(found["cluster"]["urls"]) == len(broker.nodes)
        assert found["system_account"] == server.SYSTEM


@pytest.mark.parametrize("password", ["", "wrong"])
def test_a_node_that_does_not_know_the_routes_password_is_no_node(
    broker: Cluster, password: str
) -> None:
    """It would hear and say everything."""
    connect = {"user": "route", "pass": password, "name": "N", "cluster": "waraq", "verbose": False}
    answer = told(broker.nodes[0].ports["routes"], f"CONNECT {json.dumps(connect)}\r\nPING\r\n")
    assert "Authorization Violation" in answer


def test_without_an_auth_worker_only_static_users_come_in(broker: Cluster) -> None:
    port = broker.nodes[0].ports["clients"]
    nobody = {"user": "u_ann00000", "pass": "x", "verbose": False}
    assert "Authorization Violation" in told(port, f"CONNECT {json.dumps(nobody)}\r\nPING\r\n")


@pytest.mark.parametrize(
    ("origin", "status"),
    [(ORIGIN, 101), ("https://evil.example", 403), ("http://cards.example", 403)],
)
def test_only_a_page_of_our_origin_opens_a_websocket(
    broker: Cluster, origin: str, status: int
) -> None:
    """On the path that an ingress hands on as it is (deploy/kubernetes/base/ingress.yaml)."""
    answer = told(
        broker.nodes[2].ports["websocket"],
        "GET /nats HTTP/1.1\r\nHost: cards.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Origin: {origin}\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    )
    assert answer.startswith(f"HTTP/1.1 {status} ")
