"""A database that is gone, comes back, hangs, or loses the connection that holds the locks."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Final

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from sqlalchemy import event, make_url

from services.event_log.database import faults
from services.event_log.port import Append, Batch, DeadLetter, LogError, LogUnreachable
from services.event_log.postgres import AdvisoryLocks
from services.event_log.sql import SqlLog, locate, open_log, open_reader
from services.event_log.upgrade import check, restored, upgrade
from tests.event_log.places import MATCH, OTHER, batch, entry, positions
from tests.postgres import Server, serving

SECONDS: Final = 20.0
SHORT: Final = (
    "?options=-c%20lock_timeout%3D100ms%20-c%20idle_in_transaction_session_timeout%3D100ms"
)
"""Our limits are seconds long; what the URL itself says stands."""


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that may be stopped without harm to other tests."""
    with serving() as server:
        upgrade(server.url(), partitions=2)
        yield server


def eventually(happens: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not happens():
        assert time.monotonic() < end, f"waited in vain: {what}"


def test_a_stopped_server_is_unreachable_and_serves_again_once_it_is_back(
    own_server: Server,
) -> None:
    with closing(open_log(own_server.url())) as log:
        assert log.hold(0)
        claim = log.claim(0, "me")
        log.append(claim, batch(entry(1)))
        own_server.stop()
        for call in (
            lambda: log.append(claim, batch(entry(2))),
            lambda: log.append_together([Append(claim, batch(entry(2)))]),
            lambda: log.claim(0, "me"),
            lambda: log.load(MATCH),
            lambda: log.read(0, 0),
            lambda: log.position(0),
            lambda: log.hold(0),
            log.info,
            lambda: open_log(own_server.url()),
            lambda: open_reader(own_server.url()),
            lambda: upgrade(own_server.url()),
            lambda: check(own_server.url()),
            lambda: restored(own_server.url()),
        ):
            with pytest.raises(LogUnreachable):
                call()
        own_server.start()
        assert positions(log.load(MATCH)) == [1]
        assert log.append(claim, batch(entry(2))) == 2
        assert log.hold(0)


def test_a_restart_that_nobody_noticed_costs_one_call_on_each_side(own_server: Server) -> None:
    with closing(open_log(own_server.url())) as log:
        claim = log.claim(0, "me")
        log.append(claim, batch(entry(1)))
        own_server.stop()
        own_server.start()
        with pytest.raises(LogUnreachable):
            log.append(claim, batch(entry(2)))
        assert log.append(claim, batch(entry(2))) == 2
        with pytest.raises(LogUnreachable):
            log.load(MATCH)
        assert positions(log.load(MATCH)) == [1, 2]


def test_every_read_on_a_connection_that_died_is_unreachable_and_the_next_is_not(
    own_server: Server,
) -> None:
    with closing(open_log(own_server.url())) as log:
        reads = (log.info, lambda: log.load(MATCH), lambda: log.position(0), log.streams)
        for read in reads:
            read()
            own_server.stop()
            own_server.start()
            with pytest.raises(LogUnreachable):
                read()
            read()


def test_where_nobody_listens_it_says_so() -> None:
    for use in (open_log, open_reader, upgrade, check):
        with pytest.raises(LogUnreachable):
            use("postgresql://nobody@127.0.0.1:1/nothing")


def test_a_partition_that_stays_locked_is_unreachable_and_not_waited_for(
    postgres_log_url: str,
) -> None:
    with (
        closing(open_log(postgres_log_url + SHORT)) as log,
        psycopg.connect(postgres_log_url) as other,
    ):
        claim = log.claim(0, "me")
        other.execute("select * from partitions where partition = 0 for update")
        with pytest.raises(LogUnreachable, match="lock timeout"):
            log.append(claim, batch(entry(1)))
        other.rollback()
        assert log.append(claim, batch(entry(1))) == 1


def test_an_owner_that_stops_inside_an_append_leaves_nothing_locked(postgres_log_url: str) -> None:
    """It cannot stop between two statements: there is one, and it commits itself."""
    log = SqlLog(locate(postgres_log_url))
    letter = DeadLetter(subject="cmd.0.m.u", body="{}", error="KeyError", time=1)
    whole = Batch(entries=(entry(1),), opened=(MATCH,), closed=(OTHER,), dead=(letter,))
    with closing(log), psycopg.connect(postgres_log_url) as other:
        claim = log.claim(0, "me")
        with log._driver() as driver:
            assert log._database.append(driver, (Append(claim, whole),), waits=True) == {0: 1}
            other.execute("select * from partitions for update nowait")
            assert driver.info.transaction_status == TransactionStatus.IDLE


def test_a_partition_that_is_locked_is_left_out_of_what_is_appended_together(
    postgres_log_url: str,
) -> None:
    with (
        closing(open_log(postgres_log_url)) as log,
        psycopg.connect(postgres_log_url) as other,
    ):
        appends = [
            Append(log.claim(0, "me"), batch(entry(1))),
            Append(log.claim(1, "me"), batch(entry(1, OTHER))),
        ]
        other.execute("select * from partitions where partition = 0 for update")
        assert log.append_together(appends) == (None, 1)
        other.rollback()
        assert (log.load(MATCH), positions(log.load(OTHER))) == ((), [1])
        assert log.append(appends[0].claim, appends[0].batch) == 1


def test_a_lock_goes_with_its_connection_and_is_not_believed_any_more(
    postgres_log_url: str,
) -> None:
    with (
        closing(open_log(postgres_log_url)) as first,
        closing(open_log(postgres_log_url)) as second,
        psycopg.connect(postgres_log_url, autocommit=True) as killer,
    ):
        assert first.hold(0)
        assert first.hold(1)
        killer.execute("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
        eventually(lambda: second.hold(0), "the lock of a closed connection is free")
        assert not first.hold(0)
        assert first.hold(1), "nobody took it in between: it is ours anew"
        assert not second.hold(1)
        second.release(0)
        assert first.hold(0)


def test_releasing_a_lock_whose_connection_died_is_no_fault(postgres_log_url: str) -> None:
    with (
        closing(open_log(postgres_log_url)) as log,
        psycopg.connect(postgres_log_url, autocommit=True) as killer,
    ):
        assert log.hold(0)
        killer.execute("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
        log.release(0)
        eventually(lambda: log.hold(0), "the lock is free again")


def test_a_holder_without_a_sign_of_life_loses_its_locks_to_the_next(
    postgres_log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is stopped, or has lost its network, keeps its session and so its locks."""
    with (
        closing(open_log(postgres_log_url)) as stopped,
        closing(open_log(postgres_log_url)) as next_one,
    ):
        assert stopped.join().workers == 1
        assert stopped.hold(0)
        assert not next_one.hold(0)
        assert next_one.join().workers == 2
        monkeypatch.setattr("services.event_log.postgres.LIFELESS", 0.2)
        eventually(lambda: next_one.hold(0), "the lock of one that is silent is free")
        assert next_one.join().workers == 1
        assert not stopped.hold(0), "it comes back, and the lock is another's"
        assert stopped.join().workers == 2


def test_who_is_counted_without_a_sign_of_life_is_counted_no_more(
    postgres_log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker at its share does not try for the locks of one that stands still."""
    with (
        closing(open_log(postgres_log_url)) as stopped,
        closing(open_log(postgres_log_url)) as next_one,
    ):
        stopped.join()
        assert stopped.hold(0)
        assert next_one.join().workers == 2
        monkeypatch.setattr("services.event_log.postgres.LIFELESS", 0.2)
        eventually(lambda: next_one.join().workers == 1, "the silent one is counted no more")
        eventually(lambda: next_one.hold(0), "and its lock is free")


def test_after_the_server_stood_still_nobody_is_taken_for_lifeless(
    postgres_log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.event_log.postgres.LIFELESS", 0.0)
    monkeypatch.setattr("services.event_log.postgres.STEADY_SECONDS", 0.0)
    with (
        closing(open_log(postgres_log_url)) as first,
        closing(open_log(postgres_log_url)) as second,
    ):
        first.join()
        assert first.hold(0)
        assert [second.join().workers for _ in range(5)] == [2] * 5
        assert not second.hold(0)
        assert first.hold(0)


def test_who_left_is_not_counted_again_by_trying_for_a_lock(postgres_log_url: str) -> None:
    with (
        closing(open_log(postgres_log_url)) as first,
        closing(open_log(postgres_log_url)) as second,
    ):
        first.join()
        second.join()
        second.leave()
        assert second.hold(1)
        assert first.join().workers == 1


def test_a_holder_that_gives_a_sign_of_life_keeps_its_locks(
    postgres_log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence = 2.0
    monkeypatch.setattr("services.event_log.postgres.LIFELESS", silence)
    with (
        closing(open_log(postgres_log_url)) as living,
        closing(open_log(postgres_log_url)) as next_one,
        psycopg.connect(postgres_log_url, autocommit=True) as onlooker,
    ):
        assert living.hold(0)
        (began,) = onlooker.execute("select clock_timestamp()").fetchone() or ()
        passed = "select clock_timestamp() - %s > make_interval(secs => %s)"
        eventually(
            lambda: onlooker.execute(passed, (began, silence)).fetchone() == (True,),
            "it was silent for long",
        )
        living.join()
        next_one.join()
        assert not next_one.hold(0)
        assert living.hold(0)


def test_a_locks_connection_that_dies_while_a_lock_is_asked_for_is_made_anew(
    postgres_log_url: str,
) -> None:
    log = SqlLog(locate(postgres_log_url))
    locks = log._locks
    assert isinstance(locks, AdvisoryLocks)
    with closing(log), psycopg.connect(postgres_log_url, autocommit=True) as killer:
        assert log.hold(0)

        died: list[str] = []

        def die(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            if "pg_try_advisory_lock" in statement and not died:
                died.append(statement)
                killer.execute(
                    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
                )

        event.listen(locks._engine, "before_cursor_execute", die)
        with pytest.raises(LogUnreachable):
            log.hold(1)
        log.release(0)
        eventually(lambda: log.hold(1), "another connection")


def test_a_writer_of_sqlite_that_waits_too_long_is_told_so(
    sqlite_log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.event_log.sqlite.BUSY_SECONDS", 0.1)
    path = str(make_url(sqlite_log_url).database)
    with closing(open_log(sqlite_log_url)) as log, closing(sqlite3.connect(path)) as other:
        claim = log.claim(0, "me")
        other.execute("begin immediate")
        with pytest.raises(LogUnreachable, match="locked"):
            log.append(claim, batch(entry(1)))
        assert log.position(0) == 0, "readers are not in its way"
        other.rollback()
        assert log.append(claim, batch(entry(1))) == 1


def test_a_full_disk_leaves_the_log_as_it_was(sqlite_log_url: str) -> None:
    log = SqlLog(locate(sqlite_log_url))
    claim = log.claim(0, "me")
    with log._writing.connect() as connection:
        pages = connection.exec_driver_sql("pragma page_count").scalar_one()
        connection.exec_driver_sql(f"pragma max_page_count = {pages}")
    with pytest.raises(LogUnreachable, match="full"):
        log.append(claim, batch(*(entry(version) for version in range(1, 1_000))))
    with log._writing.connect() as connection:
        connection.exec_driver_sql("pragma max_page_count = 1000000")
    assert log.append(claim, batch(entry(1))) == 1
    log.close()


def test_what_waiting_cannot_mend_is_not_called_unreachable(log_url: str) -> None:
    engine = locate(log_url).writing()
    with pytest.raises(LogError) as caught, faults(), engine.begin() as connection:
        connection.exec_driver_sql("select * from no_such_table")
    assert not isinstance(caught.value, LogUnreachable)
    engine.dispose()
