"""How soon a standby answers after the owner is killed."""

import asyncio
import signal
from collections.abc import Iterator
from typing import Final

from schemas import subjects
from schemas.ids import MatchId
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Found, figure
from services.cli.bench.load import Loader, loading, open_all
from services.cli.bench.matches import Said, Script, script
from services.cli.bench.raw import owners
from services.cli.bench.service import Service, serving
from services.cli.supervisor import Child

WARM: Final = 2.5
"""Seconds that a second worker has to start, and to be handed its share or to wait for the lock."""
KILLS: Final = 5
TAKEOVER: Final = Budget("at most", 100.0)


def takeover(conditions: Conditions) -> Found:
    """Milliseconds from `kill -9` of the owner to the next command's event seen."""
    with conditions.fresh_log() as url, serving(conditions, url) as service:
        times = asyncio.run(kill_times(service, script(0), conditions.many(KILLS, 2)))
    return Found((figure("kill -9 to the next answer, standby waiting", "ms", times, TAKEOVER),))


async def kill_times(service: Service, played: Script, kills: int) -> list[float]:
    """Milliseconds, kill by kill; `played` is a match that is not open yet."""
    service.start_table()
    async with loading(service) as loader:
        await open_all(loader, [played])
        moves = iter(played.moves)
        await loader.in_turn([[next(moves)]])
        return [await _kill(service, loader, moves, played.match) for _ in range(kills)]


async def _kill(service: Service, loader: Loader, moves: Iterator[Said], match: MatchId) -> float:
    service.start_standby()
    await asyncio.sleep(WARM)
    owner = _owner_of(service, match)
    now = asyncio.get_running_loop().time()
    owner.process.send_signal(signal.SIGKILL)
    (seen,) = await loader.all_seen(await loader.say([next(moves)]))
    service.stop_table(owner, signal.SIGKILL)
    return 1_000 * (seen - now)


def _owner_of(service: Service, match: MatchId) -> Child:
    """The worker that serves this match: of an SQLite log the first, on PostgreSQL as it says."""
    url = service.place.log_url
    if url.startswith("sqlite"):
        return service.tables[0]
    found = owners(url)
    name = found[subjects.partition_of(match, len(found))]
    pid = int(name.rpartition(":")[2])
    return next(child for child in service.tables if child.process.pid == pid)
