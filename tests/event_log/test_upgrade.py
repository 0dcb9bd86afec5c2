"""Making a log, finding none, bringing it up to date, and saying what is wrong with it."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from services.event_log.port import FORMAT, PARTITIONS_LIMIT, LogError, LogInfo, LogMissing
from services.event_log.sql import file_url, locate, open_log, open_reader
from services.event_log.upgrade import LogMismatch, check, restored, upgrade
from tests.event_log.places import PARTITIONS, batch, entries, positions

ROOT: Final = Path(__file__).parents[2]
PROCESSES: Final = 2
SECONDS: Final = 60.0
UPGRADE: Final = "import sys; from services.event_log.upgrade import upgrade; upgrade(sys.argv[1])"


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a log, with none in it."""
    if request.param == "sqlite":
        return file_url(tmp_path / "log.db")
    return str(request.getfixturevalue("postgres_url"))


def change(url: str, statement: str) -> None:
    engine = locate(url).writing()
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def test_the_number_of_partitions_follows_the_database(tmp_path: Path, postgres_url: str) -> None:
    assert upgrade(file_url(tmp_path / "log.db")).partitions == 1
    assert upgrade(postgres_url).partitions == 16


def test_an_upgraded_log_is_empty_and_whole(empty_url: str) -> None:
    expected = LogInfo(format=FORMAT, generation=1, partitions=3)
    assert upgrade(empty_url, partitions=3) == expected
    with closing(open_log(empty_url)) as log:
        assert log.info() == expected
        assert [log.position(partition) for partition in range(3)] == [0, 0, 0]
    checked = check(empty_url)
    assert checked.problems == ()
    assert checked.revision == checked.head


def test_upgrading_again_changes_nothing(log_url: str) -> None:
    with closing(open_log(log_url)) as log:
        log.append(log.claim(0, "me"), batch(*entries(1, 3)))
    assert upgrade(log_url).partitions == PARTITIONS
    assert upgrade(log_url, partitions=PARTITIONS).partitions == PARTITIONS
    with closing(open_reader(log_url)) as reader:
        assert positions(reader.read(0, 0)) == [1, 2, 3]


def test_another_number_of_partitions_is_refused(log_url: str) -> None:
    with pytest.raises(LogMismatch, match=f"{PARTITIONS} partitions, not 5"):
        upgrade(log_url, partitions=5)
    assert check(log_url).problems == ()


@pytest.mark.parametrize("partitions", [0, -1, PARTITIONS_LIMIT + 1])
def test_a_log_has_no_more_partitions_than_one_worker_can_serve(
    tmp_path: Path, partitions: int
) -> None:
    with pytest.raises(LogError, match="from 1 to 128"):
        upgrade(file_url(tmp_path / "log.db"), partitions=partitions)
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_no_log_it_says_how_to_make_one(empty_url: str) -> None:
    for use in (open_log, open_reader, check, restored):
        with pytest.raises(LogMissing, match="waraq db upgrade"):
            use(empty_url)


def test_looking_for_a_log_makes_no_file(tmp_path: Path) -> None:
    for use in (open_log, open_reader, check, restored):
        with pytest.raises(LogMissing):
            use(file_url(tmp_path / "log.db"))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "log.db").touch()
    for use in (open_log, open_reader):
        with pytest.raises(LogMissing, match="waraq db upgrade"):
            use(file_url(tmp_path / "log.db"))


def test_a_file_of_something_else_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "log.db").write_text("nothing of a database\n" * 100)
    for use in (open_log, open_reader, upgrade):
        with pytest.raises(LogError, match="not a database"):
            use(file_url(tmp_path / "log.db"))


def test_a_log_of_another_format_is_not_opened(log_url: str) -> None:
    change(log_url, "update log set format = 2")
    for use in (open_log, open_reader):
        with pytest.raises(LogMissing, match=r"format 2, not 1.*waraq db upgrade"):
            use(log_url)
    assert any("format" in problem for problem in check(log_url).problems)


def test_a_log_from_a_newer_program_is_not_upgraded(log_url: str) -> None:
    change(log_url, "update alembic_version set version_num = '9999'")
    with pytest.raises(LogError, match="newer program"):
        upgrade(log_url)
    assert any("9999" in problem for problem in check(log_url).problems)


def test_an_upgrade_that_fails_leaves_nothing(empty_url: str) -> None:
    with locate(empty_url).upgrading() as connection:
        connection.exec_driver_sql("create table dead_letters (id integer)")
    with pytest.raises(LogError, match="dead_letters"):
        upgrade(empty_url)
    with pytest.raises(LogMissing):
        open_log(empty_url)
    change(empty_url, "drop table dead_letters")
    upgrade(empty_url)
    assert check(empty_url).problems == ()


