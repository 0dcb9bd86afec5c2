"""Standings: XO points (H22) as a projection of the log, with a cursor of its own.

The cursor moves in the transaction that writes what it stands for, so a kill at any moment leaves
each round counted once. The tables can be dropped: they are made from the log again.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects import postgresql, sqlite

from schemas.commands import HokmOptions
from schemas.events import (
    Event,
    MatchOpened,
    RoundEnded,
    RoundScored,
    SeatLeft,
    SeatTaken,
    decode_event,
)
from services.event_log.port import LogError, Reader, Row
from services.rules.games import GAMES

XO_POINTS: Final = 10
"""XO points for each round that a player's side wins at a masked table (H22)."""
PAGE: Final = 1_000
"""Rows of the log read into one transaction."""
CREATE_LOCK: Final = 0x57617272_7374616E
"""Key of the advisory lock that whoever makes the tables holds."""

_tables = sa.MetaData()
_cursors = sa.Table(
    "cursors",
    _tables,
    sa.Column("partition", sa.Integer, primary_key=True),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("position", sa.BigInteger, nullable=False),
)
_matches = sa.Table(
    "matches",
    _tables,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("masked", sa.Boolean, nullable=False),
)
_seats = sa.Table(
    "seats",
    _tables,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player", sa.Text, nullable=False),
)
_sat = sa.Table(  # who sat when the latest round ended: its points are theirs
    "sat",
    _tables,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player", sa.Text, nullable=False),
)
_points = sa.Table(
    "points",
    _tables,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("xo", sa.Integer, nullable=False),
)


class Standing(Struct, frozen=True):
    """A player's XO points and the rounds they come from."""

    player: str
    xo: int
    rounds: int


class Overtaken(Exception):
    """Another worker has moved the cursor since it was read: begin again from where it is."""


