"""docs/examples/: the clients are short, and play whole matches through the service.

The broker is one of our own with what production adds: players who log in, and a websocket.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from services.messaging.permissions import ROLES, WARDEN, player
from services.messaging.server import (
    BrokerConfig,
    BrokerUser,
    broker_program,
    config_text,
    role_users,
)
from tests.npm_packages import NODE, node_modules
from tests.service.up_process import CHECKOUT, running
from tests.waiting import until

pytestmark = pytest.mark.slow

EXAMPLES: Final = CHECKOUT / "docs" / "examples"
PASSWORD: Final = "password"
TCP: Final = "u_example0tcp"
WEB: Final = "u_example0web"
LONGEST: Final = 200
"""Seconds that a match may take: the house takes its time at a table with people."""
HOKM: Final = {"game": "hokm", "target": 1}
HAND: Final = {"game": "hand", "variant": "classic", "seats": 2, "rounds": 3}


class Doors(Struct, frozen=True):
    """Where the broker listens: for clients over TCP, and over websocket."""

    tcp: int
    web: int


@contextmanager
def broker(folder: Path) -> Iterator[Doors]:
    """Whoever comes by websocket without a word is `WEB`: sessions are tested elsewhere."""
    people = tuple(BrokerUser(name=p, password=PASSWORD, permissions=player(p)) for p in (TCP, WEB))
    users = role_users(dict.fromkeys(ROLES, PASSWORD)) + people
    settings = json.loads(config_text(BrokerConfig(users=users, warden=PASSWORD), folder))
    settings["websocket"] = {"listen": "127.0.0.1:-1", "no_tls": True, "no_auth_user": WEB}
    (folder / "broker.conf").write_text(json.dumps(settings))
    with subprocess.Popen([broker_program(), "-c", folder / "broker.conf"]) as process:
        try:
            yield doors(folder / f"nats-server_{process.pid}.ports")
        finally:
            process.kill()


def doors(file: Path) -> Doors:
    """Once the broker has written where it listens."""
    asyncio.run(until(lambda: file.exists() and file.read_text().endswith("}"), "the broker"))
    found: Mapping[str, list[str]] = json.loads(file.read_text())
    tcp, web = (int(found[name][0].rpartition(":")[2]) for name in ("nats", "websocket"))
    return Doors(tcp, web)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """The service is up."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "broker").mkdir()
    with broker(folder / "broker") as found:
        told = {
            "WARAQ_NATS_URL": f"nats://127.0.0.1:{found.tcp}",
            "WARAQ_NATS_PASSWORD": PASSWORD,
            "WARAQ_WARDEN_USER": WARDEN,
            "WARAQ_WARDEN_PASSWORD": PASSWORD,
        }
        with running(folder / "data", **told):
            yield found


def ended(words: list[str | Path], session: Mapping[str, object], options: object) -> Any:
    """What a client prints when its match is over."""
    done = subprocess.run(
        [*words, json.dumps(options)],
        input=json.dumps(session),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_python(at: Doors, options: object) -> Any:
    address = f"nats://{TCP}:{PASSWORD}@127.0.0.1:{at.tcp}"
    session = {"player": TCP, "token": None, "nats": address}
    return ended([sys.executable, EXAMPLES / "client.py"], session, options)


def in_javascript(at: Doors, options: object, folder: Path) -> Any:
    """A copy beside its library: a module's imports are looked up from where it lies."""
    (folder / "node_modules").symlink_to(node_modules())
    (folder / "client.mjs").write_bytes((EXAMPLES / "client.mjs").read_bytes())
    session = {"player": WEB, "token": None, "nats": f"ws://127.0.0.1:{at.web}"}
    return ended([NODE, folder / "client.mjs"], session, options)


def test_the_example_clients_play_whole_matches_of_both_games(at: Doors, tmp_path: Path) -> None:
    """At once, for the house takes its time."""
    with ThreadPoolExecutor() as pool:
        hokm = [pool.submit(in_python, at, HOKM), pool.submit(in_javascript, at, HOKM, tmp_path)]
        hand = pool.submit(in_python, at, HAND)
        for match in hokm:
            found = match.result()
            assert max(found["score"]) >= 1
            assert found["winner"] == found["score"].index(max(found["score"]))
        found = hand.result()
        assert len(found["totals"]) == 2
        assert found["winner"] in (0, 1)


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_an_example_is_short_enough_to_be_read(name: str) -> None:
    lines = (EXAMPLES / name).read_text().splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 100
