"""`waraq standings`: points and records, shown, and made anew from the log."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import click

from schemas.ids import PlayerId, matches
from services.cli import say
from services.cli.exits import FAILED, NOT_FOUND, UNREACHABLE, USAGE, stop
from services.cli.place import Place, as_json, at_place, denied, make_folder, reader, stop_for
from services.event_log.port import LogError
from services.runtime.private_files import private_files
from services.scoring.database import (
    Connection,
    StandingsDenied,
    StandingsError,
    StandingsMissing,
    StandingsUnreachable,
    disposing,
    faults,
    open_engine,
    open_existing,
    reading,
)
from services.scoring.records import TOP, PlayerStanding, Standing, standing_of, top_of
from services.scoring.standings import Standings
from services.scoring.terms import RULES, TERMS

_RULES: Final = "\n".join(f"  {word}: {rule}" for word, rule in RULES.items())


@click.group()
def standings() -> None:
    """XO points, and matches played, won and left."""


@standings.command()
@at_place
def prepare(place: Place) -> None:
    """Make the tables that are missing, as a scoring worker does when it begins.

    So that rights on them can be given before one runs (deploy/postgres/).
    """
    with stopping("scoring"):
        if "WARAQ_STANDINGS_URL" not in place.environ:
            make_folder(place.data)
        with private_files(), disposing(open_engine(place.standings_url)) as engine, faults():
            Standings(engine).create()
    say.prose("the standings' tables are there")


@standings.command()
@at_place
@as_json
def rebuild(place: Place, *, as_json: bool) -> None:
    """Drop all that was counted from the log, and count it again.

    Workers may go on meanwhile. Tickets are not in the log: they are kept. On PostgreSQL only
    scoring's role may do it, which the standings are of.
    """
    with closing(reader(place)) as log, stopping("scoring"):
        if "WARAQ_STANDINGS_URL" not in place.environ:
            make_folder(place.data)
        with private_files(), disposing(open_engine(place.standings_url)) as engine, faults():
            made = Standings(engine).rebuild(log)
    text = (
        f"counted anew; events: {made.events}, matches: {made.matches}, players: {made.players},"
        f" rounds with XO points: {made.points}, entries in records: {made.records}"
    )
    say.result(made, text, as_json=as_json)


@standings.command()
@click.argument("player", required=False)
@click.option("--most", type=click.IntRange(1, TOP), default=20, show_default=True)
@at_place
@as_json
def show(place: Place, player: str | None, most: int, *, as_json: bool) -> None:
    """The players with the most XO points, or all that is counted of PLAYER; and by which rules."""
    if player is not None and not matches(player, PlayerId):
        stop(USAGE, f"{player!a} is no player's id: they look like u_0123456789ab")
    with counted(place) as connection:
        if player is not None:
            found = standing_of(connection, player)
            say.result(found, _of_player(found), as_json=as_json)
        else:
            _say_best(top_of(connection, most), as_json=as_json)
    if not as_json:
        say.prose("\nThe rules:\n" + _RULES)


@standings.command()
@as_json
def rules(*, as_json: bool) -> None:
    """By which rules points and records are counted."""
    say.result(TERMS, _RULES, as_json=as_json)


@contextmanager
def counted(place: Place) -> Iterator[Connection]:
    """What was counted, to read; stops the command where nothing was."""
    with (
        stopping(),
        disposing(open_existing(place.standings_url)) as engine,
        reading(engine) as connection,
    ):
        yield connection


@contextmanager
def stopping(role: str | None = None) -> Iterator[None]:
    """A fault of the standings' database, or of the log, ends the command; `role`: who may do what
    is done there.
    """
    try:
        yield
    except StandingsMissing as error:
        stop(NOT_FOUND, f"{error}: run `waraq standings rebuild`, or start the service")
    except StandingsUnreachable as error:
        stop(UNREACHABLE, f"the standings' database does not answer: {error}")
    except StandingsDenied as error:
        stop(FAILED, denied("standings", error, role))
    except StandingsError as error:
        stop(FAILED, str(error))
    except LogError as error:
        stop_for(error)


def _say_best(best: tuple[Standing, ...], *, as_json: bool) -> None:
    for one in best:
        say.result(one, _line(one), as_json=as_json)
    if not best and not as_json:
        say.prose("nobody has XO points yet")


def _line(one: Standing) -> str:
    return f"{one.player} {one.xo} XO points from {one.rounds} rounds"


def _of_player(found: PlayerStanding) -> str:
    lines = [f"{found.player} {found.xo} XO points from {found.rounds} rounds"]
    lines += [
        f"  {one.game}: {one.played} played, {one.won} won, {one.left} left"
        for one in found.records
    ]
    return "\n".join(lines if found.records else [*lines, "  no match has ended yet"])
