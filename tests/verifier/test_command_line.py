"""`node verify.js FILE`: a line a check on stdout, and the exit codes of the README."""

import os
from pathlib import Path
from typing import Final

import pytest

from tests.verifier.matches import PLAYERS, feed, match_file, played, text_of
from tests.verifier.node import VERIFIER, node
from tests.verifier.tables import HAND, HOKM

FULL: Final = Path("/dev/full")
BROWSER: Final = """
const url = process.argv[1], write = process.stdout.write.bind(process.stdout);
delete globalThis.process;
const { verify } = await import(url);
write(typeof verify);
"""
"""Loads the module where there is no `process`, as in a page."""


@pytest.fixture(scope="module")
def text() -> str:
    return text_of(feed(played(2, HOKM), PLAYERS[1]))


@pytest.fixture
def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "feed.ndjson"
    path.write_text(text)
    return path


def test_a_right_match_is_0_and_a_line_a_check(file: Path) -> None:
    done = node([VERIFIER, file, "--seat", "1"])
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, len(lines) > 20) == (0, True)
    assert all(line.startswith("ok\t") for line in lines)
    assert b"nothing is wrong" in done.stderr


def test_the_standard_input_is_read(text: str, file: Path) -> None:
    assert node([VERIFIER, "-"], text).stdout == node([VERIFIER, file]).stdout


def test_a_difference_is_4_and_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "forged.ndjson"
    file.write_text(
        text.replace('"type":"card_played","card":"', '"type":"card_played","card":"X', 1)
    )
    done = node([VERIFIER, file])
    assert done.returncode == 4
    assert b"first wrong is version" in done.stderr
    assert b"wrong\t" in done.stdout


@pytest.mark.parametrize(("seat", "code"), [("1", 0), ("0", 4)])
def test_who_reads_no_further_gets_the_exit_code_and_no_trace(
    file: Path, seat: str, code: int
) -> None:
    """As `| head`, which has gone before all is said; the cards are those of seat 1."""
    reader, writer = os.pipe()
    os.close(reader)
    done = node([VERIFIER, file, "--seat", seat], stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr.count(b"\n")) == (code, 1), done.stderr.decode()


@pytest.mark.skipif(not FULL.exists(), reason="a device that takes nothing is Linux's own")
def test_what_cannot_be_written_is_1_and_no_trace(file: Path) -> None:
    with FULL.open("wb") as full:
        done = node([VERIFIER, file, "--seat", "1"], stdout=full.fileno())
    assert done.returncode == 1
    assert b"cannot be written" in done.stderr
    assert b"    at " not in done.stderr


def test_a_head_that_is_not_there_is_4(file: Path) -> None:
    assert node([VERIFIER, file, "--head", "5a" * 32]).returncode == 4


def test_heads_that_are_there_are_0(file: Path) -> None:
    table = played(2, HOKM)
    heads = [word for entry in table.entries[::50] for word in ("--head", entry.head)]
    assert node([VERIFIER, file, *heads]).returncode == 0


def test_every_match_of_a_file_is_checked(tmp_path: Path) -> None:
    right, wrong = match_file(played(2, HOKM), "judge"), match_file(played(4, HAND), "seat:1")
    file = tmp_path / "all.ndjson"
    file.write_text(text_of([*right, *wrong]))
    done = node([VERIFIER, file])
    assert (done.returncode, done.stderr.count(b"nothing is wrong")) == (0, 2)
    file.write_text(text_of([*right, *wrong[:-1]]))
    assert node([VERIFIER, file]).returncode == 4


@pytest.mark.parametrize(
    "words", [[], ["a", "b"], ["--seat", "4", "FILE"], ["--seat", "x", "FILE"], ["--deck", "FILE"]]
)
def test_wrong_usage_is_2(words: list[str], file: Path) -> None:
    done = node([VERIFIER, *(file if word == "FILE" else word for word in words)])
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
    assert b"    at " not in done.stderr


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{", b"\xff\xfe", b"[1]", b'{"format":"pgn"}'])
def test_an_unreadable_file_is_2(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    done = node([VERIFIER, file])
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
    assert b"    at " not in done.stderr


@pytest.mark.parametrize("name", ["absent", "."])
def test_what_is_no_file_is_2(tmp_path: Path, name: str) -> None:
    done = node([VERIFIER, tmp_path / name])
    assert (done.returncode, b"cannot be read" in done.stderr) == (2, True)


def test_it_loads_where_there_is_no_node() -> None:
    done = node(["--input-type=module", "--eval", BROWSER, VERIFIER.as_uri()])
    assert (done.returncode, done.stdout) == (0, b"function"), done.stderr.decode()


def test_it_imports_nothing_at_the_top() -> None:
    assert not [line for line in VERIFIER.read_text().splitlines() if line.startswith("import ")]
