"""A worker alone serves all partitions of the largest log that can be made."""

from pathlib import Path

import pytest

from services.event_log.port import PARTITIONS_LIMIT
from services.event_log.sql import file_url
from services.event_log.upgrade import upgrade
from tests.service.up_process import running

pytestmark = pytest.mark.slow


def test_one_worker_serves_as_many_partitions_as_a_log_may_have(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    upgrade(file_url(data / "log.db"), partitions=PARTITIONS_LIMIT)
    with running(data) as up:
        played = up.waraq("play", "--game", "hokm", "--bots", "white")
        assert played.code == 0, played.err
        said = up.waraq("status", "--json")
    assert said.code == 0, said.err
    table = next(one for one in said.lines if one.get("worker") == "table")
    assert sorted(table["owned"]) == list(range(PARTITIONS_LIMIT))
