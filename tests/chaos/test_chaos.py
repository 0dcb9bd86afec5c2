"""Short runs of tests/chaos/run.py: a few of every fault, on both databases.

`make chaos` is the long run.
"""

from pathlib import Path

import pytest

from tests.chaos.run import broken, run
from tests.chaos.schedule import Wanted
from tests.chaos.stage import Database

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_nothing_is_lost_or_doubled_on_a_bad_day(database: Database, tmp_path: Path) -> None:
    wanted = Wanted(database=database, kills=4, zombies=1, seed=2, at_once=5, longest=1.0)
    found = await run(wanted, tmp_path)
    assert not broken(found, wanted), found
    assert found["accepted"] > 0, found
    assert found["epochs"] > found["zombies"], found
