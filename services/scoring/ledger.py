"""The tables that scoring keeps: projections of the log, and the tickets that were given.

Projections can be dropped at any time: they are made from the log again. Tickets cannot.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

FORM: Final = 2
"""The form of the projections. One that finds another makes them anew: raise it with each change
of a projection's columns, or of what a row of it means.
"""
CREATE_LOCK: Final = 0x57617272_7374616E
"""Key of the advisory lock that whoever makes the tables holds."""

projections: Final = sa.MetaData()
given: Final = sa.MetaData()

forms = sa.Table("form", projections, sa.Column("number", sa.Integer, primary_key=True))
cursors = sa.Table(
    "cursors",
    projections,
    sa.Column("partition", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("position", sa.BigInteger, nullable=False),
)
matches = sa.Table(
    "matches",
    projections,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("masked", sa.Boolean, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON, as in `match_opened`
    sa.Column("plan", sa.Text, nullable=False),  # as options
    sa.Column("status", sa.Text, nullable=False),  # lobby, playing, ended, abandoned
    sa.Column("free", sa.Integer, nullable=False),  # empty seats that are for anyone
    sa.Column("opened", sa.BigInteger, nullable=False),  # Unix ms, and so the next two
    sa.Column("started", sa.BigInteger),
    sa.Column("ended", sa.BigInteger),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("totals", sa.Text, nullable=False),  # JSON
    sa.Column("winner", sa.Integer),
    sa.Index("matches_listed", "status", "opened", "match"),
)
seats = sa.Table(  # who owns a seat now
    "seats",
    projections,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player", sa.Text, nullable=False),
)
sat = sa.Table(  # who sat when the latest round ended: its points are theirs
    "sat",
    projections,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player", sa.Text, nullable=False),
)
members = sa.Table(  # whose match it is: who opened it, and who ever owned a seat
    "members",
    projections,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("opened", sa.BigInteger, nullable=False),  # the match's, for the order of a list
    sa.Column("dealt", sa.Boolean, nullable=False),  # owned a seat while it was played
    sa.Index("members_matches", "player", "opened", "match"),
)
points = sa.Table(
    "points",
    projections,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("xo", sa.Integer, nullable=False),
    sa.Index("points_of", "player"),
)
records = sa.Table(  # a match that ended, for each player who took part
    "records",
    projections,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("left", sa.Boolean, nullable=False),
)
tickets = sa.Table(  # one for each match that a player asked one for
    "tickets",
    given,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False),
)
ticket_days = sa.Table(  # how many of a day's are given
    "ticket_days",
    given,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("used", sa.Integer, nullable=False),
)


def create(connection: sa.Connection, *, anew: bool = False) -> None:
    """Make what is missing; projections of another form, or `anew` any, are dropped first.

    In one transaction, in which nobody else writes: of workers that begin together one makes them.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CREATE_LOCK)))
    else:
        connection.exec_driver_sql("begin immediate")  # or sqlite3 commits before each `create`
    given.create_all(connection)
    if anew or form_of(connection) != FORM:
        _drop(connection)
    projections.create_all(connection)
    connection.execute(inserting(connection, forms, {"number": FORM}).on_conflict_do_nothing())


def form_of(connection: sa.Connection) -> int | None:
    """The form of the projections that are there, None if there are none or old ones."""
    if not sa.inspect(connection).has_table(forms.name):
        return None
    return connection.execute(sa.select(forms.c.number)).scalar()


def _drop(connection: sa.Connection) -> None:
    """The form first, which readers begin with, then the cursors, which who is taking in a page
    begins with: either is waited for.
    """
    forms.drop(connection, checkfirst=True)
    cursors.drop(connection, checkfirst=True)
    projections.drop_all(connection)


def empty(connection: sa.Connection) -> None:
    """Forget all that the log said, the cursors first, as when dropping."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"lock table {cursors.name} in exclusive mode"))
    connection.execute(sa.delete(cursors))
    for table in projections.sorted_tables:
        if table not in {cursors, forms}:
            connection.execute(sa.delete(table))


def put(connection: sa.Connection, table: sa.Table, **values: object) -> None:
    """Insert the row, or replace the one with its key."""
    statement = _putting(connection.dialect.name, table, tuple(values))
    connection.execute(statement, values)


@cache
def _putting(
    dialect: str, table: sa.Table, columns: tuple[str, ...]
) -> sqlite.Insert | postgresql.Insert:
    """Kept, for making a statement takes longer than running it."""
    keys = [column.name for column in table.primary_key]
    statement = _insert(dialect)(table)
    rest = {name: statement.excluded[name] for name in columns if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=rest)


def inserting(
    connection: sa.Connection, table: sa.Table, values: Mapping[str, object]
) -> sqlite.Insert | postgresql.Insert:
    """An insert that may say what happens on a conflict, in the database's own words."""
    return _insert(connection.dialect.name)(table).values(**values)


def _insert(dialect: str) -> Callable[[sa.Table], sqlite.Insert | postgresql.Insert]:
    return postgresql.insert if dialect == "postgresql" else sqlite.insert
