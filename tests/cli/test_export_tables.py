"""`waraq export --format parquet`: whole or not at all, nothing hidden, and honest exit codes."""

import importlib.util
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.cards import decode_pack, encode_pack
from schemas.events import decode_event, encode_event
from schemas.subjects import partition_of
from services.analytics.folder import read_note
from services.analytics.match_rows import match_rows
from services.analytics.tables import TABLES
from services.cli import export_tables
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Batch, Row
from services.event_log.sql import open_log
from services.replay import audit_log
from services.replay.audit import audit_match
from tests.analytics.lake import answer, contents, export, golden, new_log, opened, running
from tests.cli.logs import Log, stopped, told
from tests.replay.files import over
from tests.streams import match_id

CHECKOUT = Path(__file__).parents[2]
OVER, SECOND = over(0), over(1)
LIVE = running(over(5), rounds=1)
UNREVEALED = over(2)[:40]
WORDS = ("export", "--all", "--format", "parquet", "--out")


def beside(path: Path) -> set[str]:
    """What stands in the folder around it."""
    return {one.name for one in path.parent.iterdir()} - {path.name}


def on_day(rows: tuple[Row, ...], days: int, number: int) -> tuple[Row, ...]:
    """The same match, some days later and under another id; its lines chain, its seals do not."""
    head, made = NO_HEAD, []
    for row in rows:
        event = decode_event(row.entry.line)
        moved = replace(event, match=match_id(number), time=event.time + days * 86_400_000)
        line = encode_event(moved).decode()
        head = next_head(head, line)
        entry = replace(row.entry, stream=match_id(number), line=line, head=head)
        made.append(replace(row, entry=entry))
    return tuple(made)