@pytest.mark.parametrize("guard", ["events_no_update", "events_no_delete"])
def test_a_missing_guard_is_found(log_url: str, guard: str) -> None:
    where = " on events" if log_url.startswith("postgresql") else ""
    change(log_url, f"drop trigger {guard}{where}")
    assert [guard in problem for problem in check(log_url).problems] == [True]


def test_a_guard_that_is_switched_off_is_found(postgres_log_url: str) -> None:
    change(postgres_log_url, "alter table events disable trigger events_no_truncate")
    problems = check(postgres_log_url).problems
    assert ["events_no_truncate" in problem for problem in problems] == [True]


def test_a_missing_partition_is_found(log_url: str) -> None:
    change(log_url, "delete from partitions where partition = 0")
    assert ["0 to 1" in problem for problem in check(log_url).problems] == [True]


def test_a_log_put_back_from_a_copy_has_a_new_generation(log_url: str) -> None:
    assert restored(log_url).generation == 2
    assert restored(log_url).generation == 3
    with closing(open_reader(log_url)) as reader:
        assert reader.info().generation == 3


def test_upgrades_at_the_same_time_make_one_log(empty_url: str) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", UPGRADE, empty_url], cwd=ROOT)
        for _ in range(PROCESSES)
    ]
    assert [process.wait(SECONDS) for process in running] == [0] * PROCESSES
    assert check(empty_url).problems == ()


def test_upgrades_in_several_threads_make_one_log_each(tmp_path: Path) -> None:
    urls = [file_url(tmp_path / f"{number}.db") for number in range(PROCESSES)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        assert [info.generation for info in pool.map(upgrade, urls)] == [1] * PROCESSES
    assert all(check(url).problems == () for url in urls)


def test_the_files_of_a_log_are_for_their_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        upgrade(file_url(tmp_path / "log.db"))
        log = open_log(file_url(tmp_path / "log.db"))
        assert log.hold(0)
        log.append(log.claim(0, "me"), batch(*entries(1, 3)))
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        log.close()
    finally:
        os.umask(before)
    assert {"log.db", "log.db-wal", "log.db-shm"} < set(modes)
    assert set(modes.values()) == {0o600}


def test_the_folder_of_a_log_must_exist(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"missing/log\.db"):
        upgrade(file_url(tmp_path / "missing" / "log.db"))


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    url = file_url(tmp_path / "a b%20?mode=rwc#ورق;.db")
    upgrade(url)
    log, reader = open_log(url), open_reader(url)
    log.append(log.claim(0, "me"), batch(*entries(1, 3)))
    assert positions(reader.read(0, 0)) == [1, 2, 3]
    log.close()
    reader.close()
    assert (tmp_path / "a b%20?mode=rwc#ورق;.db").is_file()


@pytest.mark.parametrize(
    "url", ["", "log.db", "sqlite://", "sqlite:///:memory:", "mysql://h/d", "nats://h"]
)
def test_other_urls_are_not_logs(url: str) -> None:
    for use in (open_log, open_reader, upgrade, check):
        with pytest.raises(LogError, match=r"sqlite:///path or postgresql://"):
            use(url)


def test_no_message_shows_a_password(postgres_url: str) -> None:
    secret = "open-sesame"
    url = postgres_url.replace("postgres@", f"postgres:{secret}@")
    with pytest.raises(LogMissing) as caught:
        open_log(url)
    assert secret not in str(caught.value)


def test_the_long_and_the_old_form_of_a_postgres_url(postgres_log_url: str) -> None:
    for form in ("postgresql+psycopg:", "postgres:"):
        with closing(open_reader(postgres_log_url.replace("postgresql:", form))) as reader:
            assert reader.info().partitions == PARTITIONS


def test_alembic_itself_upgrades_a_log(empty_url: str) -> None:
    alembic = [sys.executable, "-m", "alembic", "-x", f"url={empty_url}", "-x", "partitions=3"]
    subprocess.run([*alembic, "upgrade", "head"], cwd=ROOT, check=True, timeout=SECONDS)
    with closing(open_reader(empty_url)) as reader:
        assert reader.info().partitions == 3
    assert check(empty_url).problems == ()


def test_the_migrations_are_found_from_any_folder(tmp_path: Path) -> None:
    url = file_url(tmp_path / "log.db")
    subprocess.run([sys.executable, "-c", UPGRADE, url], cwd=tmp_path, check=True, timeout=SECONDS)
    assert check(url).problems == ()
