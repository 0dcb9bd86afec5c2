"""Standings dropped and rebuilt from the log are equal, row by row, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
import sqlalchemy as sa

from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import READ_ROWS, LogError, LogUnreachable, Row
from services.scoring import ledger, standings
from services.scoring.database import StandingsMissing, open_existing
from services.scoring.standings import OtherForm, Rebuilt, Standings
from tests.eventful import mixed
from tests.scoring.databases import all_rows, made_from, new_log, store_together
from tests.streams import played

MATCHES = 25
MASKED = range(1_000, 1_003)


@pytest.fixture(scope="module")
def matches() -> list[list[Row]]:
    """Of both games and all fates: left and taken seats, time-outs, abandons; some with masks."""
    return [*(played(seed).rows for seed in MASKED), *mixed(MATCHES - len(MASKED))]


def test_dropped_and_rebuilt_they_are_equal_row_by_row(
    engine: sa.Engine, matches: list[list[Row]]
) -> None:
    log, kept = new_log(partitions=3), Standings(engine)
    for first in range(0, MATCHES, 5):  # kept up to date while it is played
        store_together(log, matches[first : first + 5])
        kept.catch_up(log)
    before = all_rows(engine)
    made = kept.rebuild(log)
    assert all_rows(engine) == before == made_from(log)
    assert made == Rebuilt(
        events=sum(map(len, matches)),
        matches=MATCHES,
        players=len({player for _, player, *_ in before["members"]}),
        points=len(before["points"]),
        records=len(before["records"]),
    )
    assert min(made.points, made.records) > 0


def test_what_was_wrong_in_them_is_gone(engine: sa.Engine, matches: list[list[Row]]) -> None:
    log, kept = new_log(), Standings(engine)
    store_together(log, matches[:5])
    kept.catch_up(log)
    with engine.begin() as connection:
        for table in (ledger.points, ledger.seats, ledger.cursors):
            connection.execute(sa.delete(table))
        connection.exec_driver_sql("drop table members")
    kept.rebuild(log)
    assert all_rows(engine) == made_from(log)


def test_tickets_are_not_in_the_log_and_stay(engine: sa.Engine) -> None:
    """What cannot be made again is in no projection."""
    assert not set(ledger.given.tables) & set(ledger.projections.tables)
    with engine.begin() as connection:
        connection.exec_driver_sql("create table of_others (x integer)")
    Standings(engine).rebuild(new_log())
    assert sa.inspect(engine).has_table("of_others")


def test_workers_go_on_while_they_are_rebuilt(
    engine: sa.Engine, matches: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "PAGE", 50)
    log, done = new_log(partitions=2), Event()
    store_together(log, matches[:10])
    Standings(engine).catch_up(log)

    def work() -> int:
        rounds = 0
        while not done.is_set():
            Standings(engine).catch_up(log)
            rounds += 1
        return rounds

    with ThreadPoolExecutor(2) as pool:
        workers = [pool.submit(work) for _ in range(2)]
        try:
            for _ in range(2):
                Standings(engine).rebuild(log)
        finally:
            done.set()
        assert all(worker.result(60) for worker in workers)
    Standings(engine).catch_up(log)
    assert all_rows(engine) == made_from(log)


class Breaking(MemoryLog):
    """A log that cannot be read any more after some pages."""

    pages = 3

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        self.pages -= 1
        if self.pages < 0:
            raise LogUnreachable("planted")
        return super().read(partition, after, limit)


def test_a_rebuild_that_was_broken_off_is_finished_by_the_next_who_catches_up(
    engine: sa.Engine, matches: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "PAGE", 50)
    log, kept = new_log(), Standings(engine)
    store_together(log, matches[:5])
    kept.catch_up(log)
    with pytest.raises(LogUnreachable):
        kept.rebuild(Breaking(log._store))
    assert 0 < kept.behind(log) < sum(map(len, matches[:5]))
    kept.catch_up(log)
    assert all_rows(engine) == made_from(log)


def test_a_log_put_back_from_a_copy_is_counted_anew(
    engine: sa.Engine, matches: list[list[Row]]
) -> None:
    log, restored = new_log(), MemoryLog(MemoryStore(partitions=1, generation=2))
    store_together(log, matches[:5])
    store_together(restored, matches[5:7])
    kept = Standings(engine)
    kept.catch_up(log)
    kept.catch_up(restored)
    assert all_rows(engine) == made_from(restored)
    with pytest.raises(LogError, match="another generation"):
        kept._catch_up(log, 0, 1)  # a worker that has not seen yet that it was put back
    assert all_rows(engine) == made_from(restored)


def test_projections_of_an_older_form_are_made_anew(
    engine: sa.Engine, matches: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = new_log()
    store_together(log, matches[:3])
    Standings(engine).catch_up(log)
    monkeypatch.setattr(ledger, "FORM", ledger.FORM + 1)
    Standings(engine).create()
    assert Standings(engine).catch_up(log) == sum(map(len, matches[:3]))
    assert all_rows(engine)["form"] == [(ledger.FORM,)]


def test_those_that_had_no_form_yet_are_made_anew_too(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("drop table form")
        connection.exec_driver_sql("drop table matches")
        connection.exec_driver_sql("create table matches (match text primary key)")
    Standings(engine).create()
    log = new_log()
    store_together(log, list(mixed(1)))
    Standings(engine).catch_up(log)
    assert all_rows(engine) == made_from(log)


def test_who_only_reads_is_told_of_another_form(
    standings_url: str, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_existing(standings_url).dispose()
    monkeypatch.setattr(ledger, "FORM", ledger.FORM + 1)
    with pytest.raises(StandingsMissing, match="form"):
        open_existing(standings_url)
    assert all_rows(engine)


def test_a_program_of_another_form_takes_nothing_in(
    engine: sa.Engine, matches: list[list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old worker of a change of programs: what it means is not what the new columns say."""
    log, old = new_log(), Standings(engine)
    store_together(log, matches[:2])
    old.catch_up(log)
    with monkeypatch.context() as newer:
        newer.setattr(ledger, "FORM", ledger.FORM + 1)
        Standings(engine).create()
    with pytest.raises(OtherForm, match="start it again"):
        old.catch_up(log)
    with monkeypatch.context() as newer:
        newer.setattr(ledger, "FORM", ledger.FORM + 1)
        assert Standings(engine).catch_up(log) == sum(map(len, matches[:2]))


