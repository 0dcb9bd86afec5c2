"""Texts of matches by the command line: out of a log, and into another one, to the byte."""

from collections.abc import Callable
from pathlib import Path

from tests.cli.logs import Log, stopped, told
from tests.replay.files import SEEDS, broken_off, over, running

MATCHES = [*map(over, SEEDS), broken_off(3)]
ID = MATCHES[0][0].entry.stream


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


def test_an_edited_text_is_unreadable_at_the_line_of_the_whole_file(
    sqlite_log: Log, tmp_path: Path
) -> None:
    sqlite_log.store(over(0), over(1))
    done = sqlite_log.waraq("export", "--all", "--format", "text", "--out", "-")
    lines = done.stdout.splitlines()
    at = max(number for number, line in enumerate(lines) if line.startswith("Score "))
    lines[at] = lines[at].replace("now ", "now 9")
    file = tmp_path / "edited"
    file.write_text("\n".join(lines) + "\n")
    for command in ("audit", "import"):
        code, words = stopped(sqlite_log.waraq(command, str(file)))
        assert code == 2
        assert f"line {at + 1}: " in words


def test_comments_stand_anywhere_and_are_left_out(sqlite_log: Log, tmp_path: Path) -> None:
    sqlite_log.store(over(0))
    done = sqlite_log.waraq("export", ID, "--format", "text", "--out", "-")
    file = tmp_path / "with comments"
    file.write_text("\n{what a match}\n% the best of the year\n" + done.stdout + "\n{the end}\n")
    assert told(sqlite_log.waraq("audit", str(file), "--json"))[0]["ok"]
    assert told(sqlite_log.waraq("import", str(file), "--json"))[0]["already"]
