"""`waraq player`: what is kept of one player, shown to him or erased (docs/operations.md).

The log and what is counted from it know players by opaque ids only, so they stay as they are and
every proof holds; what makes an id a person's is erased.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import click
from msgspec import Struct

from schemas.ids import MatchId, PlayerId, matches
from services.cli import say
from services.cli.exits import FAILED, NOT_FOUND, UNREACHABLE, USAGE, Stop, stop
from services.cli.place import Place, as_json, at_place, denied
from services.cli.standings import counted, stopping
from services.scoring.database import Connection, disposing, open_existing, writing
from services.scoring.records import PlayerStanding, standing_of
from services.scoring.tables import PAGE_TABLES, tables_of
from services.scoring.tickets import KeptTicket, forget, kept_of
from services.web.profiles import Named, Profiles, ProfilesDenied, ProfilesError


class Counted(Struct, frozen=True, kw_only=True):
    """What scoring's database has of a player. `matches`: his newest, `PAGE_TABLES` at most."""

    tickets: tuple[KeptTicket, ...] = ()
    standing: PlayerStanding | None = None
    matches: tuple[MatchId, ...] = ()


class Kept(Struct, frozen=True, kw_only=True):
    """All that the service has of a player beside the log; `changed`: Unix ms, of his name.
    `unseen`: settings that name no database here, and so was not looked at what would be there.
    """

    player: PlayerId
    name: str | None
    changed: int | None
    tickets: tuple[KeptTicket, ...]
    standing: PlayerStanding | None
    matches: tuple[MatchId, ...]
    unseen: tuple[str, ...]


class Erased(Struct, frozen=True, kw_only=True):
    """What there was to erase: `name` is true for one, `tickets` is their number."""

    player: PlayerId
    name: bool
    tickets: int


@click.group()
def player() -> None:
    """What is kept of one player: shown, erased."""


def _checked(_context: click.Context, _argument: click.Parameter, value: str) -> str:
    if not matches(value, PlayerId):
        stop(USAGE, f"{value!a} is no player's id: they look like u_0123456789ab")
    return value


of_player = click.argument("player_id", metavar="ID", callback=_checked)


@player.command()
@of_player
@at_place
@as_json
def show(place: Place, player_id: PlayerId, *, as_json: bool) -> None:
    """All that is kept of a player beside the log: his name, his tickets, what is counted of him.

    His matches are in the log under his id alone; `waraq match list --player ID` lists all of
    them, `waraq export` gives each as a file.
    """
    unseen = _unnamed(place)
    if len(unseen) == len(SETTINGS):
        stop(USAGE, _names_none(unseen))
    name = None if NAMES in unseen else _name_of(place, player_id)
    scored = None if COUNTED in unseen else _counted_of(place, player_id)
    if name is None and scored is None:
        stop(NOT_FOUND, f"no service has run in {place.data}: name its folder with --data")
    found, told = name or _NAMELESS, scored or Counted()
    kept = Kept(
        player=player_id,
        name=found.name or None,
        changed=found.changed or None,
        tickets=told.tickets,
        standing=told.standing,
        matches=told.matches,
        unseen=unseen,
    )
    say.result(kept, _prose(kept), as_json=as_json)


@player.command()
@of_player
@click.option("--yes", is_flag=True, help="Do not ask.")
@at_place
@as_json
def erase(place: Place, player_id: PlayerId, *, yes: bool, as_json: bool) -> None:
    """Erase what makes this id a person's: the display name, and which tickets he asked for.

    The log keeps his opaque id, so that every match can be proven as before; lists show him
    without a name. A session that he holds is good until it ends. Said twice it erases nothing.
    On PostgreSQL it needs the web worker's role for both databases.
    """
    unnamed = _unnamed(place)
    if unnamed:
        stop(USAGE, _names_none(unnamed))
    if _name_of(place, player_id) is None and _counted_of(place, player_id) is None:
        stop(NOT_FOUND, f"no service has run in {place.data}: name its folder with --data")
    if not yes:
        click.confirm(f"Erase name and tickets of {player_id}, for good?", abort=True, err=True)
    erased = _erase(place, player_id)
    say.result(erased, _erased(erased), as_json=as_json)


def _erase(place: Place, player: PlayerId) -> Erased:
    """Name and tickets, or neither: what would be refused is refused before either is gone."""
    name = False
    try:
        with _tickets(place) as at, _profiles(place) as profiles:
            tickets = forget(at, player) if at is not None else 0
            name = profiles is not None and profiles.erase(player)
    except Stop as error:
        if name:
            stop(FAILED, f"the name is erased, the tickets are not: say it again ({error.message})")
        stop(error.exit_code, f"nothing is erased: {error.message}")
    return Erased(player=player, name=name, tickets=tickets)


