"""Display names, in a table of their own outside the log: erasing one breaks no proof."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects import postgresql, sqlite

from schemas.ids import PlayerId, Time

CREATE_LOCK: Final = 0x57617272_50726F66
"""Key of the advisory lock that whoever makes the table holds."""

DENIED: Final = frozenset({"42501", "25006"})
"""PostgreSQL's states: no right to it, and none to write."""

_tables = sa.MetaData()
_profiles = sa.Table(
    "profiles",
    _tables,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),  # Unix ms
)


class ProfilesError(Exception):
    """Their database did not answer, by the kind of fault: a driver's own words may hold a name."""


class ProfilesDenied(ProfilesError):
    """The database does not let this role do it."""


class Profile(Struct, frozen=True):
    """What others are shown of a player."""

    player: PlayerId
    name: str


class Named(Struct, frozen=True):
    """All that is kept of a player here; `changed`: Unix ms."""

    name: str
    changed: Time


class Profiles:
    """The table in one database, SQLite or PostgreSQL. Calls block, and raise `ProfilesError`."""

    def __init__(self, url: str) -> None:
        with _faults():
            self._engine = sa.create_engine(url)
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _erase_for_good)

    def create(self) -> None:
        """Make the table if it is missing; of workers that begin together one makes it."""
        with _faults(), self._engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CREATE_LOCK)))
            _tables.create_all(connection)

    def may_be_there(self) -> bool:
        """False for a file that is not there; a server is asked nothing."""
        url = self._engine.url
        return url.get_backend_name() != "sqlite" or Path(url.database or "").is_file()

    def are_kept(self) -> bool:
        """False where nobody has made the table yet; makes none."""
        with _faults():
            return sa.inspect(self._engine).has_table(_profiles.name)

    def put(self, profile: Profile, now: Time) -> None:
        values = {"player": profile.player, "name": profile.name, "changed": now}
        with _faults(), self._engine.begin() as connection:
            postgres = connection.dialect.name == "postgresql"
            insert = (postgresql.insert if postgres else sqlite.insert)(_profiles).values(values)
            connection.execute(insert.on_conflict_do_update(index_elements=["player"], set_=values))

    def named(self, players: Sequence[PlayerId]) -> tuple[Profile, ...]:
        """Those of `players` that have a name, by id."""
        query = (
            sa.select(_profiles.c.player, _profiles.c.name)
            .where(_profiles.c.player.in_(players))
            .order_by(_profiles.c.player)
        )
        with _faults(), self._engine.connect() as connection:
            return tuple(Profile(*row) for row in connection.execute(query))

    def kept(self, player: PlayerId) -> Named | None:
        """What is kept of `player`, for whom he is shown it himself; None for nothing."""
        query = sa.select(_profiles.c.name, _profiles.c.changed)
        with _faults(), self._engine.connect() as connection:
            row = connection.execute(query.where(_profiles.c.player == player)).first()
        return Named(*row) if row is not None else None

    def erase(self, player: PlayerId) -> bool:
        """False if he had no name."""
        erasing = sa.delete(_profiles).where(_profiles.c.player == player)
        with _faults(), self._engine.begin() as connection:
            return connection.execute(erasing).rowcount > 0

    def answers(self) -> bool:
        """True, or raises as all do."""
        self.named(())
        return True

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except sa.exc.DBAPIError as error:
        denied = getattr(error.orig, "sqlstate", None) in DENIED
        kind = ProfilesDenied if denied else ProfilesError
        raise kind(type(error).__name__) from error
    except sa.exc.SQLAlchemyError as error:
        raise ProfilesError(type(error).__name__) from error


def _erase_for_good(connection: Any, _record: object) -> None:
    """SQLite leaves what was deleted in the file, unless it is told to write over it."""
    connection.execute("pragma secure_delete = on")
