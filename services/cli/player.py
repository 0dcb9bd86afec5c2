"""`waraq player`: what is kept of one player, shown to him or erased (docs/operations.md).

The log and what is counted from it know players by opaque ids only, so they stay as they are and
every proof holds; what makes an id a person's is erased.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from msgspec import Struct

from schemas.ids import MatchId, PlayerId, matches
from services.cli import say
from services.cli.exits import NOT_FOUND, UNREACHABLE, USAGE, stop
from services.cli.place import Place, as_json, at_place
from services.cli.standings import stopping
from services.scoring.database import StandingsMissing, disposing, open_existing, reading, writing
from services.scoring.records import PlayerStanding, standing_of
from services.scoring.tables import PAGE_TABLES, tables_of
from services.scoring.tickets import KeptTicket, forget, kept_of
from services.web.profiles import Named, Profiles, ProfilesError


class Counted(Struct, frozen=True, kw_only=True):
    """What scoring's database has of a player. `matches`: his newest, `PAGE_TABLES` at most."""

    tickets: tuple[KeptTicket, ...] = ()
    standing: PlayerStanding | None = None
    matches: tuple[MatchId, ...] = ()


class Kept(Struct, frozen=True, kw_only=True):
    """All that the service has of a player beside the log; `changed`: Unix ms, of his name."""

    player: PlayerId
    name: str | None
    changed: int | None
    tickets: tuple[KeptTicket, ...]
    standing: PlayerStanding | None
    matches: tuple[MatchId, ...]


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
    name, counted = _name_of(place, player_id), _counted_of(place, player_id)
    if name is None and counted is None:
        stop(NOT_FOUND, f"no service has run in {place.data}: name its folder with --data")
    found, told = name or _NAMELESS, counted or Counted()
    kept = Kept(
        player=player_id,
        name=found.name or None,
        changed=found.changed or None,
        tickets=told.tickets,
        standing=told.standing,
        matches=told.matches,
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
    """
    if _name_of(place, player_id) is None and _counted_of(place, player_id) is None:
        stop(NOT_FOUND, f"no service has run in {place.data}: name its folder with --data")
    if not yes:
        click.confirm(f"Erase name and tickets of {player_id}, for good?", abort=True, err=True)
    erased = Erased(
        player=player_id,
        name=_erase_name(place, player_id),
        tickets=_forget_tickets(place, player_id),
    )
    say.result(erased, _erased(erased), as_json=as_json)


# Names ------------------------------------------------------------------------------------------

_NAMELESS = Named("", 0)


@contextmanager
def _profiles(place: Place) -> Iterator[Profiles | None]:
    """The names' database, None where there is none yet; a fault of it ends the command."""
    try:
        profiles = Profiles(place.profiles_url)
        if not profiles.may_be_there():
            profiles.close()
            yield None
            return
        try:
            profiles.create()
            yield profiles
        finally:
            profiles.close()
    except ProfilesError as error:
        stop(UNREACHABLE, f"the names' database does not answer: {error}")


def _name_of(place: Place, player: PlayerId) -> Named | None:
    """`_NAMELESS` for nothing, None where no names are kept."""
    with _profiles(place) as profiles:
        return None if profiles is None else profiles.kept(player) or _NAMELESS


def _erase_name(place: Place, player: PlayerId) -> bool:
    with _profiles(place) as profiles:
        return profiles is not None and profiles.erase(player)


# What scoring has -------------------------------------------------------------------------------


def _counted_of(place: Place, player: PlayerId) -> Counted | None:
    """None where nothing has been counted."""
    with stopping():
        try:
            with disposing(open_existing(place.standings_url)) as engine, reading(engine) as found:
                return Counted(
                    tickets=kept_of(found, player),
                    standing=standing_of(found, player),
                    matches=tuple(one.match for one in tables_of(found, player)),
                )
        except StandingsMissing:
            return None


def _forget_tickets(place: Place, player: PlayerId) -> int:
    with stopping():
        try:
            with disposing(open_existing(place.standings_url)) as engine, writing(engine) as at:
                return forget(at, player)
        except StandingsMissing:
            return 0


# Prose ------------------------------------------------------------------------------------------


def _prose(kept: Kept) -> str:
    standing = kept.standing
    lines = [
        f"{kept.player}: " + (f"called {kept.name!r}" if kept.name else "no name"),
        f"  tickets remembered: {len(kept.tickets)}",
    ]
    if standing is not None:
        lines.append(f"  {standing.xo} XO points from {standing.rounds} rounds")
        lines += [
            f"  {one.game}: {one.played} played, {one.won} won, {one.left} left"
            for one in standing.records
        ]
    more = " or more" if len(kept.matches) == PAGE_TABLES else ""
    lines.append(f"  matches: {len(kept.matches)}{more} (waraq match list --player {kept.player})")
    return "\n".join(lines)


def _erased(erased: Erased) -> str:
    if not (erased.name or erased.tickets):
        return f"nothing was left to erase of {erased.player}"
    name = "name" if erased.name else "no name (there was none)"
    return (
        f"erased of {erased.player}: {name}, tickets: {erased.tickets}. A session that is in force"
        " goes on until it ends, and backups made before have the name still: see"
        " docs/operations.md, Erase a player"
    )
