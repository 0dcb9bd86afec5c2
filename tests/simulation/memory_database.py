"""A database in memory that outlives whoever dies while using it."""

import sqlite3

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool


class Kept(sqlite3.Connection):
    """SQLAlchemy closes a connection on which somebody died; the database rolls back and stays."""

    def close(self) -> None:
        self.rollback()


class MemoryDatabase:
    """One SQLite database; `engine` gives each caller an engine of its own on it."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", factory=Kept, check_same_thread=False)

    def engine(self) -> sa.Engine:
        return sa.create_engine("sqlite://", poolclass=StaticPool, creator=lambda: self._connection)

    def close(self) -> None:
        sqlite3.Connection.close(self._connection)
