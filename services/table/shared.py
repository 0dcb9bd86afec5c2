"""What the owners of one table worker have in common."""

import asyncio

from msgspec import Struct

from services.event_log.port import EventLog
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Bus
from services.runtime.tracing import Tracer
from services.table.asks import AskDoor
from services.table.commits import Commits
from services.table.desk import Desk
from services.table.floods import Floods
from services.table.metrics import TableMetrics
from services.table.roster import Roster


class Shared(Struct, frozen=True, kw_only=True):
    """What the owners of one worker share; `name` is what the log calls the worker. While it is
    `draining` no match is opened.
    """

    log: EventLog
    commits: Commits
    bus: Bus
    desk: Desk
    name: str
    roster: Roster
    asks: AskDoor
    floods: Floods
    draining: asyncio.Event
    metrics: TableMetrics
    tracer: Tracer | None


def shared(  # noqa: PLR0913 what it is made of
    *,
    log: EventLog,
    bus: Bus,
    desk: Desk,
    name: str,
    partitions: int,
    draining: asyncio.Event | None = None,
    metrics: TableMetrics | None = None,
    tracer: Tracer | None = None,
) -> Shared:
    """All of it; `partitions` is how many the log has."""
    metrics = metrics or TableMetrics()
    spared = frozenset((COMMAND_LINE_PLAYER,))
    floods = Floods(desk.clock, spared=spared, on_denied=metrics.denied.inc)
    return Shared(
        log=log,
        commits=Commits(),
        bus=bus,
        desk=desk,
        name=name,
        roster=Roster(partitions),
        asks=AskDoor(bus, partitions, floods),
        floods=floods,
        draining=draining or asyncio.Event(),
        metrics=metrics,
        tracer=tracer,
    )
