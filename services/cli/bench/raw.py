"""The limits that nothing above can pass: the drivers and the broker's client, used bare."""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from typing import Final, Protocol
from urllib.parse import urlsplit, urlunsplit

import nats
import psycopg
from nats.aio.client import Client
from nats.aio.msg import Msg
from psycopg import sql

CONNECT_SECONDS: Final = 5
SQLITE: Final = "sqlite:///"
_SQLITE_BYTES: Final = "select page_count * page_size from pragma_page_count, pragma_page_size"
_TABLE: Final = """
    create table rows (
      partition integer not null, position bigint not null, stream text not null,
      version integer not null, type text not null, command text, line text not null,
      head text not null, secret text, primary key (partition, position),
      unique (stream, version))"""
_PEER_GUARDS: Final = (
    """create trigger no_update before update on stored_events
       begin select raise(abort, 'append-only'); end""",
    """create trigger no_delete before delete on stored_events
       begin select raise(abort, 'append-only'); end""",
    """create trigger no_replace before insert on stored_events when exists (
         select 1 from stored_events where originator_id = new.originator_id
         and originator_version = new.originator_version)
       begin select raise(abort, 'append-only'); end""",
)
_numbers = count(1)

RawRow = tuple[int, int, str, int, str, str | None, str, str, str | None]
"""As a row of the log."""


class Inserts(Protocol):
    """Plain inserts into one table with the log's columns and keys, and no more than that."""

    def insert(self, rows: Sequence[RawRow]) -> None:
        """One transaction, on the disk when it returns."""
        ...

    def close(self) -> None: ...


class SqliteInserts:
    """The journal and the syncing of the log."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for statement in ("pragma journal_mode=wal", "pragma synchronous=full", _TABLE):
            self._connection.execute(statement)

    def insert(self, rows: Sequence[RawRow]) -> None:
        self._connection.execute("begin immediate")
        self._connection.executemany("insert into rows values (?,?,?,?,?,?,?,?,?)", rows)
        self._connection.execute("commit")

    def close(self) -> None:
        self._connection.close()


class PostgresInserts:
    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url)
        self._connection.execute(_TABLE)
        self._connection.commit()

    def insert(self, rows: Sequence[RawRow]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany("insert into rows values (%s,%s,%s,%s,%s,%s,%s,%s,%s)", rows)
        self._connection.commit()

    def close(self) -> None:
        self._connection.close()


class ServerUnreachable(Exception):
    """No PostgreSQL answers at the URL."""


def server_version(url: str) -> str:
    """The server's version and whether it forces to the disk what it commits.

    Raises `ServerUnreachable`.
    """
    try:
        with psycopg.connect(url, connect_timeout=CONNECT_SECONDS) as connection:
            version = connection.execute("show server_version").fetchone()
            fsync = connection.execute("show fsync").fetchone()
    except psycopg.Error as error:
        raise ServerUnreachable(str(error).strip()) from None
    assert version is not None
    assert fsync is not None
    return f"{version[0]}, fsync {fsync[0]}"


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """The URL of a new database on the server; it is dropped at the end."""
    name = f"waraq_bench_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            drop = sql.SQL("drop database {} with (force)").format(sql.Identifier(name))
            connection.execute(drop)


def owners(url: str) -> list[str]:
    """Who owns each partition of the log at a PostgreSQL `url`, in their order."""
    with psycopg.connect(url) as connection:
        found = connection.execute("select owner from partitions order by partition")
        return [str(owner) for (owner,) in found]


def backends(url: str) -> list[int]:
    """The processes of the PostgreSQL at `url`, as it numbers them; without its postmaster and the
    one that answers this.
    """
    asked = "select pid from pg_stat_activity where pid <> pg_backend_pid()"
    with psycopg.connect(url) as connection:
        return [int(pid) for (pid,) in connection.execute(asked)]


def log_bytes(url: str) -> int:
    """What the log at `url` takes, indexes included: of PostgreSQL its events, of SQLite all."""
    if url.startswith(SQLITE):
        with closing(sqlite3.connect(url.removeprefix(SQLITE))) as file:
            found = file.execute(_SQLITE_BYTES).fetchone()
    else:
        with psycopg.connect(url) as connection:
            found = connection.execute("select pg_total_relation_size('events')").fetchone()
    assert found is not None
    return int(found[0])


def guard_peer(path: str) -> None:
    """Make the library's table in an SQLite file append-only by triggers, as the log is. In
    PostgreSQL such triggers cost an insert nothing.
    """
    with closing(sqlite3.connect(path)) as connection:
        for statement in _PEER_GUARDS:
            connection.execute(statement)
        connection.commit()


def parts(url: str) -> dict[str, str]:
    """Host, port, user, password and dbname in `url`, those that it names."""
    return {k: str(v) for k, v in psycopg.conninfo.conninfo_to_dict(url).items() if v is not None}


class RawPublisher:
    """The broker's client with one subject for all answers, which are only counted."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._inbox = client.new_inbox()
        self._left = 0
        self._over = asyncio.Event()
        self._numbers = count()

    @staticmethod
    async def connect(url: str, user: str, password: str) -> "RawPublisher":
        publisher = RawPublisher(await nats.connect(url, user=user, password=password))
        await publisher._client.subscribe(publisher._inbox, cb=publisher._answered)
        return publisher

    async def publish(self, lines: list[bytes]) -> None:
        """Into the stream, until each is confirmed."""
        self._left = len(lines)
        self._over.clear()
        for line in lines:
            headers = {"Nats-Msg-Id": f"raw-{next(self._numbers)}"}
            await self._client.publish("bench.line", line, self._inbox, headers)
        await self._over.wait()

    async def close(self) -> None:
        await self._client.close()

    async def _answered(self, _message: Msg) -> None:
        self._left -= 1
        if not self._left:
            self._over.set()
