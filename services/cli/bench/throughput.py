"""How many commands a second: one after the other of many players, and out of a backlog."""

import asyncio
from collections.abc import Sequence
from typing import Final

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Found, figure
from services.cli.bench.load import PLAYERS, Loader, in_rotation, live_lanes, loading, open_all
from services.cli.bench.matches import Said, Script, script
from services.cli.bench.service import Service, serving

RUNS: Final = 3
CLOSED: Final = Budget("at least", 1_500.0)
DRAIN: Final = Budget("at least", 4_000.0)


def closed_loop(conditions: Conditions) -> Found:
    """Commands a second of 80 players who each wait for their answer, a table for each."""
    with conditions.fresh_log() as url, serving(conditions, url) as service:
        service.start_table()
        rates = asyncio.run(closed_rates(service, conditions.many(4_000, 800)))
    return Found((figure(f"closed loop, {PLAYERS} players", "commands/s", rates, CLOSED),))


async def closed_rates(service: Service, commands: int) -> list[float]:
    """Commands a second, run by run, on tables that serve already."""
    scripts, lanes = [script(number) for number in range(PLAYERS)], live_lanes(PLAYERS)
    each = commands // PLAYERS
    said = [[[next(lane) for _ in range(each)] for lane in lanes] for _ in range(RUNS)]
    async with loading(service) as loader:
        await open_all(loader, scripts)
        return [PLAYERS * each / await loader.in_turn(run) for run in said]


def drain(conditions: Conditions) -> Found:
    """Commands a second out of a backlog that was said while no table ran."""
    many = conditions.many(150, 40)
    with conditions.fresh_log() as url, serving(conditions, url) as service:
        rates = [
            asyncio.run(_drain(service, [script(run * many + n) for n in range(many)]))
            for run in range(RUNS)
        ]
    return Found((figure("backlog drain", "commands/s", rates, DRAIN),))


async def _drain(service: Service, scripts: Sequence[Script]) -> float:
    """From the first event that is seen to the last one."""
    said = in_rotation([iter(script.moves) for script in scripts], _shortest(scripts))
    table = service.start_table()
    async with loading(service) as loader:
        await open_all(loader, scripts)
        service.stop_table(table)
        seen = await _queue_and_start(service, loader, said)
    service.stop_table(service.tables[0])
    return (len(seen) - 1) / (max(seen) - min(seen))


def _shortest(scripts: Sequence[Script]) -> int:
    """How many commands can be taken of all of them in rotation."""
    return len(scripts) * min(len(script.moves) for script in scripts)


async def _queue_and_start(service: Service, loader: Loader, said: list[Said]) -> list[float]:
    futures = await loader.say(said)
    await loader.settled()
    service.start_standby()
    return await loader.all_seen(futures)
