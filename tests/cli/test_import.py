"""`waraq import`: whole or absent, the heads as they were, the same bytes when exported again."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from schemas.commands import HokmOptions
from schemas.ids import MatchId
from schemas.subjects import partition_of
from services.cli.exits import Stop
from services.cli.place import Place, lock_folder
from services.event_log.port import Row
from services.event_log.sql import file_url, open_log
from services.replay import rebuild
from services.rules.history import unfold
from tests.cli.logs import Log, stopped, told
from tests.replay.files import (
    HEAD_KEY,
    SEEDS,
    as_bytes,
    joined,
    over,
    pairs,
    running,
)
from tests.streams import played as streamed

MATCHES = [over(seed) for seed in SEEDS]
HOKM = MATCHES[0]
ID = HOKM[0].entry.stream
FILE = as_bytes(HOKM, "judge", HEAD_KEY)
ALL = b"".join(as_bytes(rows, "judge", HEAD_KEY) for rows in MATCHES)


def imported(log: Log, data: bytes) -> list[bool]:
    """Import a file; for each match, whether it was there already."""
    return [line["already"] for line in told(log.waraq("import", "-", "--json", said=data))]


def refused(log: Log, data: bytes) -> tuple[int, str]:
    """How a file is not imported: the code, and all that was said."""
    done = log.waraq("import", "-", "--json", said=data)
    assert done.stdout == ""
    return stopped(done)[0], done.stderr


def same(log: Log, rows: tuple[Row, ...]) -> bool:
    stored = log.rows(rows[0].entry.stream)
    return [row.entry for row in stored] == [row.entry for row in rows]


def test_an_empty_log_gets_the_same_matches_and_gives_the_same_file(
    new_log: Callable[[], Log], tmp_path: Path
) -> None:
    first, second = new_log(), new_log()
    first.store(*MATCHES)
    out, again = tmp_path / "out", tmp_path / "again"
    told(first.waraq("export", "--all", "--out", str(out), "--json"))
    lines = told(second.waraq("import", str(out), "--json"))
    assert [list(line) for line in lines] == [["match", "events", "head", "already"]] * 5
    assert all(same(second, rows) for rows in MATCHES)
    assert second.open_matches() == ()
    told(second.waraq("export", "--all", "--out", str(again), "--json"))
    assert again.read_bytes() == out.read_bytes() == ALL
    assert second.faults() == []


def test_an_imported_match_is_the_same_at_every_version(log: Log) -> None:
    imported(log, ALL)
    for rows in MATCHES:
        stored = log.rows(rows[0].entry.stream)
        ours, theirs = (unfold(row.entry for row in found) for found in (stored, rows))
        assert all(one.after == two.after for one, two in zip(ours, theirs, strict=True))
    stored = log.rows(ID)
    for version in range(1, len(HOKM) + 1):
        assert rebuild.at(stored, version) == rebuild.at(HOKM, version)


def test_a_match_that_is_there_already_is_left_as_it_is(log: Log) -> None:
    assert imported(log, FILE) == [False]
    assert imported(log, ALL) == [True, False, False, False, False]
    assert imported(log, ALL) == [True] * 5
    assert all(same(log, rows) for rows in MATCHES)


def test_a_match_that_is_there_with_other_rows_is_not_touched(log: Log) -> None:
    log.store(HOKM[:-1])
    code, said = refused(log, FILE)
    assert code == 4
    assert f"the log has it with {len(HOKM) - 1} events, not {len(HOKM)}" in said
    assert same(log, HOKM[:-1])


def with_other_command(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    parts = [(k, b'"other-command-id"' if k == "command" else v) for k, v in pairs(lines[1])]
    return b"".join((lines[0], joined(parts), *lines[2:]))


def test_a_match_that_is_there_with_other_commands_is_told_apart(log: Log) -> None:
    imported(log, FILE)
    code, said = refused(log, with_other_command(FILE))
    assert code == 4
    assert "with another command or pack: version 1 is the first that differs" in said
    assert same(log, HOKM)


@pytest.mark.slow
def test_the_longest_matches_go_in_at_once(log: Log) -> None:
    """Hokm to 100 by single points: more than 12,000 events, though nobody left or was late."""
    options = HokmOptions(target=100, win=1, kot=1, hakem_kot=1)
    rows = tuple(streamed(7, options=options).rows)
    assert len(rows) > 12_000
    assert imported(log, as_bytes(rows, "judge")) == [False]
    assert same(log, rows)


# What is not imported -------------------------------------------------------------------------


def test_a_running_match_is_left_out_and_the_others_are_imported(log: Log) -> None:
    live = as_bytes(running(3), "judge")
    assert imported(log, live + FILE) == [False]
    code, said = refused(log, live)
    assert (code, "being played when the file was written" in said) == (2, True)
    assert log.rows(running(3)[0].entry.stream) == ()


@pytest.mark.parametrize("viewer", ["public", "seat:1"])
def test_who_watched_or_sat_cannot_bring_a_match_back_for_he_has_no_commands_ids(
    log: Log, viewer: str
) -> None:
    """A log accepts a command's id once, for ever: also after a match was brought back."""
    data = as_bytes(HOKM, viewer, HEAD_KEY)
    assert imported(log, data + as_bytes(MATCHES[1], "judge")) == [False]
    code, said = refused(log, data)
    assert (code, "commands' ids" in said) == (2, True)
    assert log.rows(ID) == ()


