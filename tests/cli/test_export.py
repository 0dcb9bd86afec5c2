"""`waraq export`: who sees what, files whole or not at all, nothing damaged and nothing signed."""

import os
import sqlite3
import stat
from pathlib import Path

import msgspec
import pytest

from services.replay.match_file import FORMAT
from services.replay.signed_heads import key_from
from tests.cli.logs import HEAD_SEED, Log, stopped, told
from tests.replay.files import HEAD_KEY, as_bytes, over, read_all, running

OVER, LIVE, SECOND = over(0), running(3), over(1)
ID, LIVE_ID, SECOND_ID = (rows[0].entry.stream for rows in (OVER, LIVE, SECOND))


@pytest.fixture
def log_of_two(log: Log) -> Log:
    log.store(OVER, LIVE)
    return log


def exported(log: Log, path: Path, *words: str) -> bytes:
    done = log.waraq("export", *words, "--out", str(path))
    assert done.exit_code == 0, done.stderr
    return path.read_bytes()


def test_a_match_that_is_over_is_written_for_the_judge_and_a_running_one_for_anybody(
    log_of_two: Log, tmp_path: Path
) -> None:
    out = tmp_path / "file"
    assert exported(log_of_two, out, ID) == as_bytes(OVER, "judge", HEAD_KEY)
    assert exported(log_of_two, out, LIVE_ID) == as_bytes(LIVE, "public", HEAD_KEY)
    both = as_bytes(OVER, "judge", HEAD_KEY) + as_bytes(LIVE, "public", HEAD_KEY)
    assert exported(log_of_two, out, "--all") == both


@pytest.mark.parametrize("viewer", ["judge", "public", "seat:1"])
def test_every_viewer_has_its_file(log_of_two: Log, tmp_path: Path, viewer: str) -> None:
    data = exported(log_of_two, tmp_path / "file", ID, "--as", viewer)
    assert data == as_bytes(OVER, viewer, HEAD_KEY)


@pytest.mark.parametrize("viewer", ["judge", "seat:1"])
def test_the_hands_of_a_running_match_are_for_who_says_live(
    log_of_two: Log, tmp_path: Path, viewer: str
) -> None:
    out = tmp_path / "file"
    refused = log_of_two.waraq("export", LIVE_ID, "--as", viewer, "--out", str(out))
    assert stopped(refused) == (2, "Error: nothing is written")
    assert "say --live" in refused.stderr
    assert not out.exists()
    data = exported(log_of_two, out, LIVE_ID, "--as", viewer, "--live")
    assert data == as_bytes(LIVE, viewer, HEAD_KEY)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_of_all_matches_those_are_left_out_that_the_viewer_may_not_see(
    log_of_two: Log, tmp_path: Path
) -> None:
    done = log_of_two.waraq("export", "--all", "--as", "judge", "--out", str(tmp_path / "file"))
    assert done.exit_code == 0
    assert f"{LIVE_ID} is left out: it is being played" in done.stderr
    assert "1 written, 1 left out, 0 damaged" in done.stderr


def test_a_seat_that_the_match_has_not_is_left_out(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER, SECOND)  # of four seats, and of two
    words = ("--as", "seat:3", "--out", str(tmp_path / "file"))
    assert (
        f"{SECOND_ID} is left out: it has no seat:3"
        in sqlite_log.waraq("export", "--all", *words).stderr
    )
    assert stopped(sqlite_log.waraq("export", SECOND_ID, *words))[0] == 2


def test_each_match_has_a_line_for_programs(log_of_two: Log, tmp_path: Path) -> None:
    out = tmp_path / "file"
    lines = told(log_of_two.waraq("export", "--all", "--json", "--out", str(out)))
    headers = [file.header for file in read_all(out.read_bytes())]
    assert lines == [
        {
            "match": header.match,
            "events": header.events,
            "viewer": header.viewer,
            "head": header.head,
            "signed": msgspec.to_builtins(header.signed),
        }
        for header in headers
    ]
    assert list(lines[0]) == ["match", "events", "viewer", "head", "signed"]
    assert lines[0]["signed"]["key"] == key_from(HEAD_SEED).public


def test_without_a_key_a_file_is_not_signed(sqlite_log: Log, tmp_path: Path) -> None:
    keyless = Log(sqlite_log.url, {"WARAQ_DATA": sqlite_log.environ["WARAQ_DATA"]})
    keyless.store(OVER)
    assert exported(keyless, tmp_path / "file", ID) == as_bytes(OVER, "judge")
    keyless.store(SECOND)
    said = keyless.waraq("export", "--all", "--out", str(tmp_path / "file")).stderr
    assert said.count("not signed: there is no head key: `waraq up` makes ") == 1
    for log, form in ((sqlite_log, "jsonl"), (keyless, "text")):
        done = log.waraq("export", ID, "--format", form, "--out", str(tmp_path / "file"))
        assert (done.exit_code, "not signed" in done.stderr) == (0, False)


