"""The table worker's composition root: `python -m services.table`."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Sequence
from functools import partial
from typing import Final, NoReturn

from msgspec import Struct

from schemas import subjects
from schemas.standing import Standing
from services.event_log.port import EventLog, LogError
from services.event_log.sql import open_log
from services.messaging import streams
from services.messaging.discovery import of_process
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.jetstream_warden import connect_warden
from services.messaging.port import Bus, BusError, StreamSpec
from services.messaging.warden import NoWarden, Warden
from services.runtime.clock import SystemClock
from services.runtime.health import Health
from services.runtime.key_files import KeyUnusable
from services.runtime.ops import Registry, answering, new_registry
from services.runtime.settings import SettingMissing, TableSettings, table_settings
from services.runtime.shutdown import Line, asked_to_drain, asked_to_stop
from services.runtime.signing_keys import read_keys
from services.runtime.standing import standing
from services.runtime.tasks import end
from services.runtime.tracing import Tracer, tracer_of
from services.runtime.worker import Unreachable, end_honestly, run_worker
from services.table.desk import Desk
from services.table.metrics import Held, TableMetrics
from services.table.owner import Owner
from services.table.secrets import read_key
from services.table.shared import shared
from services.table.waits import PACE
from services.table.worker import owners_of, serve

ENSURE_TRIES: Final = 40
ENSURE_AGAIN: Final = 0.25
"""Seconds between two tries: a broker that has just started may not be ready to make streams."""

LOOK_EVERY: Final = 15.0
"""Seconds between two looks at how full the streams are."""
NUMBERS: Final = (
    "partitions",
    "matches_open",
    "commands_waiting",
    "events_unconfirmed",
    "events_stalled_seconds",
    "draining",
)
"""What it tells operators of what is before it."""

_log = logging.getLogger(__name__)


class Parts(Struct, frozen=True, kw_only=True):
    """What a table worker is made of; `broker` is the connection that `bus` speaks on, for what
    operators are told.
    """

    desk: Desk
    log: EventLog
    partitions: int
    bus: Bus
    broker: JetStreamBus
    warden: Warden
    tracer: Tracer | None = None


async def work() -> None:
    """Serve this worker's share of the log's partitions, until asked to stop."""
    settings, stop = table_settings(os.environ), asked_to_stop()
    tracer = tracer_of(os.environ, "table")
    draining, line = asked_to_drain(already=settings.draining), Line(stop)
    await own(await parts(settings, line, tracer), settings, stop, draining)
    end_honestly(line)


async def parts(settings: TableSettings, line: Line, tracer: Tracer | None = None) -> Parts:
    """The adapters that the settings name, connected; raises `Unreachable`."""
    desk, login = _desk(settings), settings.login
    try:
        # One handle for all owners: SQLite then has one connection that writes and checkpoints.
        log = open_log(settings.log_url)
        info = log.info()
        bus = await connect(
            login.url, user=login.user, password=login.password, name="table", on_closed=line.closed
        )
        warden = await _warden(settings)
    except (LogError, BusError) as error:
        raise Unreachable(str(error)) from error
    return Parts(
        desk=desk,
        log=log,
        partitions=info.partitions,
        bus=bus,
        broker=bus,
        warden=warden,
        tracer=tracer,
    )


async def own(
    parts: Parts, settings: TableSettings, stop: asyncio.Event, draining: asyncio.Event
) -> None:
    """Serve with these parts until `stop`, or until drained, then close them."""
    log, bus = parts.log, parts.bus
    await _prepare(bus, streams.all_streams(parts.partitions, replicas=settings.replicas))
    name = f"{socket.gethostname()}:{os.getpid()}"
    registry, health = new_registry(), Health(ready=settings.ready)
    metrics = TableMetrics(registry)
    worker = shared(
        log=log,
        bus=bus,
        desk=parts.desk,
        name=name,
        partitions=parts.partitions,
        draining=draining,
        metrics=metrics,
        tracer=parts.tracer,
    )
    owners = owners_of(worker)
    held = partial(_held, owners)
    metrics.watch(held, partitions=parts.partitions)
    metrics.watch_draining(draining.is_set)
    health.needs("broker", lambda: bus.connected)
    health.needs("partitions", lambda: all(owner.settled for owner in owners))

    await parts.broker.attend(
        of_process(
            "table",
            description="Decides commands and writes the log.",
            serves=subjects.COMMANDS_IN,
            standing=partial(_standing, registry, health, owners),
        )
    )
    looking = asyncio.create_task(_look_at_streams(parts.broker, metrics))
    try:
        async with answering(settings.ops, registry, health):
            await serve(worker, owners, stop, health.begin, warden=parts.warden)
    finally:
        await end(looking)
    await parts.warden.close()
    await bus.close()
    log.close()
    if parts.tracer is not None:
        await parts.tracer.close()


def _held(owners: Sequence[Owner]) -> list[Held]:
    return [held for owner in owners if (held := owner.held) is not None]


async def _look_at_streams(broker: JetStreamBus, metrics: TableMetrics) -> None:
    """How full they are, now and then, until cancelled. A broker that does not say it, since its
    rights are of an older version or since it is away, leaves the numbers as they were.
    """
    while True:
        for spec in streams.all_streams(1):
            with contextlib.suppress(BusError):
                size = await broker.size(spec.name)
                full = streams.fill(spec, messages=size.messages, size=size.bytes)
                metrics.filled(
                    spec.name,
                    messages=size.messages,
                    size=size.bytes,
                    full=full,
                    away=size.away,
                )
        await asyncio.sleep(LOOK_EVERY)


def _standing(registry: Registry, health: Health, owners: Sequence[Owner]) -> Standing:
    return standing(
        registry,
        health,
        done="commands_total",
        failed="dead_letters_total",
        numbers=NUMBERS,
        owned=tuple(owner.partition for owner in owners if owner.held is not None),
    )


async def _warden(settings: TableSettings) -> Warden:
    """Without one matches are played all the same: who floods is denied, but stays connected."""
    login = settings.warden
    if login is None:
        return NoWarden()
    try:
        return await connect_warden(login.url, user=login.user, password=login.password)
    except BusError as error:
        _log.error("no warden: flooding players stay connected", extra={"reason": str(error)})
        return NoWarden()


def _desk(settings: TableSettings) -> Desk:
    try:
        key = read_key(settings.key_file)
        files = settings.ticket_keys
        tickets = None if files is None else read_keys(files, "ticket key")
    except KeyUnusable as error:
        raise SettingMissing(str(error)) from error
    pace = PACE if settings.pace is None else settings.pace
    return Desk(key, settings.policy, SystemClock(), pace=pace, tickets=tickets)


async def _prepare(bus: Bus, specs: Sequence[StreamSpec]) -> None:
    """The streams, now and after every reconnect: a broker may come back with an empty store."""

    async def ensure() -> None:
        for _ in range(ENSURE_TRIES):
            try:
                return await bus.ensure(specs)
            except BusError as error:
                _log.warning("the streams cannot be made", extra={"reason": str(error)})
                await asyncio.sleep(ENSURE_AGAIN)
        raise BusError("the broker makes no streams: is JetStream on?")

    bus.on_reconnect(ensure)
    try:
        await ensure()
    except BusError as error:
        raise Unreachable(str(error)) from error


def main() -> NoReturn:
    run_worker("table", work)


if __name__ == "__main__":
    main()