def test_a_match_that_does_not_audit_is_not_imported_and_the_others_are(log: Log) -> None:
    bad = as_bytes(MATCHES[1], "judge").replace(b'"stock":', b'"stock":1', 1)
    done = log.waraq("import", "-", "--json", said=bad + FILE)
    assert stopped(done)[0] == 4
    assert done.stdout.count("\n") == 1
    assert "is not imported: version" in done.stderr
    assert log.rows(MATCHES[1][0].entry.stream) == ()
    assert same(log, HOKM)


def test_a_match_signed_by_nobody_who_saw_it_is_not_imported(log: Log) -> None:
    signed = HEAD_KEY.public.encode()
    code, said = refused(log, FILE.replace(signed, b"0" * 64, 1))
    assert (code, "signature" in said) == (4, True)
    assert log.rows(ID) == ()


def test_what_cannot_be_read_is_told_by_line_and_the_matches_before_it_are_in(log: Log) -> None:
    done = log.waraq("import", "-", said=FILE + b"garbage\n")
    line = FILE.count(b"\n") + 1
    assert stopped(done) == (2, f"Error: <stdin>: line {line}: it is no JSON object")
    assert "1 imported" in done.stderr
    assert same(log, HOKM)


def test_notes_are_not_kept_and_counted(log: Log) -> None:
    first, second, *rest = FILE.splitlines(keepends=True)
    noted = [joined([*pairs(line), ("_mine", b"1")]) for line in (first, second)]
    done = log.waraq("import", "-", said=b"".join((*noted, *rest)))
    assert done.exit_code == 0
    assert "2 notes are left out: a log keeps none" in done.stderr
    assert same(log, HOKM)


# Its place ------------------------------------------------------------------------------------


def test_a_folder_without_a_log_gets_one(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    log = Log(file_url(data / "log.db"), {"WARAQ_DATA": str(data)})
    assert imported(log, FILE) == [False]
    assert same(log, HOKM)
    assert (data / "log.db").stat().st_mode & 0o777 == 0o600


def test_no_log_is_made_for_what_cannot_be_read(tmp_path: Path) -> None:
    log = Log("", {"WARAQ_DATA": str(tmp_path / "data")})
    assert refused(log, b"")[0] == 2
    missing = str(tmp_path / "none")
    assert stopped(log.waraq("import", missing)) == (3, f"Error: there is no file {missing!a}")
    assert stopped(log.waraq("import", str(tmp_path)))[0] == 2
    assert not (tmp_path / "data").exists()


def test_an_outside_log_is_not_made(tmp_path: Path) -> None:
    missing = Log("", {"WARAQ_LOG_URL": file_url(tmp_path / "log.db")})
    assert refused(missing, FILE)[0] == 3
    gone = Log("", {"WARAQ_LOG_URL": "postgresql://u@127.0.0.1:1/none"})
    assert refused(gone, FILE)[0] == 5
    wrong = Log("", {"WARAQ_LOG_URL": "mysql://u@127.0.0.1/none"})
    assert refused(wrong, FILE)[0] == 1


def test_a_table_at_work_is_not_disturbed(log: Log) -> None:
    table = open_log(log.url)
    try:
        table.join()
        partition = partition_of(ID, table.info().partitions)
        assert table.hold(partition)
        claim = table.claim(partition, "table")
        code, said = refused(log, FILE)
        assert (code, "stop the service first" in said) == (1, True)
        assert log.rows(ID) == ()
        assert table.claim(partition, "table").epoch == claim.epoch + 1
    finally:
        table.close()
    assert imported(log, FILE) == [False]


def test_a_service_in_the_folder_is_told_of(sqlite_log: Log) -> None:
    place = Place(Path(sqlite_log.environ["WARAQ_DATA"]), {})
    with lock_folder(place, "this test's"):
        with pytest.raises(Stop):
            lock_folder(place, "another's")
        code, said = refused(sqlite_log, FILE)
    assert (code, "a service is running in" in said) == (1, True)
    assert imported(sqlite_log, FILE) == [False]


def test_killed_at_any_moment_each_match_is_whole_or_absent(log: Log) -> None:
    """The file comes line by line, so that the kill is within the second match."""
    half = len(FILE) + len(as_bytes(MATCHES[1], "judge", HEAD_KEY)) // 2
    running_import = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "import", "-", "--json"],
        env={**os.environ, **log.environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert running_import.stdin is not None
    assert running_import.stdout is not None
    running_import.stdin.write(ALL[:half])
    running_import.stdin.flush()
    assert ID.encode() in running_import.stdout.readline()
    running_import.send_signal(signal.SIGKILL)
    running_import.communicate()
    assert same(log, HOKM)
    assert not any(log.rows(name) for name in ids(MATCHES[1:]))
    assert imported(log, ALL) == [True, False, False, False, False]
    assert all(same(log, rows) for rows in MATCHES)


def ids(matches: list[tuple[Row, ...]]) -> list[MatchId]:
    return [rows[0].entry.stream for rows in matches]
