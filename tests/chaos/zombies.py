"""Zombies: an owner is stopped until another one has its partitions, and then goes on.

Only the epoch keeps what it does then from being stored. The lock would keep the other one from
taking over, so it is taken away: on PostgreSQL the backend that holds it is terminated, while the
connection on which the zombie appends lives on; on SQLite, where it goes with the process only,
another worker is let past it once.
"""

import asyncio
import signal
from collections.abc import Mapping
from typing import Final

import psycopg

from services.event_log.postgres import LOCK_NAMESPACE
from tests.chaos.fail_points import DOOR
from tests.chaos.stage import Owned, Stage
from tests.chaos.workers import Worker, count_said

TRIES: Final = 6
"""How often an owner is stopped: one that is stopped within a transaction holds all others up."""
TAKEN_WITHIN: Final = 4.0
"""Seconds that others have to take over."""
BREATH: Final = 0.05
"""Seconds that an owner runs between two tries."""
APPENDED_WITHIN: Final = 5.0
"""Seconds that its successor has to append something."""
FENCED_WITHIN: Final = 15.0
"""Seconds that a zombie has to notice: an idle one looks every few seconds."""
FENCED: Final = "another owner has the partition"
"""What an owner says that finds itself fenced (services/table/owner.py)."""
UNREACHABLE: Final = "Unreachable: "
"""What the reason begins with for which an owner gives up a claim that it cannot use."""
LOOK_EVERY: Final = 0.05

_HOLDERS: Final = """
    select a.pid, a.client_port from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.classid::bigint = %s and a.datname = 'waraq'"""


async def make_zombie(stage: Stage) -> bool:
    """True if an owner was stopped, another one took over and appended, and it went on. It must
    give the partition up then: the stage counts those that never did.
    """
    worker = an_owner(stage)
    if worker is None:
        return False
    pid = worker.pid
    with stage.crew.sparing(worker):
        for _ in range(TRIES):
            before = _owned_by(stage, pid)
            worker.signal(signal.SIGSTOP)
            try:
                _take_lock_away(stage, worker)
                taken = await _taken_over(stage, pid, before)
                if taken:
                    await _appended_to(stage, taken)
            finally:
                gave_up = _gave_up(worker)
                worker.signal(signal.SIGCONT)
            if taken:
                stage.never_fenced += not await _gives_up(worker, more_than=gave_up)
                return True
            await asyncio.sleep(BREATH)
    return False


def _gave_up(worker: Worker) -> int:
    """How often it found itself fenced, or, stopped before it served, out of reach of a server."""
    return count_said([worker], FENCED) + count_said([worker], UNREACHABLE)


async def _gives_up(worker: Worker, *, more_than: int) -> bool:
    for _ in range(round(FENCED_WITHIN / LOOK_EVERY)):
        if _gave_up(worker) > more_than:
            return True
        await asyncio.sleep(LOOK_EVERY)
    return False


def an_owner(stage: Stage) -> Worker | None:
    """The worker that owns most partitions, of those that may be harmed."""
    at_hand = {worker.pid: worker for worker in stage.crew.at_hand("table")}
    owned = [one.pid for one in stage.owners().values() if one.pid in at_hand]
    return at_hand[max(set(owned), key=owned.count)] if owned else None


def _owned_by(stage: Stage, pid: int) -> Mapping[int, Owned]:
    return {number: one for number, one in stage.owners().items() if one.pid == pid}


def _take_lock_away(stage: Stage, worker: Worker) -> None:
    if stage.postgres is None:
        for other in stage.crew.at_hand("table"):
            (other.folder / DOOR).touch()
        return
    database = stage.links[worker.name].database
    assert database is not None, "on PostgreSQL each worker has a proxy"
    with psycopg.connect(stage.log_url, autocommit=True) as connection:
        for pid, port in connection.execute(_HOLDERS, [LOCK_NAMESPACE]).fetchall():
            if port in database.server_side_ports:
                connection.execute("select pg_terminate_backend(%s)", [pid])


async def _taken_over(stage: Stage, pid: int, before: Mapping[int, Owned]) -> Mapping[int, Owned]:
    """What others own now that `pid` had before."""
    for _ in range(round(TAKEN_WITHIN / LOOK_EVERY)):
        now = stage.owners()
        taken = {n: now[n] for n in before if n in now and now[n].pid != pid}
        if taken:
            return taken
        await asyncio.sleep(LOOK_EVERY)
    return {}


async def _appended_to(stage: Stage, taken: Mapping[int, Owned]) -> bool:
    for _ in range(round(APPENDED_WITHIN / LOOK_EVERY)):
        now = stage.owners()
        if any(n in now and now[n].position > one.position for n, one in taken.items()):
            return True
        await asyncio.sleep(LOOK_EVERY)
    return False
