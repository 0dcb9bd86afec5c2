"""`waraq match`: matches listed, shown, replayed at any version, abandoned."""

from contextlib import closing
from functools import partial

import click

from services.cli import complete, say, tables
from services.cli.abandon import abandon
from services.cli.exits import DIFFERENCE, USAGE, stop
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.cli.replay import replay
from services.cli.streams import all_streams, read, rows_of
from services.event_log.port import LogError, Reader
from services.replay import rebuild
from services.replay.rebuild import Summary
from services.runtime.faults import place_of


@click.group()
def match() -> None:
    """Look at matches in the log; abandon one that cannot go on."""


@match.command("list")
@click.option("--open", "only_open", is_flag=True, help="Tables with a seat for anybody.")
@click.option("--player", metavar="PLAYER", help="Matches of one player, running and over.")
@at_place
@as_json
def list_matches(place: Place, player: str | None, *, only_open: bool, as_json: bool) -> None:
    """A line for each match, in the order of their ids, which is that of their opening.

    With --open or --player the newest is first, as docs/standings.md says.
    """
    if only_open and player is not None:
        stop(USAGE, "--open lists tables of anybody, --player those of one: name one of them")
    if only_open:
        tables.list_open(place, as_json=as_json)
    elif player is not None:
        tables.list_of(place, player, as_json=as_json)
    else:
        _list_all(place, as_json=as_json)


def _list_all(place: Place, *, as_json: bool) -> None:
    seen = bad = 0
    with closing(reader(place)) as log:
        try:
            for stream in all_streams(log):
                seen += 1
                bad += not _list_one(log, stream, as_json=as_json)
        except LogError as error:
            stop_for(error)
    if not (seen or as_json):
        say.prose("no match yet: `waraq play` lets bots play one, `waraq join --open` seats you")
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
@click.argument("match_id", metavar="ID", shell_complete=complete.match_ids)
@at_place
@as_json
def show(place: Place, match_id: str, *, as_json: bool) -> None:
    """What is known to everybody of one match."""
    found = read(match_id, partial(rebuild.summary, rows_of(place, match_id)))
    say.result(found, _prose(found) + "\n" + _chairs(found), as_json=as_json)


match.add_command(replay)
match.add_command(abandon)


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
