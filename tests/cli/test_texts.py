"""Texts of matches by the command line: out of a log, and into another one, to the byte."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from services.replay.text.match_text import write
from tests.cli.logs import Log, stopped, told
from tests.replay.files import SEEDS, broken_off, over, running

MATCHES = [*map(over, SEEDS), broken_off(3)]
ID = MATCHES[0][0].entry.stream
TEXTS = [write([row.entry for row in rows]) for rows in MATCHES[:3]]
SECRET = next(line for line in TEXTS[0].splitlines() if line.startswith("[Secret"))[9:-2]


def test_texts_of_a_whole_log_bring_its_matches_back_to_the_byte(
    new_log: Callable[[], Log], tmp_path: Path
) -> None:
    first, second = new_log(), new_log()
    first.store(*MATCHES[:3], MATCHES[4], MATCHES[5])
    out, again = tmp_path / "texts", tmp_path / "again"
    lines = told(first.waraq("export", "--all", "--format", "text", "--out", str(out), "--json"))
    assert [line["signed"] for line in lines] == [None] * 5
    told(second.waraq("import", str(out), "--json"))
    for rows in (*MATCHES[:3], MATCHES[4], MATCHES[5]):
        stored = second.rows(rows[0].entry.stream)
        assert [row.entry for row in stored] == [row.entry for row in rows]
    assert second.faults() == []
    told(second.waraq("export", "--all", "--format", "text", "--out", str(again), "--json"))
    assert again.read_bytes() == out.read_bytes()


def test_a_running_match_and_a_viewer_have_no_text(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(over(0), running(3))
    live, out = running(3)[0].entry.stream, tmp_path / "text"
    for words in ((live,), (live, "--live", "--as", "judge"), (ID, "--as", "public")):
        done = sqlite_log.waraq("export", *words, "--format", "text", "--out", str(out))
        assert stopped(done) == (2, "Error: nothing is written")
        assert "a text is written of a match that is over, for the judge" in done.stderr
        assert not out.exists()


def edited(text: str, begin: str, old: str, new: str) -> tuple[str, int]:
    """The text with the last line changed that begins so, and that line's number."""
    lines = text.split("\n")
    at = max(at for at, line in enumerate(lines) if line.startswith(begin))
    assert old in lines[at]
    lines[at] = lines[at].replace(old, new, 1)
    return "\n".join(lines), at + 1


@pytest.mark.parametrize(
    ("begin", "old", "new"),
    [
        ("Score ", "now ", "now 9"),
        ("[Result ", '"', '"9'),
        ("Cards 0: ", "Cards 0:", "Cards 0: AS"),
        ("2. ", " -> ", " -> 4"),
        ("1. ", "1. ", "1. (start) "),
        ("[Opened ", " UTC", "9 UTC"),
        ("[Secret ", SECRET, "0" * 64),
        ("[Head ", MATCHES[0][-1].entry.head, "0" * 64),
    ],
)
def test_an_untrue_text_is_a_finding_at_its_line_and_the_others_go_on(
    sqlite_log: Log, begin: str, old: str, new: str
) -> None:
    bad, at = edited(TEXTS[0], begin, old, new)
    data = (TEXTS[1] + bad + TEXTS[2]).encode()
    done = sqlite_log.waraq("audit", "-", "--json", said=data)
    assert stopped(done) == (4, "Error: 1 not as it should be")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["ok"] for line in found] == [True, False, True]
    assert list(found[1]) == ["match", "events", "ok", "first_bad"]
    line = f"line {TEXTS[1].count(chr(10)) + at}: "
    assert (found[1]["match"], found[1]["first_bad"]["reason"].startswith(line)) == (ID, True)
    done = sqlite_log.waraq("import", "-", "--json", said=data)
    assert stopped(done) == (4, "Error: 1 not as they should be, and not imported")
    assert f"{ID} is not imported: " in done.stderr
    assert line in done.stderr
    assert [json.loads(line)["already"] for line in done.stdout.splitlines()] == [False, False]
    assert sqlite_log.rows(ID) == ()


def test_the_version_of_an_untrue_text_is_said_where_it_is_known(sqlite_log: Log) -> None:
    scored = max(row.entry.version for row in MATCHES[0] if row.entry.type == "round_scored")
    bad, at = edited(TEXTS[0], "Score ", "now ", "now 9")
    done = sqlite_log.waraq("audit", "-", said=bad.encode())
    assert f"{ID}: version {scored}: line {at}: " in done.stderr
    bad, at = edited(TEXTS[0], "[Result ", '"', '"9')
    for command, said in (("audit", ID), ("import", f"{ID} is not imported")):
        assert (
            f"{said}: line {at}: Result: "
            in sqlite_log.waraq(command, "-", said=bad.encode()).stderr
        )


def test_what_has_no_form_of_a_text_is_unreadable_and_nothing_after_it_is_read(
    sqlite_log: Log,
) -> None:
    for begin, old, new in (("[Policy ", '"', '"\xe9'), ("Score ", "Score ", "Scores ")):
        bad, at = edited(TEXTS[0], begin, old, new)
        data = (TEXTS[1] + bad + TEXTS[2]).encode("latin-1")
        for command in ("audit", "import"):
            done = sqlite_log.waraq(command, "-", "--json", said=data)
            code, words = stopped(done)
            assert (code, done.stdout.count("\n")) == (2, 1)
            assert f"<stdin>: line {TEXTS[1].count(chr(10)) + at}: " in words


def test_an_untrue_text_says_nothing_about_a_log(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(MATCHES[0])
    kept = tmp_path / "kept"
    kept.write_text(TEXTS[0])
    assert told(sqlite_log.waraq("audit", ID, "--head", str(kept), "--json"))[0]["ok"]
    kept.write_text(edited(TEXTS[0], "[Result ", '"', '"9')[0])
    code, words = stopped(sqlite_log.waraq("audit", ID, "--head", str(kept)))
    assert (code, f"{ID} is no true match: line " in words) == (2, True)


def test_comments_stand_anywhere_and_are_left_out(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(over(0))
    done = sqlite_log.waraq("export", ID, "--format", "text", "--out", "-")
    file = tmp_path / "with comments"
    file.write_text("\n{what a match}\n% the best of the year\n" + done.stdout + "\n{the end}\n")
    assert told(sqlite_log.waraq("audit", str(file), "--json"))[0]["ok"]
    assert told(sqlite_log.waraq("import", str(file), "--json"))[0]["already"]
