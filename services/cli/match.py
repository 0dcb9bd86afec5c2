"""`waraq match`: matches listed, shown, replayed at any version, abandoned."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from typing import Final

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

RUNNING: Final = frozenset({"lobby", "playing"})
OVER: Final = frozenset({"ended", "abandoned"})
ANY: Final = RUNNING | OVER
STATUSES: Final[Mapping[str, frozenset[str]]] = {"running": RUNNING, "over": OVER} | {
    one: frozenset({one}) for one in ("lobby", "playing", "ended", "abandoned")
}
"""What `--status` may ask for, with the statuses of each; `running` and `over` as docs/web.md."""


@click.group()
def match() -> None:
    """Look at matches in the log; abandon one that cannot go on."""


@match.command("list")
@click.option("--open", "only_open", is_flag=True, help="Tables with a seat for anybody.")
@click.option("--player", metavar="PLAYER", help="Matches of one player, running and over.")
@click.option(
    "--status",
    type=click.Choice(tuple(STATUSES)),
    help="Only those that are so; running: lobby or playing, over: ended or abandoned.",
)
@at_place
@as_json
def list_matches(
    place: Place, player: str | None, status: str | None, *, only_open: bool, as_json: bool
) -> None:
    """A line for each match, in the order of their ids, which is that of their opening.

    `latest` is when something last happened in it, in Unix ms. With --open or --player the newest
    is first, as docs/standings.md says.
    """
    if (only_open, player is not None, status is not None).count(True) > 1:
        stop(USAGE, "--open, --player and --status are three lists: name one of them")
    if only_open:
        tables.list_open(place, as_json=as_json)
    elif player is not None:
        tables.list_of(place, player, as_json=as_json)
    else:
        _list_all(place, STATUSES.get(status or "", ANY), as_json=as_json)


def _list_all(place: Place, among: frozenset[str], *, as_json: bool) -> None:
    """Of a damaged stream it is not known how its match stands, so it is said in every list."""
    listed = bad = 0
    with closing(reader(place)) as log:
        try:
            for stream in _streams(log, among):
                found = _summary(log, stream)
                if found is None:
                    bad += 1
                elif found.status in among:
                    listed += 1
                    say.result(found, _prose(found), as_json=as_json)
        except LogError as error:
            stop_for(error)
    if not (listed or bad or as_json):
        if among != ANY:
            say.prose(f"no match is {' or '.join(sorted(among))}")
            return
        say.prose("no match yet: `waraq play` lets bots play one, `waraq join --open` seats you")
    if bad:
        stop(DIFFERENCE, f"{bad} matches cannot be read: see `waraq audit --all`")


def _streams(log: Reader, among: frozenset[str]) -> Iterable[str]:
    """All that may be `among` those: matches that are not over have a list of their own, so that
    not the whole log is read for them.
    """
    if not among <= RUNNING:
        return all_streams(log)
    partitions = range(log.info().partitions)
    return sorted(match for each in partitions for match in log.open_streams(each))


def _summary(log: Reader, stream: str) -> Summary | None:
    """None for a stream that is damaged, which is said."""
    rows = log.load(stream)
    try:
        return rebuild.summary(rows)
    except Exception as error:  # noqa: BLE001 a damaged stream hides no other
        say.prose(f"{stream} cannot be read ({place_of(error)})")
        return None


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
    latest = datetime.fromtimestamp(found.latest / 1_000, UTC).isoformat(timespec="seconds")
    won = ""
    if found.winner is not None:
        won = f", won by {say.unit(found.score, len(found.sitting))} {found.winner}"
    return (
        f"{found.match} {found.ruleset} {found.status} {score}"
        f" after {found.rounds} rounds, {found.events} events{won}, latest {latest}"
    )


def _chairs(found: Summary) -> str:
    return "\n".join(
        f"  seat {one.seat}: {one.player or '-'}" + (f", house ({one.level})" if one.level else "")
        for one in found.sitting
    )
