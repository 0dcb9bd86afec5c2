"""`restore.sh` stopped on the way says what is to be done next: its programs are stood in for by
ones that write down how they were called, and end as they are told.
"""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from tests.service.up_process import CHECKOUT

DRILLS: Final = CHECKOUT / "deploy" / "drills"
NAMES: Final = ("standings", "profiles", "log")
STAND_IN: Final = f"""#!{sys.executable}
import json, os, sys
name = os.path.basename(sys.argv[0])
password = os.environ.get("PGPASSWORD")
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps({{"name": name, "words": sys.argv[1:], "password": password}}) + "\\n")
print(0)
fails = os.environ.get("FAILS")
sys.exit(bool(fails and fails in " ".join((name, *sys.argv[1:]))))
"""


class Called(Struct):
    """How a script ended, and which programs it called."""

    code: int
    err: str
    calls: list[dict[str, Any]]


def called(tmp_path: Path, script: str, folder: Path, *, fails: str = "", **more: str) -> Called:
    """`fails`: what is in the words of the program that ends badly."""
    programs = tmp_path / "programs"
    programs.mkdir(exist_ok=True)
    for name in ("psql", "pg_dump", "pg_restore", "waraq"):
        (programs / name).write_text(STAND_IN)
        (programs / name).chmod(0o700)
    calls = tmp_path / "calls"
    calls.write_text("")
    urls = {f"WARAQ_{one.upper()}_URL": f"postgresql://me@db/{one}" for one in NAMES}
    path = f"{programs}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", DRILLS / script, folder],
        env={"PATH": path, "CALLS": str(calls), "FAILS": fails} | urls | more,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Called(
        done.returncode, done.stderr, [json.loads(one) for one in calls.read_text().splitlines()]
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.dump").write_text(name)
    sums = (f"{sha256(name.encode()).hexdigest()}  ./{name}.dump\n" for name in NAMES)
    (folder / "SHA256SUMS").write_text("".join(sums))
    return folder


def test_the_log_comes_last_and_is_said_to_be_restored_at_once(tmp_path: Path, copy: Path) -> None:
    done = called(tmp_path, "restore.sh", copy)
    assert done.code == 0, done.err
    put = [one["words"][-1] for one in done.calls if one["name"] == "pg_restore"]
    assert put == [f"{copy}/{name}.dump" for name in NAMES]
    assert (done.calls[-1]["name"], done.calls[-1]["words"]) == ("waraq", ["db", "restored"])
    assert "NOT RESTORED" not in done.err


@pytest.mark.parametrize(
    ("fails", "next_"),
    [
        ("psql", "nothing was put back"),
        ("standings.dump", "make these databases anew and empty"),
        ("log.dump", "make these databases anew and empty"),
        ("waraq", "run `waraq db restored`"),
    ],
)
def test_stopped_on_the_way_it_says_what_is_next(
    tmp_path: Path, copy: Path, fails: str, next_: str
) -> None:
    done = called(tmp_path, "restore.sh", copy, fails=fails)
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith("NOT RESTORED. Start no worker. Next: ")
    assert next_ in done.err.splitlines()[-1]


@pytest.mark.parametrize("script", ["backup.sh", "restore.sh"])
def test_a_password_is_in_no_programs_words(tmp_path: Path, copy: Path, script: str) -> None:
    url = "postgresql://me:s3cret%40%2f%C3%A9%25@db-0:1,db-1:2/log?sslmode=verify-full"
    folder = copy if script == "restore.sh" else tmp_path / "new"
    done = called(tmp_path, script, folder, WARAQ_LOG_URL=url)
    assert "s3cret" not in json.dumps([one["words"] for one in done.calls]) + done.err
    shown = "--dbname=postgresql://me@db-0:1,db-1:2/log?sslmode=verify-full"
    logs = [one for one in done.calls if shown in one["words"]]
    assert {one["password"] for one in logs} == {"s3cret@/é%"}
    assert len(logs) == (2 if script == "restore.sh" else 1)
    others = [one for one in done.calls if shown not in one["words"]]
    assert {one["password"] for one in others} == {None}, "it is told to nobody else"


def test_a_password_where_it_would_be_shown_is_refused(tmp_path: Path, copy: Path) -> None:
    url = "postgresql://me@db/log?sslmode=require&password=s3cret"
    done = called(tmp_path, "restore.sh", copy, WARAQ_LOG_URL=url)
    assert (done.code, done.calls) == (2, [])
    assert "before its host" in done.err


def test_a_copy_that_has_changed_is_not_put_back(tmp_path: Path, copy: Path) -> None:
    (copy / "log.dump").write_text("another")
    done = called(tmp_path, "restore.sh", copy)
    assert (done.code, done.calls, "nothing was put back" in done.err) == (1, [], True)
