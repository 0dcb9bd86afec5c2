"""A table worker that stands still is found out by the others, without anybody's help."""

import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.chaos.brokers import OneBroker
from tests.chaos.stage import Stage
from tests.waiting import until

pytestmark = pytest.mark.slow

WITHIN = 60.0
"""Seconds that a test waits at most; nothing is measured by it."""


async def test_what_a_stopped_worker_served_is_taken_over_and_it_comes_back(
    tmp_path: Path,
) -> None:
    async with Stage(tmp_path, "postgresql", OneBroker, proxied=False) as stage:

        def shares() -> Counter[int]:
            """How many partitions each process serves."""
            return Counter(one.pid for one in stage.owners().values() if one.pid)

        def are_even() -> bool:
            return sorted(shares().values()) == [5, 5, 6]

        await until(are_even, "three workers to share 16 partitions", within=WITHIN)
        stopped = stage.crew.at_hand("table")[0]
        with stage.crew.sparing(stopped):
            stopped.signal(signal.SIGSTOP)
            await until(
                lambda: sorted(shares().values()) == [8, 8] and stopped.pid not in shares(),
                "the other two to have taken everything",
                within=WITHIN,
            )
            stopped.signal(signal.SIGCONT)
            await until(are_even, "the third to be handed its share again", within=WITHIN)
            assert stopped.pid in shares()