@pytest.fixture
def believing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches on other days are not those that were sealed: here nobody audits them."""

    def audited(log: Any, stream: str) -> Any:
        found = audit_log.audited(log, stream)
        rows = log.load(stream)
        return replace(found, finding=replace(found.finding, first_bad=None), rows=rows)

    monkeypatch.setattr(export_tables, "audited", audited)


# A whole log ----------------------------------------------------------------------------------


def test_all_matches_become_tables_and_each_table_has_a_line(log: Log, tmp_path: Path) -> None:
    log.store(OVER, SECOND, LIVE)
    out = tmp_path / "tables"
    lines = told(log.waraq(*WORDS, str(out), "--json"))
    assert [line["table"] for line in lines] == list(TABLES)
    assert list(lines[0]) == ["table", "rows", "bytes"]
    tables = opened(out)
    for line in lines:
        assert answer(tables, f"SELECT count(*) FROM {line['table']}") == [(line["rows"],)]
    assert answer(tables, "SELECT match, status FROM matches ORDER BY match") == sorted(
        (rows[0].entry.stream, status)
        for rows, status in ((OVER, "ended"), (SECOND, "ended"), (LIVE, "playing"))
    )
    assert beside(out) & {".tables.new", ".tables.old", ".tables.lock"} == set()


def test_the_same_log_makes_the_same_bytes_and_a_second_time_replaces(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(OVER, LIVE)
    out = export(sqlite_log, tmp_path / "tables")
    first = contents(out)
    assert contents(export(sqlite_log, out)) == first
    assert contents(export(sqlite_log, tmp_path / "others")) == first
    sqlite_log.store(SECOND)
    assert contents(export(sqlite_log, out)) != first


def test_the_folder_of_a_link_is_replaced_and_the_link_stays(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(OVER)
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to("real")
    export(sqlite_log, link)
    assert link.is_symlink()
    assert (tmp_path / "real" / "export.json").exists()


def test_one_match_is_enough(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER, SECOND)
    out, match = tmp_path / "tables", OVER[0].entry.stream
    done = sqlite_log.waraq("export", match, "--format", "parquet", "--out", str(out))
    assert done.exit_code == 0
    assert answer(opened(out), "SELECT match FROM matches") == [(match,)]
    assert read_note(out).next is None


# What is hidden -------------------------------------------------------------------------------


def dealt_otherwise(rows: tuple[Row, ...], luck: Random) -> tuple[Row, ...]:
    """The same lines, some cards that nobody has shown yet being in other hands; lawful still."""
    last = max(at for at, row in enumerate(rows) if row.entry.secret is not None)
    entry, later = rows[last].entry, "".join(row.entry.line for row in rows[last:])
    assert entry.secret is not None
    pack = list(decode_pack(entry.secret))
    unseen = [at for at, card in enumerate(pack) if f'"{card}"' not in later]
    for _ in range(200):
        one, other = luck.sample(unseen, k=2)
        turned = list(pack)
        turned[one], turned[other] = pack[other], pack[one]
        changed = replace(entry, secret=encode_pack(tuple(turned)))
        made = (*rows[:last], replace(rows[last], entry=changed), *rows[last + 1 :])
        if audit_match([row.entry for row in made]).ok:
            pack, entry, rows = turned, changed, made
    return rows


@pytest.mark.parametrize("seed", range(10))
def test_two_deals_that_are_the_same_in_public_give_the_same_bytes(
    tmp_path: Path, seed: int
) -> None:
    """Through the whole command, the audit included, while the round is played."""
    live = running(over(seed), rounds=1)
    other = dealt_otherwise(live, Random(seed))
    assert [row.entry.line for row in other] == [row.entry.line for row in live]
    assert other != live
    first = export(new_log(tmp_path / "data0", [live]), tmp_path / "tables0")
    second = export(new_log(tmp_path / "data1", [other]), tmp_path / "tables1")
    assert contents(first) == contents(second)
    assert answer(opened(first), "SELECT DISTINCT round FROM deals") == [(1,)]


def test_a_match_without_a_revealed_round_is_left_out_by_name(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(OVER, UNREVEALED)
    out = tmp_path / "tables"
    done = sqlite_log.waraq(*WORDS, str(out))
    assert done.exit_code == 0
    assert f"{UNREVEALED[0].entry.stream} is left out: it is played" in done.stderr
    assert answer(opened(out), "SELECT count(*) FROM matches") == [(1,)]
    alone = ("export", UNREVEALED[0].entry.stream, "--format", "parquet", "--out")
    assert stopped(sqlite_log.waraq(*alone, str(tmp_path / "one"))) == (
        2,
        "Error: nothing is written",
    )
    assert not (tmp_path / "one").exists()


# What is wrong --------------------------------------------------------------------------------


def test_without_duckdb_it_says_what_to_install(
    sqlite_log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "duckdb" else whole(name, *a)
    )
    sqlite_log.store(OVER)
    code, said = stopped(sqlite_log.waraq(*WORDS, str(tmp_path / "tables")))
    assert (code, said) == (
        1,
        "Error: --format parquet needs duckdb: python -m pip install duckdb",
    )


def test_the_command_line_does_without_duckdb_until_it_is_asked_for() -> None:
    program = "import sys, services.cli.__main__\nassert 'duckdb' not in sys.modules\n"
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--as", "judge"], "leave --as and --live away"),
        (["--live"], "leave --as and --live away"),
        (["--since", "soon"], "--since takes a day"),
        (["--since", "2026-02-30"], "--since takes a day"),
    ],
)
def test_what_makes_no_sense_is_refused(
    sqlite_log: Log, tmp_path: Path, words: list[str], said: str
) -> None:
    sqlite_log.store(OVER)
    out = export(sqlite_log, tmp_path / "tables")
    before = contents(out)
    code, last = stopped(sqlite_log.waraq(*WORDS, str(out), *words))
    assert (code, said in last) == (2, True)
    assert contents(out) == before


def test_since_is_for_all_tables(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER)
    match, out = OVER[0].entry.stream, str(tmp_path / "out")
    for words in (
        ("--all", "--format", "jsonl", "--since", "last"),
        (match, "--format", "parquet", "--since", "last"),
        ("--all", "--format", "parquet", "--since", "2026-11-30"),  # no export is there
    ):
        code, said = stopped(sqlite_log.waraq("export", *words, "--out", out))
        assert (code, "--since" in said) == (2, True)


def test_nothing_but_an_export_is_replaced(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").write_text("mine")
    for name, said in (("file", "no folder"), ("folder", "something else"), ("-", "a folder")):
        out = name if name == "-" else str(tmp_path / name)
        code, last = stopped(sqlite_log.waraq(*WORDS, out))
        assert (code, said in last) == (2, True)
    assert (tmp_path / "file").read_text() == (tmp_path / "folder" / "mine").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    export(sqlite_log, tmp_path / "empty")


def test_a_log_without_a_match_and_a_match_that_is_not_there(
    sqlite_log: Log, tmp_path: Path
) -> None:
    out = str(tmp_path / "tables")
    assert stopped(sqlite_log.waraq(*WORDS, out))[0] == 3
    sqlite_log.store(OVER)
    nobody = SECOND[0].entry.stream
    code, said = stopped(sqlite_log.waraq("export", nobody, "--format", "parquet", "--out", out))
    assert (code, nobody in said) == (3, True)
    assert not (tmp_path / "tables").exists()


def test_a_damaged_match_is_named_and_left_out(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER, SECOND)
    out = tmp_path / "tables"
    connection = sqlite3.connect(sqlite_log.url.removeprefix("sqlite:///"))
    with closing(connection), connection:
        connection.execute("drop trigger events_no_update")
        connection.execute(
            "update events set head = replace(head, substr(head, 1, 1), 'g')"
            f" where stream = '{OVER[0].entry.stream}' and version = 12"
        )
    done = sqlite_log.waraq(*WORDS, str(out))
    assert stopped(done)[0] == 4
    assert f"{OVER[0].entry.stream} is not exported: version 12" in done.stderr
    assert answer(opened(out), "SELECT match FROM matches") == [(SECOND[0].entry.stream,)]


def test_a_row_lost_on_the_way_is_found_and_nothing_is_written(
    sqlite_log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def losing(known: Any) -> Any:
        made = match_rows(known)
        return replace(made, rows={**made.rows, "plays": made.rows["plays"][1:]})

    sqlite_log.store(OVER)
    out = export(sqlite_log, tmp_path / "tables")
    before = contents(out)
    monkeypatch.setattr(export_tables, "match_rows", losing)
    code, said = stopped(sqlite_log.waraq(*WORDS, str(out)))
    assert (code, "plays has" in said) == (4, True)
    assert contents(out) == before
    assert ".tables.new" not in beside(out)


def test_a_place_that_cannot_be_written_says_so(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(OVER)
    code, said = stopped(sqlite_log.waraq(*WORDS, str(tmp_path / "no" / "where")))
    assert (code, "cannot be written" in said) == (1, True)


def test_a_folder_that_would_be_read_as_a_pattern_is_refused(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(OVER)
    for name in ("tables*", "what?", "a[1]"):
        code, said = stopped(sqlite_log.waraq(*WORDS, str(tmp_path / name)))
        assert (code, "read as a pattern" in said) == (2, True)
    export(sqlite_log, tmp_path / "Anne's tables, {1} ; $HOME ميز")


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    log = new_log(tmp_path / "data", [OVER, *golden()])
    out = tmp_path / "tables"
    match = OVER[0].entry.stream
    assert log.waraq("export", match, "--format", "parquet", "--out", str(out)).exit_code == 0
    before = contents(out)
    command = f"ulimit -f 64; exec {sys.executable} -m services.cli {' '.join(WORDS)} {out}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=CHECKOUT,
        env={**os.environ, **log.environ},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert f"{out} cannot be written: File too large" in done.stderr
    assert contents(out) == before
    assert beside(out) == {"data"}


def test_an_unreachable_database_is_5(tmp_path: Path) -> None:
    nowhere = {"WARAQ_LOG_URL": "postgresql://u@127.0.0.1:1/x", "WARAQ_DATA": str(tmp_path)}
    code, _ = stopped(Log("", nowhere).waraq(*WORDS, str(tmp_path / "tables")))
    assert code == 5


# Killed, and two at once ----------------------------------------------------------------------


def heed_ctrl_c() -> None:
    """What a shell begins in the background ignores it, and so would all that we begin."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def exporting(log: Log, out: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command as a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "services.cli", *WORDS, str(out)],
        cwd=CHECKOUT,
        env={**os.environ, **log.environ},
        stderr=subprocess.DEVNULL,
        preexec_fn=heed_ctrl_c,  # noqa: PLW1509 no other thread runs
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(there: Path) -> None:
    """Wait until something stands there."""
    deadline = time.monotonic() + 30
    while not there.exists():
        assert time.monotonic() < deadline, f"{there} never came"
        time.sleep(0.005)


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_export_leaves_what_was_there_and_the_next_one_clears_up(
    tmp_path: Path, sign: signal.Signals
) -> None:
    log = new_log(tmp_path / "data", [OVER, *golden()])
    out = tmp_path / "tables"
    match = OVER[0].entry.stream
    assert log.waraq("export", match, "--format", "parquet", "--out", str(out)).exit_code == 0
    before = contents(out)
    with exporting(log, out) as process:
        until(tmp_path / ".tables.new")
        process.send_signal(signal.SIGSTOP)  # else it may have come to its end by then
        busy = stopped(log.waraq(*WORDS, str(out)))
        assert (busy[0], "another command writes" in busy[1]) == (1, True)
        process.send_signal(sign)
        process.send_signal(signal.SIGCONT)
        process.wait()
    assert contents(out) == before
    assert (".tables.new" in beside(out)) == (sign == signal.SIGKILL)
    export(log, out)
    assert answer(opened(out), "SELECT count(*) FROM matches") == [(1 + len(golden()),)]
    assert beside(out) == {"data"}


