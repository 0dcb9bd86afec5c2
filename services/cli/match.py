"""`waraq match`: matches listed, shown, and replayed at any version."""

import click
import msgspec

from schemas.ids import MatchId, matches
from services.cli import say
from services.cli.exits import DIFFERENCE, NOT_FOUND, USAGE, stop
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.event_log.port import LogError, Reader, Row
from services.replay import rebuild
from services.replay.rebuild import JUDGE, PUBLIC, Summary
from services.runtime.faults import place_of


@click.group()
def match() -> None:
    """Look at matches in the log."""


@match.command("list")
@at_place
@as_json
def list_matches(place: Place, *, as_json: bool) -> None:
    """A line for each match, in the order of their ids, which is that of their opening."""
    log = reader(place)
    after, bad = "", 0
    try:
        while streams := log.streams(after=after):
            bad += sum(not _list_one(log, stream, as_json=as_json) for stream in streams)
            after = streams[-1]
    except LogError as error:
        stop_for(error)
    if bad:
        stop(DIFFERENCE, f"{bad} matches cannot be read: see `waraq audit --all`")


def _list_one(log: Reader, stream: str, *, as_json: bool) -> bool:
    """Print one match; false if its stream is damaged."""
    rows = log.load(stream)
    try:
        found = rebuild.summary(rows)
    except Exception as error:  # noqa: BLE001 a damaged stream hides no other
        say.prose(f"{stream} cannot be read ({place_of(error)})")
        return False
    say.result(found, _prose(found), as_json=as_json)
    return True


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
    if viewer is None:
        viewer = JUDGE if over else PUBLIC
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
    if not matches(match_id, MatchId):
        stop(NOT_FOUND, f"{match_id!a} is no match's id: see `waraq match list`")
    try:
        rows = log.load(match_id)
    except LogError as error:
        stop_for(error)
    if not rows:
        stop(NOT_FOUND, f"the log has no match {match_id}: see `waraq match list`")
    return rows


def _prose(found: Summary) -> str:
    score = ":".join(str(points) for points in found.score) or "0:0"
    won = ""
    if found.winner is not None:
        won = f", won by {say.unit(found.score, len(found.sitting))} {found.winner}"
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
