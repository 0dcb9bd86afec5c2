"""An owner killed with -9: what it was told is stored, the rest is not, and the lock is free."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Final

import pytest
from sqlalchemy import make_url

from services.event_log.port import EventLog
from services.event_log.sql import open_log, open_reader
from services.event_log.upgrade import check
from tests.event_log.owner_process import BATCH, INSIDE
from tests.event_log.places import PARTITIONS, batch, entries, entry, positions, versions

ROOT: Final = Path(__file__).parents[2]
SECONDS: Final = 20.0
LINES: Final = 20


@contextmanager
def owner(url: str, what: str) -> Iterator[Callable[[], str]]:
    """Another process that owns partition 0; gives its next line. It is killed at the end."""
    command = [sys.executable, "-m", "tests.event_log.owner_process", url, what]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said: IO[str] = process.stdout

        def line() -> str:
            word = said.readline().strip()
            assert word, "the owner ended by itself"
            return word

        try:
            yield line
        finally:
            process.kill()
            process.wait(SECONDS)


def drain(line: Callable[[], str]) -> None:
    while True:
        line()


def held_in_time(log: EventLog) -> bool:
    """True once the lock is ours: PostgreSQL has to see first that the other end is gone."""
    end = time.monotonic() + SECONDS
    while not log.hold(0):
        assert time.monotonic() < end, "the dead owner's lock was not given up"
    return True


def test_killed_between_appends_it_has_lost_nothing_it_was_told(log_url: str) -> None:
    with closing(open_log(log_url)) as log:
        with owner(log_url, "endless") as line:
            told = [int(line()) for _ in range(LINES)][-1]
            assert not log.hold(0), "a living owner has the lock"
        assert held_in_time(log)
        # A server may still be at the dead owner's last append: the claim fences it off.
        claim = log.claim(0, "next")
        stored = log.position(0)
        assert claim.position == stored
        assert stored >= told
        assert stored % BATCH == 0, "whole batches"
        assert positions(log.read(0, 0, limit=stored + 1)) == list(range(1, stored + 1))
        assert log.append(claim, batch(entry(stored + 1))) == stored + 1
    assert check(log_url).problems == ()


def test_killed_inside_an_append_it_leaves_nothing_of_it(log_url: str) -> None:
    with closing(open_log(log_url)) as log:
        with owner(log_url, INSIDE) as line:
            assert int(line()) == BATCH
            assert line() == INSIDE
            assert log.position(0) == BATCH, "a reader does not see half a transaction"
        assert held_in_time(log)
        claim = log.claim(0, "next")
        assert claim.position == BATCH
        assert log.open_streams(0) == ()
        assert log.append(claim, batch(entry(BATCH + 1))) == BATCH + 1
        assert versions(log.read(0, 0)) == list(range(1, BATCH + 2))


def test_an_owner_that_lives_on_after_another_took_over_is_fenced(log_url: str) -> None:
    with closing(open_log(log_url)) as log, owner(log_url, "endless") as line:
        line()
        claim = log.claim(0, "thief")
        with pytest.raises(AssertionError, match="ended by itself"):
            drain(line)
        assert log.append(claim, batch(*entries(claim.position + 1, claim.position + 2)))
        rows = log.read(0, 0, limit=claim.position + 9)
        assert positions(rows) == list(range(1, claim.position + 3))


def test_sqlite_is_whole_after_a_kill(sqlite_log_url: str) -> None:
    with owner(sqlite_log_url, INSIDE) as line:
        while line() != INSIDE:
            pass
    path = make_url(sqlite_log_url).database
    assert path is not None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert connection.execute("select count(*) from events").fetchall() == [(BATCH,)]


def test_a_reader_of_sqlite_leaves_the_journal_to_the_writer(sqlite_log_url: str) -> None:
    with owner(sqlite_log_url, "endless") as line:
        told = [int(line()) for _ in range(LINES)][-1]
    path = Path(str(make_url(sqlite_log_url).database))
    files = [path, path.with_name("log.db-wal")]
    before = [file.read_bytes() for file in files]
    assert before[1], "the killed writer has left a journal"
    with closing(open_reader(sqlite_log_url)) as reader:
        assert len(reader.read(0, 0)) >= told
        assert reader.info().partitions == PARTITIONS
    assert [file.read_bytes() for file in files] == before
