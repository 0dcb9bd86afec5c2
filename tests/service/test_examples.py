"""docs/examples/: the clients are short, and play whole matches through the service.

They come in as they say: by the answer of `POST /session` on stdin, over websocket; one over TCP.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from tests.npm_packages import NODE, node_modules
from tests.service.guests import session
from tests.service.up_process import CHECKOUT, Up, running

pytestmark = pytest.mark.slow

EXAMPLES: Final = CHECKOUT / "docs" / "examples"
LONGEST: Final = 200
"""Seconds that a match may take: the house takes its time at a table with people."""
HOKM: Final = {"game": "hokm", "target": 1}
HAND: Final = {"game": "hand", "variant": "classic", "seats": 2, "rounds": 3}


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("examples") / "data") as service:
        yield service


def ended(words: list[str | Path], opened: Mapping[str, object], options: object) -> Any:
    """What a client prints when its match is over."""
    done = subprocess.run(
        [*words, json.dumps(options)],
        input=json.dumps(opened),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_python(up: Up, options: object, *, tcp: bool = False) -> Any:
    opened = session(up)
    if tcp:
        opened["nats"] = up.ready["nats"]
    return ended([sys.executable, EXAMPLES / "client.py"], opened, options)


def in_javascript(up: Up, options: object, folder: Path) -> Any:
    """A copy beside its library: a module's imports are looked up from where it lies."""
    (folder / "node_modules").symlink_to(node_modules())
    (folder / "client.mjs").write_bytes((EXAMPLES / "client.mjs").read_bytes())
    return ended([NODE, folder / "client.mjs"], session(up), options)


def test_the_example_clients_play_whole_matches_of_both_games(up: Up, tmp_path: Path) -> None:
    """At once, for the house takes its time."""
    with ThreadPoolExecutor() as pool:
        hokm = [
            pool.submit(in_python, up, HOKM, tcp=True),
            pool.submit(in_javascript, up, HOKM, tmp_path),
        ]
        hand = pool.submit(in_python, up, HAND)
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