# Which databases --------------------------------------------------------------------------------

NAMES: Final = "WARAQ_PROFILES_URL"
COUNTED: Final = "WARAQ_STANDINGS_URL"
SETTINGS: Final = (NAMES, COUNTED)
ERASE: Final = "docs/operations.md#erase-a-player"
_NAMELESS: Final = Named("", 0)


def _unnamed(place: Place) -> tuple[str, ...]:
    """Which of `SETTINGS` would have to name a database: nothing says where it is, and the folder's
    own is not there or is another service's. In a folder whose service is all its own, a file that
    is not there has nothing in it.
    """
    files = {NAMES: place.profiles, COUNTED: place.standings}
    left = {name: file for name, file in files.items() if not place.environ.get(name)}
    if place.elsewhere:
        return tuple(left)
    if len(left) == len(files) and not place.environ.get("WARAQ_LOG_URL"):
        return ()
    return tuple(name for name, file in left.items() if not file.is_file())


def _names_none(unnamed: tuple[str, ...]) -> str:
    return (
        f"{' and '.join(unnamed)} {'names' if len(unnamed) == 1 else 'name'} no database, and what"
        f" is kept of a player lies in two: {ERASE}"
    )


@contextmanager
def _profiles(place: Place) -> Iterator[Profiles | None]:
    """The names' database, None where the folder has none yet; a fault of it ends the command."""
    try:
        with closing(Profiles(place.profiles_url)) as profiles:
            there = profiles.may_be_there() and profiles.are_kept()
            if not there and place.environ.get(NAMES):
                stop(NOT_FOUND, f"{NAMES} names a database in which no names are kept")
            yield profiles if there else None
    except ProfilesDenied as error:
        stop(FAILED, denied("profiles", error, "web"))
    except ProfilesError as error:
        stop(UNREACHABLE, f"the names' database does not answer: {error}")


def _name_of(place: Place, player: PlayerId) -> Named | None:
    """`_NAMELESS` for nothing, None where no names are kept."""
    with _profiles(place) as profiles:
        return None if profiles is None else profiles.kept(player) or _NAMELESS


def _counted_there(place: Place) -> bool:
    """False where the folder's service has counted nothing yet."""
    return bool(place.environ.get(COUNTED)) or place.standings.is_file()


def _counted_of(place: Place, player: PlayerId) -> Counted | None:
    """None where nothing has been counted yet."""
    if not _counted_there(place):
        return None
    with counted(place) as found:
        return Counted(
            tickets=kept_of(found, player),
            standing=standing_of(found, player),
            matches=tuple(one.match for one in tables_of(found, player)),
        )


@contextmanager
def _tickets(place: Place) -> Iterator[Connection | None]:
    """What scoring keeps, to write; committed once all that is done by it was done."""
    if not _counted_there(place):
        yield None
        return
    with (
        stopping("web"),
        disposing(open_existing(place.standings_url)) as engine,
        writing(engine) as at,
    ):
        yield at


# Prose ------------------------------------------------------------------------------------------


def _prose(kept: Kept) -> str:
    name = f"called {kept.name!r}" if kept.name else "no name"
    unseen = f"not looked at, {{}} names no database: {ERASE}"
    lines = [
        f"{kept.player}: " + ("name " + unseen.format(NAMES) if NAMES in kept.unseen else name)
    ]
    if COUNTED in kept.unseen:
        lines.append("  tickets, points and matches: " + unseen.format(COUNTED))
        return "\n".join(lines)
    return "\n".join([*lines, *_counted(kept)])


def _counted(kept: Kept) -> Iterator[str]:
    yield f"  tickets remembered: {len(kept.tickets)}"
    if kept.standing is not None:
        yield f"  {kept.standing.xo} XO points from {kept.standing.rounds} rounds"
        for one in kept.standing.records:
            yield f"  {one.game}: {one.played} played, {one.won} won, {one.left} left"
    more = " or more" if len(kept.matches) == PAGE_TABLES else ""
    yield f"  matches: {len(kept.matches)}{more} (waraq match list --player {kept.player})"


def _erased(erased: Erased) -> str:
    if not (erased.name or erased.tickets):
        return f"nothing was left to erase of {erased.player}"
    name = "name" if erased.name else "no name (there was none)"
    return (
        f"erased of {erased.player}: {name}, tickets: {erased.tickets}. A session that is in force"
        " goes on until it ends, and backups made before have the name still: see"
        " docs/operations.md, Erase a player"
    )
