"""docs/examples/: the clients are short, and play whole matches as their first lines say."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from tests.npm_packages import NODE, beside_packages
from tests.service.guests import session_text
from tests.service.up_process import CHECKOUT, Up, running

pytestmark = pytest.mark.slow

EXAMPLES: Final = CHECKOUT / "docs" / "examples"
LONGEST: Final = 200
"""Seconds that a match may take: the house takes its time at a table with people."""
HOKM: Final = {"game": "hokm", "target": 1}
HAND: Final = {"game": "hand", "variant": "classic", "seats": 2, "rounds": 3}

Words = tuple[str | Path, ...]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("examples") / "data") as found:
        yield found


def ended(up: Up, client: Words, options: Mapping[str, object]) -> Any:
    """What a client prints when its match is over: `curl -X POST … | client OPTIONS`."""
    done = subprocess.run(
        [*client, json.dumps(options)],
        input=session_text(up),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_the_example_clients_play_whole_matches_of_both_games(up: Up, tmp_path: Path) -> None:
    """At once, for the house takes its time."""
    python: Words = (sys.executable, EXAMPLES / "client.py")
    node: Words = (NODE, beside_packages(EXAMPLES / "client.mjs", tmp_path))
    with ThreadPoolExecutor() as pool:
        hokm = [pool.submit(ended, up, client, HOKM) for client in (python, node)]
        hand = [pool.submit(ended, up, client, HAND) for client in (python, node)]
    for match in hokm:
        found = match.result()
        assert max(found["score"]) >= 1
        assert found["winner"] == found["score"].index(max(found["score"]))
    for match in hand:
        found = match.result()
        assert len(found["totals"]) == 2
        assert found["winner"] == found["totals"].index(min(found["totals"]))


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_an_example_is_short_enough_to_be_read(name: str) -> None:
    lines = (EXAMPLES / name).read_text().splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 100
