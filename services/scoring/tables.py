"""Lists of tables: those that wait for people, and a player's own matches, the newest first."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from schemas.commands import Options, SeatPlan
from schemas.ids import Level, MatchId, PlayerId, Seat
from services.scoring.ledger import matches, members, seats

PAGE_TABLES: Final = 100
"""The most tables of one page."""

Status = Literal["lobby", "playing", "ended", "abandoned"]
RUNNING: Final[tuple[Status, ...]] = ("lobby", "playing")
OVER: Final[tuple[Status, ...]] = ("ended", "abandoned")

_options: Final = msgspec.json.Decoder(Options)
_plan: Final = msgspec.json.Decoder(tuple[SeatPlan, ...])
_totals: Final = msgspec.json.Decoder(tuple[int, ...])


class TableSeat(Struct, frozen=True, kw_only=True):
    """Whom a seat is for, and who owns it now. The house's seats have a level and no player."""

    seat: Seat
    filled_by: Literal["owner", "invited", "anyone", "house"]
    level: Level | None
    player: str | None


class Table(Struct, frozen=True, kw_only=True):
    """What everybody may know of a match. `free`: empty seats that anybody may take; times in Unix
    ms; `score` and `winner` by seat, or where seats play together by side.
    """

    match: MatchId
    game: Literal["hokm", "hand"]
    ruleset: str
    status: Status
    owner: str
    masked: bool
    options: Options
    seats: tuple[TableSeat, ...]
    free: int
    opened: int
    started: int | None
    ended: int | None
    rounds: int
    score: tuple[int, ...]
    winner: int | None


def open_tables(
    connection: sa.Connection, *, after: MatchId | None = None, most: int = PAGE_TABLES
) -> tuple[Table, ...]:
    """Tables that are not started and have a seat for anybody, the newest first.

    `after`: the last match of the page before; a page after an unknown one is empty.
    """
    query = sa.select(matches).where(matches.c.status == "lobby", matches.c.free > 0)
    return _page(connection, query, matches, after=after, most=most)


def tables_of(
    connection: sa.Connection,
    player: PlayerId,
    *,
    status: Sequence[Status] = (*RUNNING, *OVER),
    after: MatchId | None = None,
    most: int = PAGE_TABLES,
) -> tuple[Table, ...]:
    """Matches that `player` opened or ever owned a seat of; pages as of `open_tables`."""
    mine = (members.c.match == matches.c.match) & (members.c.player == player)
    query = sa.select(matches).join(members, mine).where(matches.c.status.in_(status))
    return _page(connection, query, members, after=after, most=most)


def latest_opened(connection: sa.Connection) -> int | None:
    """When the newest table was opened, in Unix ms; by the index, a look for each status."""
    found = [
        connection.execute(sa.select(sa.func.max(matches.c.opened)).where(one)).scalar()
        for one in (matches.c.status == status for status in (*RUNNING, *OVER))
    ]
    return max((opened for opened in found if opened is not None), default=None)


def _page(
    connection: sa.Connection,
    query: sa.Select[*tuple[object, ...]],
    listed: sa.Table,
    *,
    after: str | None,
    most: int,
) -> tuple[Table, ...]:
    """`listed` has the index in whose order the page is read, by `opened` and `match`."""
    if after is not None:
        opened = sa.select(matches.c.opened).where(matches.c.match == after)
        mark = connection.execute(opened).scalar()
        if mark is None:
            return ()
        query = query.where(
            sa.tuple_(listed.c.opened, listed.c.match) < sa.tuple_(sa.literal(mark), after)
        )
    newest = query.order_by(listed.c.opened.desc(), listed.c.match.desc())
    rows = connection.execute(newest.limit(max(0, min(most, PAGE_TABLES)))).all()
    players = _players(connection, [row.match for row in rows])
    return tuple(_table(row, players) for row in rows)


def _players(connection: sa.Connection, of: Sequence[str]) -> dict[tuple[str, int], str]:
    query = sa.select(seats).where(seats.c.match.in_(of))
    return {(row.match, row.seat): row.player for row in connection.execute(query)}


def _table(row: sa.Row[*tuple[object, ...]], players: dict[tuple[str, int], str]) -> Table:
    sitting = tuple(
        TableSeat(
            seat=plan.seat,
            filled_by=plan.filled_by,
            level=plan.level,
            player=players.get((row.match, plan.seat)),
        )
        for plan in _plan.decode(row.plan)
    )
    return Table(
        match=row.match,
        game=row.game,
        ruleset=row.ruleset,
        status=row.status,
        owner=row.owner,
        masked=row.masked,
        options=_options.decode(row.options),
        seats=sitting,
        free=row.free,
        opened=row.opened,
        started=row.started,
        ended=row.ended,
        rounds=row.rounds,
        score=_totals.decode(row.totals),
        winner=row.winner,
    )
