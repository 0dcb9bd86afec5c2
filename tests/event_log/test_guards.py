"""What the databases themselves refuse, whoever asks."""

import traceback
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError

from services.event_log.port import Append, Batch, Claim, Conflict, Row
from services.event_log.postgres import (
    IDLE_TRANSACTION_SECONDS,
    KEEPALIVE_IDLE_SECONDS,
    LOCK_SECONDS,
    STATEMENT_SECONDS,
)
from services.event_log.sql import locate, open_log, open_reader
from tests.event_log.places import MATCH, batch, entries, entry

REPLACE = """
    insert or replace into events
    select partition, {position}, stream, {version}, type, command, 'x', head, secret
    from events where position = 1"""
UPSERT = """
    insert into events select * from events where true
    on conflict (partition, position) do update set line = 'x'"""


@pytest.fixture
def rows(log_url: str) -> tuple[Row, ...]:
    with closing(open_log(log_url)) as log:
        log.append(log.claim(0, "me"), Batch(entries=entries(1, 3), opened=(MATCH,)))
        return log.read(0, 0)


@pytest.fixture
def engine(log_url: str) -> Iterator[Engine]:
    engine = locate(log_url).writing()
    yield engine
    engine.dispose()


def refused(engine: Engine, statement: str) -> str:
    with pytest.raises(DatabaseError) as caught, engine.begin() as connection:
        connection.exec_driver_sql(statement)
    return str(caught.value.orig)


@pytest.mark.parametrize(
    "statement",
    [
        "update events set line = 'x'",
        "update events set position = position where position = 1",
        "delete from events",
        "delete from events where position = 3",
        UPSERT,
    ],
)
def test_events_are_append_only(
    rows: tuple[Row, ...], engine: Engine, log_url: str, statement: str
) -> None:
    assert "events are append-only" in refused(engine, statement)
    with closing(open_reader(log_url)) as reader:
        assert reader.read(0, 0) == rows


def test_postgres_refuses_to_truncate_events(postgres_log_url: str) -> None:
    engine = locate(postgres_log_url).writing()
    assert "events are append-only" in refused(engine, "truncate events cascade")
    engine.dispose()


@pytest.mark.parametrize(
    "same",
    [
        REPLACE.format(position="position", version=9),
        REPLACE.format(position=9, version="version"),
        REPLACE.format(position=9, version=9),
    ],
    ids=["position", "version", "command"],
)
def test_sqlite_refuses_to_replace_events(sqlite_log_url: str, same: str) -> None:
    engine = locate(sqlite_log_url).writing()
    with closing(open_log(sqlite_log_url)) as log:
        log.append(log.claim(0, "me"), batch(entry(1, command="command-0000000001")))
        rows = log.read(0, 0)
        assert "events are append-only" in refused(engine, same)
        assert log.read(0, 0) == rows
    engine.dispose()


@pytest.mark.parametrize(
    "statement",
    [
        "insert into partitions (partition) values (77)",
        "update partitions set epoch = epoch + 1",
        "update log set generation = 9",
        "delete from open_matches",
        "create table intruder (id integer)",
    ],
)
def test_a_readers_connection_cannot_write(
    rows: tuple[Row, ...], log_url: str, statement: str
) -> None:
    engine = locate(log_url).reading()
    assert "read-only" in refused(engine, statement).replace("readonly", "read-only")
    engine.dispose()
    with closing(open_reader(log_url)) as reader:
        assert reader.read(0, 0) == rows
        assert reader.open_streams(0) == (MATCH,)


def test_the_public_view_has_neither_secrets_nor_commands(
    rows: tuple[Row, ...], engine: Engine
) -> None:
    with engine.connect() as connection:
        shown = connection.exec_driver_sql("select * from public_events order by position")
        assert list(shown.keys()) == [
            "partition", "position", "stream", "version", "type", "line", "head",
        ]  # fmt: skip
        assert [row.line for row in shown] == [row.entry.line for row in rows]


def test_a_version_is_at_least_one(engine: Engine) -> None:
    refused(engine, "insert into events values (0, 1, 'm', 0, 't', null, 'l', 'h', null)")


def test_an_open_match_is_in_a_partition_that_exists(engine: Engine) -> None:
    refused(engine, "insert into open_matches (stream, partition) values ('m', 77)")


def test_postgres_quotes_a_row_that_it_refuses_and_we_do_not(postgres_log_url: str) -> None:
    database = locate(postgres_log_url)
    engine = database.writing()
    hidden = "AS KH 2C"
    claim = Claim(partition=0, epoch=0, position=0, published=0)
    wrong = Append(claim, batch(entry(0, secret=hidden)))
    with (
        closing(engine.raw_connection()) as pooled,
        pytest.raises(Conflict, match="events_version") as caught,
    ):
        database.append(pooled.driver_connection, (wrong,), waits=True)
    assert hidden not in "".join(traceback.format_exception(caught.value))
    engine.dispose()


def test_no_connection_to_postgres_waits_for_ever(postgres_log_url: str) -> None:
    database = locate(postgres_log_url)
    for engine in (database.writing(), database.reading()):
        with engine.connect() as connection:
            limits = connection.exec_driver_sql("""
                select current_setting('statement_timeout'), current_setting('lock_timeout'),
                       current_setting('idle_in_transaction_session_timeout'),
                       current_setting('tcp_keepalives_idle')""").one()
        assert tuple(limits) == (
            f"{STATEMENT_SECONDS}s",
            f"{LOCK_SECONDS}s",
            f"{IDLE_TRANSACTION_SECONDS}s",
            str(KEEPALIVE_IDLE_SECONDS),
        )
        engine.dispose()


def test_a_writer_of_sqlite_is_alone_from_the_beginning(
    sqlite_log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.event_log.sqlite.BUSY_SECONDS", 0.1)
    first, second = locate(sqlite_log_url).writing(), locate(sqlite_log_url).writing()
    with first.begin(), pytest.raises(DatabaseError, match="locked"), second.begin():
        pass
    first.dispose()
    second.dispose()


def test_what_sqlite_answered_is_on_the_disk(sqlite_log_url: str) -> None:
    engine = locate(sqlite_log_url).writing()
    with engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"pragma {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    engine.dispose()
