"""`kill -9` of workers at random: short runs of tests/service/kill_run.py."""

from pathlib import Path

import pytest

from tests.service.kill_run import HAND, Run, run, whole

pytestmark = pytest.mark.slow


def test_matches_survive_kills_on_sqlite(tmp_path: Path) -> None:
    found = run(Run(tmp_path / "data", matches=16, kills=12, seed=7, more={}))
    assert found["kills"] > 0, found
    assert whole(found), found


def test_matches_survive_kills_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    more = {"WARAQ_LOG_URL": postgres_url}
    found = run(Run(tmp_path / "data", matches=16, kills=12, seed=8, more=more))
    assert found["kills"] > 0, found
    assert whole(found), found


def test_hand_survives_kills_too(tmp_path: Path) -> None:
    found = run(Run(tmp_path / "data", matches=8, kills=8, seed=9, more={}, game=HAND))
    assert found["kills"] > 0, found
    assert whole(found), found
