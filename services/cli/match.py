"""`waraq match`: matches listed, shown, and replayed at any version."""

import click
import msgspec

from services.cli import say
from services.cli.exits import NOT_FOUND, USAGE, stop
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.event_log.port import LogError, Reader, Row
from services.replay import rebuild
from services.replay.rebuild import JUDGE, PUBLIC, Summary


@click.group()
def match() -> None:
    """Look at matches in the log."""


@match.command("list")
@at_place
@as_json
def list_matches(place: Place, *, as_json: bool) -> None:
    """A line for each match, in the order of their ids, which is that of their opening."""
    log = reader(place)
    after = ""
    try:
        while streams := log.streams(after=after):
            for stream in streams:
                found = rebuild.summary(log.load(stream))
                say.result(found, _prose(found), as_json=as_json)
            after = streams[-1]
    except LogError as error:
        stop_for(error)


@match.command()
@click.argument("match_id", metavar="ID")
@at_place
@as_json
def show(place: Place, match_id: str, *, as_json: bool) -> None:
    """What is known to everybody of one match."""
    found = rebuild.summary(_rows(reader(place), match_id))
    say.result(found, _prose(found) + "\n" + _chairs(found), as_json=as_json)


@match.command()
@click.argument("match_id", metavar="ID")
@at_place
@click.option("--to", "version", type=int, help="The version to rebuild; the last if not given.")
@click.option("--as", "viewer", help="judge, public or seat:N.", metavar="VIEWER")
@click.option("--live", is_flag=True, help="Look into the hands of a running match.")
@as_json
def replay(
    place: Place,
    match_id: str,
    version: int | None,
    viewer: str | None,
    *,
    live: bool,
    as_json: bool,
) -> None:
    """Rebuild a match at any of its versions, as a viewer saw it."""
    rows = _rows(reader(place), match_id)
    over = rebuild.is_over(rows)
    viewer = viewer or (JUDGE if over else PUBLIC)
    if viewer != PUBLIC and not over and not live:
        stop(USAGE, f"{match_id} is being played: to look into its hands say --live")
    try:
        moment = rebuild.at(rows, version)
        state = rebuild.seen_by(viewer, moment.state)
    except IndexError as error:
        stop(NOT_FOUND, f"{match_id}: {error}")
    except rebuild.ViewerUnknown as error:
        stop(USAGE, str(error))
    found = {
        "match": moment.match,
        "version": moment.version,
        "head": moment.head,
        "state": state,
    }
    say.result(found, _pretty(found), as_json=as_json)


def _rows(log: Reader, match_id: str) -> tuple[Row, ...]:
    try:
        rows = log.load(match_id)
    except LogError as error:
        stop_for(error)
    if not rows:
        stop(NOT_FOUND, f"the log has no match {match_id}: see `waraq match list`")
    return rows


def _prose(found: Summary) -> str:
    score = ":".join(str(points) for points in found.score) or "0:0"
    won = f", won by {found.winner}" if found.winner is not None else ""
    return (
        f"{found.match} {found.ruleset} {found.status} {score}"
        f" after {found.rounds} rounds, {found.events} events{won}"
    )


def _chairs(found: Summary) -> str:
    return "\n".join(
        f"  seat {one.seat}: {one.player or '-'}" + (f", house ({one.level})" if one.level else "")
        for one in found.sitting
    )


def _pretty(found: object) -> str:
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
