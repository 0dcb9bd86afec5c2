"""Lists of tables from scoring's projection: one query a page, where the log would be read whole.

It may be a moment behind the log; by how much is said.
"""

from collections.abc import Callable
from contextlib import closing

from schemas.ids import MatchId, PlayerId, matches
from services.cli import say
from services.cli.exits import USAGE, stop
from services.cli.place import Place, reader
from services.cli.standings import counted, stopping
from services.scoring.database import Connection, disposing, open_existing
from services.scoring.standings import Standings
from services.scoring.tables import PAGE_TABLES, Table, open_tables, tables_of

Page = Callable[[Connection, MatchId | None], tuple[Table, ...]]


def list_open(place: Place, *, as_json: bool) -> None:
    """Tables that wait for anybody, the newest first."""
    some = _list(
        place, lambda connection, after: open_tables(connection, after=after), as_json=as_json
    )
    if not (some or as_json):
        say.prose("no table has a seat for anybody; those of invited friends are not listed")


def list_of(place: Place, player: str, *, as_json: bool) -> None:
    """A player's matches, the newest first."""
    if not matches(player, PlayerId):
        stop(USAGE, f"{player!a} is no player's id: they look like u_0123456789ab")
    some = _list(
        place,
        lambda connection, after: tables_of(connection, player, after=after),
        as_json=as_json,
    )
    if not (some or as_json):
        say.prose(f"{player} has opened no match and sat at none")


def _list(place: Place, page: Page, *, as_json: bool) -> bool:
    """False if there is nothing to list."""
    _say_how_late(place)
    with counted(place) as connection:
        after, more = None, True
        while more:
            found = page(connection, after)
            for table in found:
                say.result(table, _prose(table), as_json=as_json)
            more = len(found) == PAGE_TABLES
            after = found[-1].match if found else after
    return after is not None


def _say_how_late(place: Place) -> None:
    with (
        closing(reader(place)) as log,
        stopping(),
        disposing(open_existing(place.standings_url)) as engine,
    ):
        behind = Standings(engine).behind(log)
    if behind:
        say.prose(f"this list is behind the log, events: {behind}; the scoring worker keeps it")


def _prose(table: Table) -> str:
    score = ":".join(str(points) for points in table.score) or "0:0"
    sitting = "; ".join(
        f"{one.seat} {one.player or one.level or f'({one.filled_by})'}" for one in table.seats
    )
    return f"{table.match} {table.ruleset} {table.status} {score}, seats {sitting}"
