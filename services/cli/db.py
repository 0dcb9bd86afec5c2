"""`waraq db`: the log's database, made, brought up to date, checked, copied and put back."""

import click

from services.cli import say
from services.cli.backup import backup, restore
from services.cli.exits import DIFFERENCE, stop
from services.cli.place import Place, as_json, at_place, make_folder, stop_for
from services.event_log import upgrade as upgrades
from services.event_log.port import PARTITIONS_LIMIT, LogError


@click.group()
def db() -> None:
    """Look after the log's database."""


@db.command()
@at_place
@click.option("--partitions", type=click.IntRange(1, PARTITIONS_LIMIT))
@as_json
def upgrade(place: Place, partitions: int | None, *, as_json: bool) -> None:
    """Make the log, or bring it to the newest form."""
    if "WARAQ_LOG_URL" not in place.environ:
        make_folder(place.data)
    try:
        info = upgrades.upgrade(place.log_url, partitions=partitions)
    except LogError as error:
        stop_for(error)
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


@db.command()
@at_place
@as_json
def restored(place: Place, *, as_json: bool) -> None:
    """Say that the log was put back from a copy: raises its generation."""
    try:
        info = upgrades.restored(place.log_url)
    except LogError as error:
        stop_for(error)
    say.result(info, f"the log is generation {info.generation} now", as_json=as_json)


db.add_command(backup)
db.add_command(restore)
