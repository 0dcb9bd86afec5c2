"""The standings' file: taken away, replaced or damaged while somebody has it open."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from services.event_log.sql import file_url
from services.scoring.database import StandingsDamaged, StandingsMissing, faults, open_engine
from services.scoring.database import open_existing as opened
from services.scoring.standings import Standings
from tests.scoring.databases import all_rows, made_from, new_log, store_together
from tests.streams import played


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "standings.db"


def take_away(file: Path) -> None:
    for part in file.parent.glob(f"{file.name}*"):
        part.unlink()


def test_a_worker_goes_on_in_the_file_that_is_there(file: Path) -> None:
    """Not in one without a name, which nobody else can read."""
    log, worker = new_log(), open_engine(file_url(file))
    store_together(log, [played(1).rows])
    Standings(worker).create()
    Standings(worker).catch_up(log)
    take_away(file)
    store_together(log, [played(2).rows])
    Standings(worker).catch_up(log)
    reader = opened(file_url(file))
    assert all_rows(reader) == made_from(log)
    reader.dispose()
    worker.dispose()


def test_a_worker_and_who_counts_anew_after_the_file_was_gone_write_into_one(file: Path) -> None:
    log, worker, other = new_log(), open_engine(file_url(file)), open_engine(file_url(file))
    store_together(log, [played(1).rows])
    Standings(worker).create()
    take_away(file)
    Standings(other).rebuild(log)
    store_together(log, [played(2).rows])
    Standings(worker).catch_up(log)
    assert all_rows(other) == made_from(log)
    for engine in (worker, other):
        engine.dispose()


def test_a_file_that_is_no_database_is_said_with_what_to_do(file: Path) -> None:
    file.write_bytes(b"not a database " * 1_000)
    with pytest.raises(StandingsDamaged, match="standings rebuild"):
        opened(file_url(file))
    engine = open_engine(file_url(file))
    with pytest.raises(StandingsDamaged), faults():
        Standings(engine).create()
    engine.dispose()


def test_a_file_with_broken_pages_is_said_with_what_to_do(file: Path) -> None:
    log, engine = new_log(), open_engine(file_url(file))
    store_together(log, [played(1).rows])
    Standings(engine).create()
    Standings(engine).catch_up(log)
    engine.dispose()
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    engine = open_engine(file_url(file))
    with pytest.raises(StandingsDamaged), faults():
        Standings(engine).create()
    engine.dispose()


def test_an_empty_file_has_nothing_in_it(file: Path) -> None:
    file.touch()
    with pytest.raises(StandingsMissing, match="standings"):
        opened(file_url(file))


def test_in_memory_there_is_no_file_to_lose() -> None:
    engine = open_engine("sqlite://")
    with engine.connect() as connection:
        assert connection.execute(sa.select(1)).scalar() == 1
    engine.dispose()
