"""Hazards: what goes wrong around the workers. Each is over when its function returns, and tells
whether it really came about.
"""

import asyncio
import contextlib
import resource
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import nats
import nats.errors

from services.messaging import streams
from tests.broker import SPY, password
from tests.chaos.brokers import NODES, Cluster, Node
from tests.chaos.proxy import AtCommit, Proxy, Way
from tests.chaos.schedule import Hazard, Name
from tests.chaos.stage import Links, Stage
from tests.chaos.zombies import an_owner, make_zombie
from tests.waiting import until

COMMIT_WITHIN: Final = 10.0
"""Seconds in which a worker is expected to commit something."""
IN_FLIGHT: Final = 0.3
"""Seconds after which an append that had begun has ended."""
LOOK_AGAIN: Final = 0.1
TOLD_WITHIN: Final = 2.0
"""Seconds that a broker has to say who leads; another one is asked then."""
LEADER_WITHIN: Final = 30.0
"""Seconds that the cluster has to agree on a leader."""
NOTHING_MORE: Final = 0
"""The size in bytes beyond which a worker cannot write to any file."""

Do = Callable[[Stage, Hazard], Awaitable[bool]]


async def perform(stage: Stage, hazard: Hazard) -> bool:
    """Let it happen; True if it did."""
    return await HAZARDS[hazard.name](stage, hazard)


async def _zombie(stage: Stage, _: Hazard) -> bool:
    return await make_zombie(stage)


# Servers --------------------------------------------------------------------------------------


async def _broker_killed(stage: Stage, hazard: Hazard) -> bool:
    stage.brokers.kill()
    await asyncio.sleep(hazard.seconds)
    await stage.brokers.start()
    return True


async def _broker_wiped(stage: Stage, hazard: Hazard) -> bool:
    stage.brokers.kill()
    stage.brokers.wipe()
    await asyncio.sleep(hazard.seconds)
    await stage.brokers.start()
    return True


async def _database_restarted(stage: Stage, hazard: Hazard) -> bool:
    """PostgreSQL's immediate shutdown: nothing is finished, the log is recovered from its own."""
    assert stage.postgres is not None, "only PostgreSQL is a server"
    await asyncio.to_thread(stage.postgres.stop, signal.SIGQUIT)
    await asyncio.sleep(hazard.seconds)
    await asyncio.to_thread(stage.postgres.start)
    return True


async def _disk_full(stage: Stage, hazard: Hazard) -> bool:
    """No table worker can write to any file: RLIMIT_FSIZE, since nobody but root may fill a
    disk of his own. SQLite is told EFBIG in place of ENOSPC and gives the append up alike.

    What the workers say of it cannot be written either: that nothing is appended is the proof.
    """
    full = [(worker, worker.pid) for worker in stage.crew.at_hand("table")]
    for _, pid in full:
        _limit_files(pid, NOTHING_MORE)
    await asyncio.sleep(IN_FLIGHT)
    before = stage.owners()
    await asyncio.sleep(hazard.seconds)
    after = stage.owners()
    same = [pid for worker, pid in full if worker.lives and worker.pid == pid]
    for pid in same:
        _limit_files(pid, resource.RLIM_INFINITY)
    return bool(same) and before == after


def _limit_files(pid: int, size: int) -> None:
    """The soft limit only, so that it can be raised again."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


# Ways -----------------------------------------------------------------------------------------


def _commit_cut(when: AtCommit) -> Do:
    async def cut(stage: Stage, _: Hazard) -> bool:
        worker = an_owner(stage)
        proxy = stage.links[worker.name].database if worker is not None else None
        if proxy is None:
            return False
        before = proxy.commits_cut
        proxy.cut_at_commit(when)
        try:
            await until(lambda: proxy.commits_cut > before, "a COMMIT", within=COMMIT_WITHIN)
        except AssertionError:
            proxy.forget_commit()
            return False
        return True

    return cut


def _held(of: Callable[[Links], Proxy | None], *ways: Way) -> Do:
    async def hold(stage: Stage, hazard: Hazard) -> bool:
        proxies = [proxy for links in stage.links.values() if (proxy := of(links)) is not None]
        proxy = proxies[hazard.which % len(proxies)]
        proxy.hold(*ways)
        await asyncio.sleep(hazard.seconds)
        if hazard.cut:
            proxy.cut()
        proxy.release()
        return True

    return hold


def _to_broker(links: Links) -> Proxy | None:
    return links.broker


def _to_database(links: Links) -> Proxy | None:
    return links.database


# A cluster's leader ---------------------------------------------------------------------------


async def _leader_killed(stage: Stage, hazard: Hazard) -> bool:
    cluster, leader = await _leader(stage)
    if leader is None or leader.process is None:
        return False
    leader.process.kill()
    leader.process.wait()
    await asyncio.sleep(hazard.seconds)
    cluster.spawn(leader)
    await until(leader.ready, f"{leader.name} to take clients", within=LEADER_WITHIN)
    return True


async def _leader_frozen(stage: Stage, hazard: Hazard) -> bool:
    """Nothing comes from it or goes to it, and its connections stay: cut off both ways."""
    _, leader = await _leader(stage)
    if leader is None or leader.process is None:
        return False
    leader.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(hazard.seconds)
    leader.process.send_signal(signal.SIGCONT)
    return True


async def _leader(stage: Stage) -> tuple[Cluster, Node | None]:
    """The node that leads the stream of commands; None while the cluster does not say."""
    cluster = stage.brokers
    assert isinstance(cluster, Cluster), "one broker has no leader"
    end, name = time.monotonic() + LEADER_WITHIN, None
    while name is None and time.monotonic() < end:
        with contextlib.suppress(OSError, nats.errors.Error):  # an election is on
            name = await _leader_name(cluster)
        await asyncio.sleep(LOOK_AGAIN)
    return cluster, next((node for node in cluster.nodes if node.name == name), None)


async def _leader_name(cluster: Cluster) -> str | None:
    urls = [f"nats://127.0.0.1:{port}" for port in cluster.ports]
    client = await nats.connect(urls, user=SPY, password=password(SPY))
    try:
        found = await client.jetstream(timeout=TOLD_WITHIN).stream_info(streams.COMMANDS)
    finally:
        await client.close()
    assert found.config.num_replicas == NODES, "the streams have three copies"
    return found.cluster.leader if found.cluster else None


HAZARDS: Final[Mapping[Name, Do]] = {
    "zombie": _zombie,
    "broker_killed": _broker_killed,
    "broker_wiped": _broker_wiped,
    "broker_link_held_up": _held(_to_broker, "up"),
    "broker_link_held_down": _held(_to_broker, "down"),
    "broker_link_held_both_ways": _held(_to_broker, "up", "down"),
    "disk_full": _disk_full,
    "database_restarted": _database_restarted,
    "commit_cut_before": _commit_cut(AtCommit.BEFORE),
    "commit_cut_after": _commit_cut(AtCommit.AFTER),
    "database_link_held_up": _held(_to_database, "up"),
    "database_link_held_down": _held(_to_database, "down"),
    "database_link_held_both_ways": _held(_to_database, "up", "down"),
    "leader_killed": _leader_killed,
    "leader_frozen": _leader_frozen,
}
