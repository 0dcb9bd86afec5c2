"""Stdout that cannot be written: words and exit 1, but for a reader who has had enough."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

import pytest

from services.replay.signed_heads import read_key
from tests.cli.logs import Log, with_key
from tests.service.up_process import CHECKOUT, environment
from tests.streams import played

FULL: Final = Path("/dev/full")
"""A device that has no room, where there is one."""
RUN: Final = "from services.cli.__main__ import run; run()"
CLOSED: Final = "import sys; sys.stdout = None; "
"""What Python makes of a stdout that the shell has closed."""
MATCH: Final = played(7, moves=30)
CASE: Final = str(CHECKOUT / "tests" / "cases" / "hokm-must-follow.json")
ASKED: Final = [
    ("audit", "--all", "--json"),
    ("match", "replay", MATCH.match, "--json"),
    ("export", MATCH.match, "--out", "-"),
    ("referee", CASE, "--json"),
    ("heads", "key"),
    ("audit", "--help"),
    ("--version",),
]


@pytest.fixture
def log(sqlite_log: Log) -> Log:
    sqlite_log.store(MATCH.rows)
    return sqlite_log


def said(
    environ: Mapping[str, str], *words: str, stdout: int | IO[bytes], before: str = ""
) -> tuple[int, str]:
    """The exit code of a program of its own, and what it said on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", before + RUN, *words],
        env=environment(Path(environ["WARAQ_DATA"]), environ),
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_a_full_disk_is_told_once_and_is_a_failure(log: Log, words: tuple[str, ...]) -> None:
    with FULL.open("wb") as stdout:
        code, told = said(log.environ, *words, stdout=stdout)
    assert code == 1
    (line,) = told.splitlines()
    assert line.endswith("cannot be written: No space left on device")


@pytest.mark.parametrize("words", ASKED[:3], ids=" ".join)
def test_a_stdout_that_is_closed_is_told(log: Log, words: tuple[str, ...]) -> None:
    code, told = said(log.environ, *words, stdout=subprocess.DEVNULL, before=CLOSED)
    assert code == 1
    assert told.endswith("cannot be written: it is closed\n")


@pytest.mark.parametrize("words", ASKED[:3], ids=" ".join)
def test_a_reader_who_has_had_enough_is_no_fault(log: Log, words: tuple[str, ...]) -> None:
    ours, its = os.pipe()
    os.close(ours)
    with os.fdopen(its, "wb") as stdout:
        _, told = said(log.environ, *words, stdout=stdout)
    assert "Error" not in told
    assert "Traceback" not in told


def test_a_key_that_is_asked_for_is_on_stdout(tmp_path: Path) -> None:
    environ = with_key(tmp_path) | {"WARAQ_DATA": str(tmp_path)}
    done = Log("", environ).waraq("heads", "key")
    key = read_key(Path(environ["WARAQ_HEAD_KEY_FILE"]))
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{key.public}\n", "")
