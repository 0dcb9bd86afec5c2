"""The workers, as each says itself: ready, and heard by the broker in all that it says."""

import asyncio
from collections.abc import Iterator
from typing import Final

from services.cli.doctor.finding import Finding, measured, see
from services.cli.doctor.of_broker import CONNECT_WITHIN
from services.cli.exits import Stop
from services.cli.place import Place, login
from services.messaging.discovery import Seen
from services.messaging.jetstream_discovery import gather
from services.messaging.port import BusError
from services.runtime.settings import Login

STALLED: Final = (10.0, 30.0)
"""Seconds for which the broker has confirmed no event though some wait: a warning, bad."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing; of a broker that cannot be reached `of_broker` tells."""
    try:
        found = asyncio.run(workers_by(login(place, "cli")))
    except (Stop, BusError):
        return
    for one in found:
        yield _ready(one)
    if stalled := [stalled_of(one) for one in found if one.worker == "table"]:
        what = f"the broker has confirmed none of what waits for {max(stalled)} s"
        yield measured("events", max(stalled), STALLED, what, see("outbox-stuck"))


async def workers_by(entry: Login) -> tuple[Seen, ...]:
    """Raises as `gather`."""
    return await gather(entry.url, user=entry.user, password=entry.password, within=CONNECT_WITHIN)


def stalled_of(table: Seen) -> int:
    """Seconds for which a table worker's events have waited and none was confirmed."""
    return table.standing.numbers.get("events_stalled_seconds", 0)


def _ready(one: Seen) -> Finding:
    check = f"{one.worker} worker {one.at}"
    if one.standing.ready:
        return Finding(check=check, level="ok", what=f"ready, {one.standing.done} done")
    what = f"misses {', '.join(one.standing.missing)}"
    return Finding(check=check, level="bad", what=what, next=see("worker-not-ready"))