def test_a_key_that_cannot_be_used_stops_the_command(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER)
    out = tmp_path / "file"
    Path(sqlite_log.environ["WARAQ_HEAD_KEY_FILE"]).chmod(0o644)
    code, said = stopped(sqlite_log.waraq("export", ID, "--out", str(out)))
    assert (code, "chmod 600" in said) == (1, True)
    named = Log(sqlite_log.url, {**sqlite_log.environ, "WARAQ_HEAD_KEY_FILE": "nowhere"})
    assert stopped(named.waraq("export", ID, "--out", str(out)))[0] == 1
    assert not out.exists()


# Where it is written --------------------------------------------------------------------------


def test_stdout_takes_the_file_and_nothing_else(log_of_two: Log) -> None:
    done = log_of_two.waraq("export", ID, "--out", "-")
    assert done.stdout_bytes == as_bytes(OVER, "judge", HEAD_KEY)
    assert stopped(log_of_two.waraq("export", ID, "--out", "-", "--json"))[0] == 2


def test_a_file_is_replaced_as_a_whole_and_a_link_stays_one(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(OVER)
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    exported(sqlite_log, link, ID)
    assert link.is_symlink()
    assert file.read_bytes() == as_bytes(OVER, "judge", HEAD_KEY)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "link", "data", "head.key"}


def test_what_comes_to_nothing_leaves_the_file_that_was_there(
    sqlite_log: Log, tmp_path: Path
) -> None:
    out = tmp_path / "file"
    out.write_text("old")
    nobody = sqlite_log.waraq("export", "--all", "--out", str(out))
    assert stopped(nobody) == (3, "Error: nothing is written: the log has no match yet")
    sqlite_log.store(LIVE)
    assert stopped(sqlite_log.waraq("export", ID, "--out", str(out)))[0] == 3
    words = ("export", "--all", "--as", "judge", "--out", str(out))
    assert stopped(sqlite_log.waraq(*words))[0] == 2
    assert out.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"file", "data", "head.key"}


@pytest.mark.parametrize("end", ["/", "//", "/.", "/.."])
def test_a_files_name_that_ends_as_a_folders_replaces_no_file(
    sqlite_log: Log, tmp_path: Path, end: str
) -> None:
    sqlite_log.store(OVER)
    out = tmp_path / "kept.jsonl"
    out.write_text("old")
    code, said = stopped(sqlite_log.waraq("export", ID, "--out", f"{out}{end}"))
    assert (code, "is a folder's name: name a file" in said) == (2, True)
    assert out.read_text() == "old"


def test_a_device_is_written_to_and_not_replaced(sqlite_log: Log) -> None:
    sqlite_log.store(OVER)
    assert sqlite_log.waraq("export", ID, "--out", os.devnull).exit_code == 0
    assert Path(os.devnull).is_char_device()


def test_a_place_that_cannot_be_written_is_named(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER)
    for out, code in ((tmp_path, 2), (tmp_path / "none" / "file", 1), (Path("/dev/full"), 1)):
        found, said = stopped(sqlite_log.waraq("export", ID, "--out", str(out)))
        assert (found, str(out) in said) == (code, True), said


# Bad input and damage -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2),
        ((ID, "--all"), 2),
        (("m_1",), 3),
        (("m_" + "f" * 32,), 3),
        ((ID, "--as", "everybody"), 2),
        ((ID, "--as", "seat:4"), 2),
        ((ID, "--format", "xml"), 2),
    ],
)
def test_bad_words_are_told(sqlite_log: Log, words: tuple[str, ...], code: int) -> None:
    sqlite_log.store(OVER)
    assert stopped(sqlite_log.waraq("export", *words, "--out", "-"))[0] == code


def test_where_there_is_no_log_it_says_so(tmp_path: Path) -> None:
    nowhere = Log("", {"WARAQ_DATA": str(tmp_path / "none")})
    assert stopped(nowhere.waraq("export", "--all", "--out", "-"))[0] == 3
    gone = Log("", {"WARAQ_LOG_URL": "postgresql://u@127.0.0.1:1/none"})
    assert stopped(gone.waraq("export", "--all", "--out", "-"))[0] == 5


@pytest.mark.parametrize(
    "damage",
    [
        "update events set head = replace(head, substr(head, 1, 1), 'g')",
        "update events set line = cast(line as blob)",
        "delete from events",
        'update events set secret = \'{"order":["AS"]}\'',
    ],
)
def test_a_damaged_match_is_named_and_the_others_go_on(
    sqlite_log: Log, tmp_path: Path, damage: str
) -> None:
    sqlite_log.store(OVER, SECOND)
    shuffle = next(row.entry.version for row in OVER if row.entry.secret is not None)
    with sqlite3.connect(sqlite_log.url.removeprefix("sqlite:///")) as connection:
        for guard in ("update", "delete", "replace"):
            connection.execute(f"drop trigger events_no_{guard}")
        connection.execute(f"{damage} where stream = '{ID}' and version = {shuffle}")
    connection.close()
    out = tmp_path / "file"
    done = sqlite_log.waraq("export", "--all", "--out", str(out))
    assert stopped(done)[0] == 4
    assert f"{ID} is not exported: " in done.stderr
    assert out.read_bytes() == as_bytes(SECOND, "judge", HEAD_KEY)
    assert stopped(sqlite_log.waraq("export", ID, "--out", str(out)))[0] == 4
    assert FORMAT in out.read_text()
