"""`kill -9` of workers, at named points of a command's path or anywhere."""

import asyncio
from collections import Counter
from random import Random
from typing import Final

from tests.chaos.fail_points import Order, Point, arm, disarm, fired
from tests.chaos.schedule import Kill
from tests.chaos.stage import Stage
from tests.chaos.workers import Worker

REACHED_WITHIN: Final = 8.0
"""Seconds in which a fail point is expected to be passed often enough."""
LOOK_EVERY: Final = 0.02
ANYWHERE: Final = "anywhere"


class Killer:
    """Carries out kills one by one; `at` counts the table's by where they were."""

    def __init__(self, stage: Stage, random: Random) -> None:
        self._stage = stage
        self._random = random
        self._orders = 0
        self.at: Counter[str] = Counter()
        self.not_reached = 0

    async def kill(self, kill: Kill) -> bool:
        """True if somebody died of it."""
        workers = self._stage.crew.at_hand(kill.kind)
        if kill.point is not None:
            owners = {one.pid for one in self._stage.owners().values()}
            workers = [worker for worker in workers if worker.pid in owners]
        if not workers:
            return False
        worker = self._random.choice(workers)
        if kill.point is not None:
            return await self._at_point(worker, kill.point, kill.passes)
        self._stage.crew.kill(worker)
        if kill.kind == "table":
            self.at[ANYWHERE] += 1
        return True

    async def _at_point(self, worker: Worker, point: Point, passes: int) -> bool:
        self._orders += 1
        arm(worker.folder, Order(point, passes, self._orders))
        for _ in range(round(REACHED_WITHIN / LOOK_EVERY)):
            if fired(worker.folder):
                self.at[point] += 1
                self._stage.crew.killed[worker.kind] += 1
                return True
            await asyncio.sleep(LOOK_EVERY)
        disarm(worker.folder)
        self.not_reached += 1
        return False
