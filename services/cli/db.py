"""`waraq db`: the log's database, made, brought up to date, checked, copied and put back."""

import asyncio
from typing import Final

import click
from msgspec import Struct

from schemas.subjects import events_of
from services.cli import say
from services.cli.backup import backup, restore
from services.cli.exits import DIFFERENCE, Stop, stop
from services.cli.place import Place, as_json, at_place, login, make_folder, stop_for
from services.event_log import upgrade as upgrades
from services.event_log.port import PARTITIONS_LIMIT, LogError
from services.event_log.survey import survey
from services.messaging.jetstream import connect
from services.messaging.port import BusError
from services.messaging.streams import EVENTS
from services.table.outbox import position_of

ASK_WITHIN: Final = 3.0
"""Seconds that the broker has to take us, to say what it has that the log has not."""


@click.group()
def db() -> None:
    """Look after the log's database."""


@db.command()
@at_place
@click.option("--partitions", type=click.IntRange(1, PARTITIONS_LIMIT))
@as_json
def upgrade(place: Place, partitions: int | None, *, as_json: bool) -> None:
    """Make the log, or bring it to the newest form; on PostgreSQL as the migrator."""
    if "WARAQ_LOG_URL" not in place.environ:
        make_folder(place.data)
    try:
        info = upgrades.upgrade(place.log_url, partitions=partitions)
    except LogError as error:
        stop_for(error, "migrator")
    text = f"the log has format {info.format}, {info.partitions} partitions"
    say.result(info, text, as_json=as_json)


@db.command()
@at_place
@as_json
def check(place: Place, *, as_json: bool) -> None:
    """Is the log in the newest form, and guarded against changes?"""
    try:
        found = upgrades.check(place.log_url)
    except LogError as error:
        stop_for(error)
    say.result(found, "\n".join(found.problems) or "the log is as it should be", as_json=as_json)
    if found.problems:
        stop(DIFFERENCE, "an old form is mended by `waraq db upgrade`; anything else by a copy")


class Restored(Struct, frozen=True, kw_only=True):
    """The log as it is now. `lost`: events that the broker still has, and the log has not any more,
    the least that was lost; None where no broker could be asked.
    """

    format: int
    generation: int
    partitions: int
    lost: int | None


@db.command()
@at_place
@as_json
def restored(place: Place, *, as_json: bool) -> None:
    """Say that the log was put back from a copy: raises its generation.

    Call it before any table worker is started, once for each time that it was put back; on
    PostgreSQL as the migrator.
    """
    try:
        info = upgrades.restored(place.log_url)
        positions = [one.position for one in survey(place.log_url).partitions]
    except LogError as error:
        stop_for(error, "migrator")
    lost = asyncio.run(_lost(place, positions))
    result = Restored(
        format=info.format, generation=info.generation, partitions=info.partitions, lost=lost
    )
    text = f"the log is generation {info.generation} now"
    if lost is None:
        text += "; no broker could be asked what came after the copy"
    else:
        text += f"; the broker has {lost} events that came after the copy: at least they are lost"
    say.result(result, text, as_json=as_json)


async def _lost(place: Place, positions: list[int]) -> int | None:
    """How far EVENTS is ahead of the log, in events; None if it cannot be asked."""
    try:
        entry = login(place, "cli")
        bus = await connect(
            entry.url, user=entry.user, password=entry.password, name="restored", within=ASK_WITHIN
        )
    except (Stop, BusError):
        return None
    try:
        latest = [await bus.last(EVENTS, events_of(number)) for number in range(len(positions))]
    except BusError:
        return None
    finally:
        await bus.close()
    told = [position_of(one) if one else 0 for one in latest]
    return sum(max(0, there - here) for there, here in zip(told, positions, strict=True))


db.add_command(backup)
db.add_command(restore)
