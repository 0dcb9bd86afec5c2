"""The bot worker's composition root: `python -m services.bot`. Its settings hold no database."""

import os
from functools import partial
from typing import NoReturn

from schemas import subjects
from services.bot.metrics import BotMetrics
from services.bot.pool import THINKER, Pool
from services.bot.worker import run
from services.messaging.discovery import of_process
from services.messaging.jetstream import connect
from services.messaging.port import BusError
from services.runtime.health import Health
from services.runtime.ops import answering, new_registry
from services.runtime.settings import MOST_PROCESSES, bot_settings
from services.runtime.shutdown import Line, asked_to_stop
from services.runtime.standing import standing
from services.runtime.tracing import tracer_of
from services.runtime.worker import Unreachable, end_honestly, run_worker


async def work(thinker: tuple[str, ...] = THINKER) -> None:
    """Answer turns until asked to stop, with searches in processes of `thinker`; raises
    `Unreachable` if the connection ends before.
    """
    settings, stop = bot_settings(os.environ), asked_to_stop()
    tracer = tracer_of(os.environ, "bot")
    line = Line(stop)
    login = settings.login
    try:
        bus = await connect(
            login.url, user=login.user, password=login.password, name="bot", on_closed=line.closed
        )
    except BusError as error:
        raise Unreachable(str(error)) from error
    processes = settings.processes or min(os.cpu_count() or 1, MOST_PROCESSES)
    registry, health = new_registry(), Health(ready=settings.ready)
    metrics = BotMetrics(registry)
    pool = Pool(processes, program=thinker, on_end=metrics.died.inc)
    metrics.watch_pool(running=lambda: len(pool.running), waiting=lambda: pool.waiting)
    health.needs("broker", lambda: bus.connected)
    stands = partial(
        standing,
        registry,
        health,
        done="turns_answered_total",
        failed="turns_failed_total",
        numbers=("searches_waiting", "thinkers"),
    )
    await bus.attend(
        of_process(
            "bot",
            description="Answers turns from a seat's view.",
            serves=subjects.TURNS,
            standing=stands,
        )
    )
    try:
        async with answering(settings.ops, registry, health):
            await run(bus, stop, health.begin, think=pool.think, metrics=metrics, tracer=tracer)
    finally:
        await pool.close()
        if tracer is not None:
            await tracer.close()
    await bus.close()
    end_honestly(line)


def main() -> NoReturn:
    run_worker("bot", work)


if __name__ == "__main__":
    main()
