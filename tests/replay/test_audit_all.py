"""`audit --all` on a real SQLite log that somebody got into with a database tool."""

import sqlite3
from pathlib import Path

import pytest

from services.event_log.port import LogError
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from services.replay.audit import Finding
from services.replay.audit_log import audit_all
from tests.streams import match_id, played, store

FIRST, SECOND = played(1), played(3, moves=20)


class Damaged:
    """A log of two matches and a way to change it behind the program's back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        upgrade(file_url(path))
        log = open_log(file_url(path))
        store(log, [FIRST, SECOND])
        log.close()

    def change(self, *statements: str) -> None:
        with sqlite3.connect(self.path) as connection:
            triggers = connection.execute("select name from sqlite_master where type = 'trigger'")
            for (name,) in triggers.fetchall():
                connection.execute(f"drop trigger {name}")
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def bad(self) -> list[Finding]:
        log = open_reader(file_url(self.path))
        try:
            return [finding for finding in audit_all(log) if not finding.ok]
        finally:
            log.close()


@pytest.fixture
def damaged(tmp_path: Path) -> Damaged:
    return Damaged(tmp_path / "log.db")


def test_an_untouched_log_is_clean(damaged: Damaged) -> None:
    assert damaged.bad() == []


def test_a_flipped_byte_names_its_match_and_version(damaged: Damaged) -> None:
    damaged.change(
        'update events set line = replace(line, \'"origin":"player"\', \'"origin":"playes"\')'
        f" where stream = '{match_id(1)}' and version = 2"
    )
    (finding,) = damaged.bad()
    assert finding.match == match_id(1)
    assert finding.first_bad is not None
    assert finding.first_bad.version == 2


def test_a_dropped_line_is_found_in_its_match_and_in_the_positions(damaged: Damaged) -> None:
    damaged.change(f"delete from events where stream = '{match_id(1)}' and version = 9")
    match, positions = damaged.bad()
    assert match.match == match_id(1)
    assert match.first_bad is not None
    assert match.first_bad.version == 9
    assert positions.match is None


def test_the_last_line_of_a_running_match_dropped_is_found_by_the_positions(
    damaged: Damaged,
) -> None:
    last = len(SECOND.rows)
    damaged.change(f"delete from events where stream = '{match_id(3)}' and version = {last}")
    (finding,) = damaged.bad()
    assert finding.match is None
    assert finding.first_bad is not None
    assert "ends at position" in finding.first_bad.reason


def test_a_doubled_line_is_found(damaged: Damaged) -> None:
    end = len(FIRST.rows) + len(SECOND.rows)
    damaged.change(
        "insert into events select partition, "
        f"{end + 1}, stream, {len(FIRST.rows) + 1}, type, null, line, head, secret"
        f" from events where stream = '{match_id(1)}' and version = {len(FIRST.rows)}",
        f"update partitions set position = {end + 1}",
    )
    (finding,) = damaged.bad()
    assert finding.match == match_id(1)
    assert finding.first_bad is not None
    assert finding.first_bad.version == len(FIRST.rows) + 1


def test_swapped_lines_are_found_at_the_first_of_them(damaged: Damaged) -> None:
    here = f"stream = '{match_id(1)}'"
    damaged.change(
        f"update events set version = 10001 where {here} and version = 20",
        f"update events set version = 20 where {here} and version = 21",
        f"update events set version = 21 where {here} and version = 10001",
    )
    match, positions = damaged.bad()
    assert match.first_bad is not None
    assert match.first_bad.version == 20
    assert positions.first_bad is not None
    assert "in another order" in positions.first_bad.reason


def test_a_byte_that_is_no_text_any_more_names_its_match_and_version(damaged: Damaged) -> None:
    here = f"stream = '{match_id(1)}' and version = 12"
    damaged.change(
        f"update events set line = cast(substr(line, 1, 9) || x'ff' as text) where {here}"
    )
    match, *positions = damaged.bad()
    assert match.match == match_id(1)
    assert match.first_bad is not None
    assert match.first_bad.version == 12
    assert all(finding.match is None for finding in positions)


def test_a_line_that_is_a_blob_names_its_match_and_version(damaged: Damaged) -> None:
    here = f"stream = '{match_id(1)}' and version = 12"
    damaged.change(f"update events set line = cast(line as blob) where {here}")
    (finding, *_) = damaged.bad()
    assert finding.match == match_id(1)
    assert finding.first_bad is not None
    assert finding.first_bad.version == 12


def test_exchanged_positions_are_found(damaged: Damaged) -> None:
    damaged.change(
        "update events set position = 10001 where position = 20",
        "update events set position = 20 where position = 21",
        "update events set position = 21 where position = 10001",
    )
    (finding,) = damaged.bad()
    assert finding.match is None
    assert finding.first_bad is not None
    assert "in another order" in finding.first_bad.reason


def test_a_partition_whose_position_was_lowered_is_found(damaged: Damaged) -> None:
    damaged.change("update partitions set position = position - 1")
    (finding,) = damaged.bad()
    assert finding.match is None
    assert finding.first_bad is not None
    assert "but goes on" in finding.first_bad.reason


def test_a_finished_match_cut_off_with_the_positions_is_found_by_its_lost_end(
    damaged: Damaged,
) -> None:
    """The last command of a log and every trace of its positions; then its match was over."""
    end = len(FIRST.rows)
    cut = max(row.entry.version for row in FIRST.rows if row.entry.command is not None)
    damaged.change(
        f"delete from events where stream = '{match_id(3)}'",
        f"delete from events where stream = '{match_id(1)}' and version >= {cut}",
        f"update partitions set position = {cut - 1}",
        f"delete from open_matches where stream = '{match_id(3)}'",
    )
    assert cut < end
    (finding,) = damaged.bad()
    assert finding.match == match_id(1)
    assert finding.first_bad is not None
    assert finding.first_bad.version == cut
    assert "its end is gone" in finding.first_bad.reason


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update events set stream = '' where stream = '{}'", "which is no match"),
        ("update events set partition = 7 where stream = '{}'", "another partition"),
        ("update events set version = 'zzz' where stream = '{}' and version = 5", "another kind"),
        ("update events set stream = x'6d5f' where stream = '{}'", "another kind"),
        ("update partitions set position = 'many'", "of its last position"),
        ("delete from partitions", "no partition 0"),
    ],
)
def test_what_no_log_holds_is_told_and_stops_nothing(
    damaged: Damaged, statement: str, said: str
) -> None:
    damaged.change(statement.format(match_id(1)))
    reasons = [bad.first_bad.reason for bad in damaged.bad() if bad.first_bad is not None]
    assert any(said in reason for reason in reasons), reasons


def test_a_match_in_another_partition_is_named_at_its_first_row_there(damaged: Damaged) -> None:
    here = f"stream = '{match_id(1)}' and version > 20"
    damaged.change(f"update events set partition = 7 where {here}")
    (match, *_) = damaged.bad()
    assert match.match == match_id(1)
    assert match.first_bad is not None
    assert match.first_bad.version == 21


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update log set partitions = 'x'", "not one row of three numbers"),
        ("update log set partitions = 0", "0 partitions"),
        ("update log set partitions = 1000000000", "1000000000 partitions"),
        ("delete from log", "not one row of three numbers"),
    ],
)
def test_a_log_that_says_nonsense_of_itself_is_not_opened(
    damaged: Damaged, statement: str, said: str
) -> None:
    damaged.change(statement)
    with pytest.raises(LogError, match=said):
        damaged.bad()