class Standings:
    """The projection in one database, SQLite or PostgreSQL; several workers may keep it."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def create(self) -> None:
        """Make the tables that are missing; of workers that begin together one makes them."""
        with self._engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CREATE_LOCK)))
            _tables.create_all(connection)

    def catch_up(self, log: Reader) -> int:
        """Take in all that the log has and these tables have not; how many events that was.

        Of a log that was put back from a copy (another generation) everything is taken in anew.
        """
        info = log.info()
        self._forget_other_generations(info.generation)
        return sum(
            self._catch_up(log, partition, info.generation) for partition in range(info.partitions)
        )

    def _catch_up(self, log: Reader, partition: int, generation: int) -> int:
        taken = 0
        while rows := log.read(partition, self._cursor(partition), PAGE):
            before = rows[0].position - 1
            if rows[-1].position - before != len(rows):
                raise LogError(f"the log has a gap after position {before}")
            try:
                self._take(rows, generation)
                taken += len(rows)
            except Overtaken:
                if self._cursor(partition) <= before:
                    raise LogError(f"the log has a gap before position {before + 1}") from None
        return taken

    def _forget_other_generations(self, generation: int) -> None:
        other = sa.select(sa.func.count()).where(_cursors.c.generation != generation)
        with self._engine.begin() as connection:
            if connection.execute(other).scalar():
                for table in _tables.sorted_tables:
                    connection.execute(sa.delete(table))

    def top(self, most: int) -> tuple[Standing, ...]:
        """The players with the most XO points, the best first."""
        xo = sa.func.sum(_points.c.xo)
        query = (
            sa.select(_points.c.player, xo, sa.func.count())
            .group_by(_points.c.player)
            .order_by(xo.desc(), _points.c.player)
            .limit(most)
        )
        with self._engine.connect() as connection:
            return tuple(Standing(*row) for row in connection.execute(query))

    def _cursor(self, partition: int) -> int:
        query = sa.select(_cursors.c.position).where(_cursors.c.partition == partition)
        with self._engine.connect() as connection:
            return connection.execute(query).scalar() or 0

    def _take(self, rows: Sequence[Row], generation: int) -> None:
        """One page and its cursor, in one transaction that begins with the cursor."""
        with self._engine.begin() as connection:
            _move_cursor(connection, rows, generation)
            for row in rows:
                _apply(connection, decode_event(row.entry.line))


def _move_cursor(connection: sa.Connection, rows: Sequence[Row], generation: int) -> None:
    """From just before these rows to their last; raises `Overtaken` if it is not there."""
    first, last = rows[0], rows[-1]
    start = {"partition": first.partition, "generation": generation, "position": 0}
    connection.execute(_inserting(connection, _cursors, start).on_conflict_do_nothing())
    here = (
        (_cursors.c.partition == first.partition)
        & (_cursors.c.generation == generation)
        & (_cursors.c.position == first.position - 1)
    )
    moved = connection.execute(sa.update(_cursors).where(here).values(position=last.position))
    if moved.rowcount != 1:
        raise Overtaken


def _apply(connection: sa.Connection, event: Event) -> None:
    match event.body:
        case MatchOpened() as opened:
            _open(connection, event.match, opened)
        case SeatTaken(seat=seat, player=player):
            _put(connection, _seats, match=event.match, seat=seat, player=player)
        case SeatLeft(seat=seat):
            here = (_seats.c.match == event.match) & (_seats.c.seat == seat)
            connection.execute(sa.delete(_seats).where(here))
        case RoundEnded():
            _remember_sitters(connection, event.match)
        case RoundScored() as scored:
            _score(connection, event.match, scored)
        case _:
            pass


def _open(connection: sa.Connection, match: str, opened: MatchOpened) -> None:
    _put(connection, _matches, match=match, ruleset=opened.ruleset, masked=is_masked(opened))
    for plan in opened.seats:
        if plan.filled_by == "owner":
            _put(connection, _seats, match=match, seat=plan.seat, player=opened.owner)


def is_masked(opened: MatchOpened) -> bool:
    """A table with masks: seats 1 and 3 at the house, at one level (H20)."""
    masks = [plan for plan in opened.seats if plan.seat % 2 == 1]
    return (
        len(opened.seats) == 4
        and isinstance(opened.options, HokmOptions)
        and all(plan.filled_by == "house" for plan in masks)
        and len({plan.level for plan in masks}) == 1
    )


def _score(connection: sa.Connection, match: str, scored: RoundScored) -> None:
    table = connection.execute(sa.select(_matches).where(_matches.c.match == match)).one()
    if not table.masked:
        return
    won = GAMES[table.ruleset].round_winners(scored.score)
    sat = sa.select(_sat.c.seat, _sat.c.player).where(_sat.c.match == match)
    for seat, player in connection.execute(sat).all():
        if seat in won:
            _put(connection, _points, match=match, round=scored.round, player=player, xo=XO_POINTS)


def _remember_sitters(connection: sa.Connection, match: str) -> None:
    """Who sits at the end of a round has earned it, also if he leaves before it is scored."""
    connection.execute(sa.delete(_sat).where(_sat.c.match == match))
    sitting = sa.select(_seats.c.match, _seats.c.seat, _seats.c.player)
    columns = ["match", "seat", "player"]
    connection.execute(sa.insert(_sat).from_select(columns, sitting.where(_seats.c.match == match)))


def _put(connection: sa.Connection, table: sa.Table, **values: object) -> None:
    """Insert the row, or replace the one with its key."""
    keys = [column.name for column in table.primary_key]
    rest = {name: value for name, value in values.items() if name not in keys}
    inserting = _inserting(connection, table, values)
    connection.execute(inserting.on_conflict_do_update(index_elements=keys, set_=rest))


def _inserting(
    connection: sa.Connection, table: sa.Table, values: Mapping[str, object]
) -> sqlite.Insert | postgresql.Insert:
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return insert(table).values(**values)