def test_tables_that_were_taken_away_are_made_anew_by_a_worker_that_runs(
    engine: sa.Engine, matches: list[list[Row]]
) -> None:
    log, kept = new_log(), Standings(engine)
    store_together(log, matches[:3])
    kept.catch_up(log)
    with engine.begin() as connection:
        ledger.projections.drop_all(connection)
    kept.catch_up(log)
    assert all_rows(engine) == made_from(log)


def test_standings_that_have_more_than_the_log_say_so(
    engine: sa.Engine, matches: list[list[Row]]
) -> None:
    """A log put back from a copy, and nobody told: what comes next would be passed over."""
    log, older, kept = new_log(), new_log(), Standings(engine)
    store_together(log, matches[:3])
    store_together(older, matches[:2])
    kept.catch_up(log)
    for look in (kept.catch_up, kept.behind):
        with pytest.raises(LogError, match="waraq db restored"):
            look(older)
    kept.rebuild(older)
    assert all_rows(engine) == made_from(older)


def test_of_another_generation_all_is_still_to_come(
    engine: sa.Engine, matches: list[list[Row]]
) -> None:
    log, restored = new_log(), MemoryLog(MemoryStore(partitions=1, generation=2))
    for each in (log, restored):
        store_together(each, matches[:1])
        Standings(engine).catch_up(log)
    assert Standings(engine).behind(restored) == len(matches[0])