def test_killed_between_the_two_renames_what_was_there_comes_back(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(OVER)
    out = export(sqlite_log, tmp_path / "tables")
    before = contents(out)
    out.rename(tmp_path / ".tables.old")
    assert stopped(sqlite_log.waraq(*WORDS, str(out), "--since", "soon"))[0] == 2
    assert contents(out) == before


# Day by day -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("believing")
def test_since_last_writes_what_may_have_changed_and_links_the_rest(
    sqlite_log: Log, tmp_path: Path
) -> None:
    old, live = on_day(OVER, -40, 101), on_day(over(5), -30, 102)
    sqlite_log.store(old, running(live, rounds=1))
    out = export(sqlite_log, tmp_path / "tables", "--since", "last")  # there is none yet: all
    note = read_note(out)
    assert note.days is not None
    assert note.next == note.days[1]  # where a match is played
    kept = next(path for path in out.glob("plays/*/*/*") if note.days[0].isoformat() in str(path))
    inode = kept.stat().st_ino

    already = len(running(live, rounds=1))
    sqlite_log.store(on_day(SECOND, -20, 103))
    with sqlite_store(sqlite_log) as add:
        add(live[already:])
    export(sqlite_log, out, "--since", "last")
    assert kept.stat().st_ino == inode
    whole = export(sqlite_log, tmp_path / "whole")
    for table in TABLES:
        select = f"SELECT * FROM {table} ORDER BY ALL"
        assert answer(opened(out), select) == answer(opened(whole), select)
    assert read_note(out) == read_note(whole)


@contextmanager
def sqlite_store(log: Log) -> Iterator[Any]:
    """Appends later rows of a match that is open."""
    opened_log = open_log(log.url)

    def add(rows: tuple[Row, ...]) -> None:
        match = rows[0].entry.stream
        claim = opened_log.claim(partition_of(match, opened_log.info().partitions), "test")
        opened_log.append(claim, Batch(entries=tuple(r.entry for r in rows), closed=(match,)))

    yield add
    opened_log.close()


@pytest.mark.usefixtures("believing")
def test_an_export_that_began_too_late_does_not_forget_where_it_should_have(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(running(on_day(over(5), -30, 102), rounds=1), on_day(SECOND, -20, 103))
    out = export(sqlite_log, tmp_path / "tables")
    due = read_note(out).next
    assert due is not None
    latest = read_note(out).days
    assert latest is not None
    export(sqlite_log, out, "--since", latest[1].isoformat())
    assert read_note(out).next == due


@pytest.mark.usefixtures("believing")
def test_a_match_from_a_wrong_clock_does_not_hide_those_of_today(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(on_day(OVER, 36_500, 104))
    out = export(sqlite_log, tmp_path / "tables")
    sqlite_log.store(on_day(SECOND, 0, 105))
    note = read_note(out)
    assert note.next is not None
    assert note.days is not None
    assert note.next < note.days[0]
