"""The web worker beside scoring: both begin at once, and standings are made anew meanwhile."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Final

import pytest
import sqlalchemy as sa

from services.rules.games import GAMES
from services.scoring.database import (
    StandingsMissing,
    disposing,
    open_engine,
    open_shared,
    reading,
)
from services.scoring.ledger import ticket_days, tickets
from services.scoring.records import standing_of, top_of
from services.scoring.standings import Standings
from services.scoring.tables import open_tables, tables_of
from services.scoring.tickets import Given, TicketOffice, WantedTicket, give, left_of
from tests.eventful import mixed
from tests.scoring.beside import KEYS, NOW, WANTED
from tests.scoring.databases import all_rows, made_from, new_log, store_together
from tests.streams import OWNER, match_id, played

CHECKOUT: Final = Path(__file__).parents[2]
MANY: Final = 100_000
"""Tickets of a day that never run out."""


def begun(what: str, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.scoring.beside", what, url],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def let_go(processes: list[subprocess.Popen[str]]) -> None:
    """All at once, when all are there."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


@pytest.mark.slow
def test_processes_that_begin_together_make_the_tables_once(standings_url: str) -> None:
    processes = [begun(what, standings_url) for what in ("create", "give", "create")]
    let_go(processes)
    ended = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], ended
    with disposing(open_engine(standings_url)) as engine, engine.connect() as connection:
        rows = connection.execute(sa.select(sa.func.count()).select_from(tickets)).scalar_one()
        used = connection.execute(sa.select(ticket_days.c.used)).scalar_one()
    assert (rows, used) == (WANTED, WANTED)


def test_standings_made_anew_lose_no_ticket_and_tear_no_page(
    engine: sa.Engine, standings_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers and givers go on; each of a rebuild's drops falls between their transactions."""
    monkeypatch.setattr("services.scoring.standings.PAGE", 200)
    log, done = new_log(partitions=2), Event()
    store_together(log, [*(played(seed).rows for seed in (1_000, 1_001)), *mixed(4)])
    Standings(engine).catch_up(log)
    with disposing(open_shared(standings_url)) as shared, ThreadPoolExecutor(4) as pool:
        office = TicketOffice(shared, KEYS, daily=MANY)
        givers = [pool.submit(_give, office, first, done) for first in (0, MANY)]
        readers = [pool.submit(_read, shared, done) for _ in range(2)]
        try:
            for _ in range(3):
                Standings(engine).rebuild(log)
        finally:
            done.set()
        given = [match for giver in givers for match in giver.result(60)]
        assert all(reader.result(60) for reader in readers)
        assert left_of(office, OWNER, 0, NOW).left == MANY - len(given)
    with engine.connect() as connection:
        assert sorted(connection.execute(sa.select(tickets.c.match)).scalars()) == sorted(given)
    assert all_rows(engine) == made_from(log)


def _give(office: TicketOffice, first: int, done: Event) -> list[str]:
    given: list[str] = []
    while not done.is_set() or not given:
        match = match_id(first + len(given))
        found = give(office, OWNER, WantedTicket(match=match, offset=0), NOW)
        assert isinstance(found, Given)
        given.append(match)
    return given


def _read(engine: sa.Engine, done: Event) -> int:
    """All lists, as often as it goes; a table always has all its seats."""
    rounds = 0
    while not done.is_set() or not rounds:
        with reading(engine) as connection:
            for table in (*open_tables(connection), *tables_of(connection, OWNER)):
                assert len(table.seats) == GAMES[table.ruleset].seats(table.options)
            top_of(connection, 10)
            standing_of(connection, OWNER)
        rounds += 1
    return rounds


def test_who_shares_a_database_makes_none(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    with disposing(open_shared(f"sqlite:///{file}")) as shared:
        with pytest.raises(StandingsMissing), reading(shared):
            pass
        with pytest.raises(StandingsMissing):
            give(TicketOffice(shared, KEYS), OWNER, WantedTicket(match=match_id(1), offset=0), NOW)
        assert not file.exists()


def test_a_file_that_was_put_in_anothers_place_is_the_one_that_is_written(tmp_path: Path) -> None:
    """`waraq up` removes the standings of a log that is gone, while the web worker runs."""
    file = tmp_path / "kept.db"
    with disposing(open_shared(f"sqlite:///{file}")) as shared:
        office = TicketOffice(shared, KEYS)
        for _ in range(2):
            for old in tmp_path.glob("kept.db*"):
                old.unlink()
            with disposing(open_engine(f"sqlite:///{file}")) as own:
                Standings(own).create()
            found = give(office, OWNER, WantedTicket(match=match_id(1), offset=0), NOW)
            assert isinstance(found, Given)
            with disposing(open_engine(f"sqlite:///{file}")) as own, own.connect() as connection:
                assert connection.execute(sa.select(tickets.c.match)).scalars().all()
