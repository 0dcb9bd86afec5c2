"""A page that was tampered with reads no other seat, speaks for none, and takes no program in."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.npm_packages import NODE, beside_packages
from tests.page.browsers import browser
from tests.service.up_process import Up, running

pytestmark = pytest.mark.slow

FORGER: Final = Path(__file__).parent / "forger.mjs"
WITHIN: Final = 150
"""Seconds that both pages have."""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    browser()
    with running(tmp_path_factory.mktemp("forged") / "data") as found:
        yield found


@pytest.fixture(scope="module")
def seen(up: Up, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    asked = {"url": f"{up.ready['web']}/", "browser": browser()}
    program = beside_packages(FORGER, tmp_path_factory.mktemp("forger"))
    done = subprocess.run(
        [NODE, program, json.dumps(asked)],
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_he_hears_nothing_but_his_own_feed(seen: dict[str, Any]) -> None:
    subjects = {one["subject"] for one in seen["told"]}
    assert subjects == {f"feed.{seen['forger']}.{seen['held']['match']}"}
    assert any("ermission" in why for why in seen["stopped"])


def test_what_he_is_told_of_the_match_is_what_everybody_may_see(seen: dict[str, Any]) -> None:
    said = {one["said"]["type"]: one["said"] for one in seen["told"]}
    view = said["snapshot"]["view"]
    assert (view["seat"], view["hand"], view["playable"]) == (None, [], [])
    assert len(seen["held"]["cards"]) > 10
    assert all(event["cards"] == [] for event in said["history"]["events"])
    codes = [one["said"]["code"] for one in seen["told"] if one["said"]["type"] == "refused"]
    assert set(codes) == {"not_seated"}


def test_the_seat_is_still_its_owners_to_play(seen: dict[str, Any]) -> None:
    assert seen["still"] == len(seen["held"]["cards"]) - 1


def test_the_policy_lets_no_program_in_and_nothing_out(seen: dict[str, Any]) -> None:
    tried = seen["tried"]
    assert tried.pop("ran") is False
    assert tried.pop("eval") in {"TypeError", "EvalError"}
    assert set(tried.values()) == {"TypeError"}
