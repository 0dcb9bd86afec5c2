"""`kill -9` of workers at random: a short run of tests/service/kill_run.py on each database."""

from pathlib import Path

import pytest

from tests.service.kill_run import run, whole

pytestmark = pytest.mark.slow


def test_matches_survive_kills_on_sqlite(tmp_path: Path) -> None:
    found = run(tmp_path / "data", matches=16, kills=12, seed=7, more={})
    assert found["kills"] >= 8, found
    assert whole(found), found


def test_matches_survive_kills_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    found = run(
        tmp_path / "data", matches=16, kills=12, seed=8, more={"WARAQ_LOG_URL": postgres_url}
    )
    assert found["kills"] >= 8, found
    assert whole(found), found
