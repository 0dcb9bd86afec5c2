"""One seed from its first to its last moment: bad days, quiet, the end, the checks."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct

from services.replay.rebuild import is_over
from services.scoring.standings import Standings
from services.table.live import rebuild
from tests.simulation.chaos import Chaos
from tests.simulation.checks import check
from tests.simulation.loop import Stuck, VirtualLoop
from tests.simulation.plan import plan_of
from tests.simulation.plants import HONEST, Plant
from tests.simulation.process import count_tasks
from tests.simulation.witness import Broken
from tests.simulation.world import World, thread_delay

QUIET: Final = 600.0
"""Virtual seconds that the matches have to end once all is quiet."""
SETTLE: Final = 120.0
"""Virtual seconds until streams and standings have all of the log."""
STOP: Final = 60.0
LOOK: Final = 0.25


class Outcome(Struct, frozen=True):
    """What a seed came to: `trace` is the same whenever the seed is run."""

    seed: int
    broken: tuple[Broken, ...]
    trace: str
    seconds: float
    counts: dict[str, int]


class NotSoon(Exception):
    """What was waited for did not come; the message says what it was."""


def simulate(seed: int, plant: Plant = HONEST) -> Outcome:
    """Run one seed; the same seed is the same run."""
    loop = VirtualLoop(thread_delay(seed))
    loop.set_task_factory(count_tasks)  # type: ignore[arg-type]  # takes the context by name
    asyncio.set_event_loop(loop)
    world = World(plan_of(seed), loop, plant)
    faults = _Faults(world)
    root = logging.getLogger()
    root.addHandler(faults)
    loop.set_exception_handler(faults.handle_loop)
    try:
        loop.run_until_complete(_whole(world))
    except Stuck as error:
        world.witness.breaks("stuck", str(error))
    finally:
        root.removeHandler(faults)
        world.database.close()
        asyncio.set_event_loop(None)
        loop.close()
    return _outcome(world)


def _outcome(world: World) -> Outcome:
    witness = world.witness
    return Outcome(
        seed=world.plan.seed,
        broken=tuple(witness.broken),
        trace=witness.trace,
        seconds=world.loop.time(),
        counts=dict(sorted(witness.counts.items())),
    )


class _Faults(logging.Handler):
    """A fault that production code caught and logged is one that a run must not have."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and not self._world.ending:
            error = record.exc_info[1]
            self._world.witness.breaks("logged_fault", f"{record.getMessage()}: {error!r}")

    def handle_loop(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not self._world.ending:
            self._world.witness.breaks("loop_fault", f"{context}")


async def _whole(world: World) -> None:
    try:
        await _run(world)
        for broken in check(world):
            world.witness.broken.append(broken)
    except NotSoon as late:
        if not world.witness.broken:
            world.witness.breaks("in_time", str(late))
    finally:
        world.ending = True
        await _end(world)


async def _run(world: World) -> None:
    world.begin()
    chaos = Chaos(world)
    await chaos.run()
    await chaos.heal()
    await _until(world, QUIET, lambda: not _unended(world), lambda: str(_unended(world)))
    await _until(world, SETTLE, lambda: not _unsettled(world), lambda: str(_unsettled(world)))
    _compare_live(world)
    await _stop(world)


async def _until(
    world: World, within: float, done: Callable[[], bool], reason: Callable[[], str]
) -> None:
    end = world.loop.time() + within
    while not done():
        if world.witness.broken or world.loop.time() > end:
            raise NotSoon(f"after {within:.0f} s: {reason()}")
        await asyncio.sleep(LOOK)


def _unended(world: World) -> list[str]:
    """The matches that are not where they should be, and what each waits for."""
    left = []
    for plan in world.plan.matches:
        rows = world.log.load(plan.match)
        if not rows:
            left.append(f"{plan.match} is not open")
        elif plan.starts and not is_over(rows):
            left.append(f"{plan.match} stands at {len(rows)}: {rows[-1].entry.type}")
    return left


def _unsettled(world: World) -> list[str]:
    """What is not yet as it must be once all is quiet."""
    left = []
    for partition in range(world.plan.partitions):
        last = world.log.position(partition)
        if len(list(_believing(world, partition))) != 1:
            left.append(f"not one owner believes that it has partition {partition}")
        outboxes = [owner._tenure.outbox for owner in _serving(world, partition)]
        if not any(box.confirmed == last == box.appended for box in outboxes):
            left.append(f"partition {partition} is not confirmed up to {last}")
    behind = Standings(world.database.engine()).behind(world.log)
    if behind:
        left.append(f"standings have not taken in {behind} events")
    return left


def _believing(world: World, partition: int) -> Iterable[str]:
    """The workers that serve the partition, as they believe."""
    for name, owners in world.owners.items():
        if world.processes[name].alive and owners[partition]._tenure is not None:
            yield name


def _serving(world: World, partition: int) -> Iterable[Any]:
    """Owners that hold the partition's lock, too."""
    holder = world.store.holders.get(partition)
    for name in _believing(world, partition):
        if holder is world.processes[name].handle:
            yield world.owners[name][partition]


def _compare_live(world: World) -> None:
    """What an owner has in memory is what its log folds to."""
    for partition in range(world.plan.partitions):
        for owner in _serving(world, partition):
            for live in owner._tenure._shelf.live.values():
                fresh = rebuild(world.log.load(live.match))
                kept = None if fresh is None else type(live)(**_fields(fresh, live.refused))
                if kept != live:
                    world.witness.breaks("live_is_log", f"{owner._name} {live.match}")


def _fields(fresh: Any, refused: object) -> dict[str, Any]:
    fields = {name: getattr(fresh, name) for name in fresh.__struct_fields__}
    return fields | {"refused": refused}


async def _stop(world: World) -> None:
    """Every worker that is asked to stop does so."""
    world.ending = True
    for process in world.processes.values():
        process.stop.set()
    await _until(world, STOP, lambda: not _running(world), lambda: f"{_running(world)} run on")


def _running(world: World) -> list[str]:
    workers = [one for one in world.processes.values() if one.role != "player"]
    return [
        one.name for one in workers if one.alive and one.main is not None and not one.main.done()
    ]


async def _end(world: World) -> None:
    for task in world.reconnecting:
        task.cancel()
    for process in world.processes.values():
        process.kill()
    for process in world.dead:
        await process.bury()
