"""The scoring worker's composition root: `python -m services.scoring`."""

import os
from functools import partial
from typing import NoReturn

from services.event_log.port import LogError
from services.event_log.sql import open_reader
from services.messaging import streams
from services.messaging.discovery import of_process
from services.messaging.jetstream import connect
from services.messaging.port import BusError
from services.runtime.health import Health
from services.runtime.ops import answering, new_registry
from services.runtime.settings import scoring_settings
from services.runtime.shutdown import Line, asked_to_stop
from services.runtime.standing import standing
from services.runtime.tracing import tracer_of
from services.runtime.worker import Unreachable, end_honestly, run_worker
from services.scoring.database import StandingsError, faults, open_engine
from services.scoring.metrics import ScoringMetrics
from services.scoring.standings import Standings
from services.scoring.worker import Scoring


async def work() -> None:
    """Score rounds and keep standings until asked to stop."""
    settings, stop = scoring_settings(os.environ), asked_to_stop()
    tracer = tracer_of(os.environ, "scoring")
    line = Line(stop)
    login = settings.login
    try:
        log = open_reader(settings.log_url)
        standings = Standings(open_engine(settings.standings_url))
        with faults():
            standings.create()
        bus = await connect(
            login.url,
            user=login.user,
            password=login.password,
            name="scoring",
            on_closed=line.closed,
        )
    except (LogError, BusError, StandingsError) as error:
        raise Unreachable(str(error)) from error
    registry, health = new_registry(), Health(ready=settings.ready)
    health.needs("broker", lambda: bus.connected)
    stands = partial(
        standing,
        registry,
        health,
        done="rounds_scored_total",
        failed="rounds_failed_total",
        numbers=("standings_behind",),
    )
    metrics = ScoringMetrics(registry)
    scoring = Scoring(log=log, bus=bus, standings=standings, metrics=metrics, tracer=tracer)
    health.needs("standings", lambda: scoring.keeps)
    await bus.attend(
        of_process(
            "scoring",
            description="Scores rounds and keeps standings.",
            serves=streams.ended_rounds().filter,
            standing=stands,
        )
    )
    async with answering(settings.ops, registry, health):
        await scoring.run(stop, health.begin)
    await bus.close()
    log.close()
    if tracer is not None:
        await tracer.close()
    end_honestly(line)


def main() -> NoReturn:
    run_worker("scoring", work)


if __name__ == "__main__":
    main()
