"""`waraq match replay` on a real SQLite log: JSON, text, whose eyes, bad input, the screen."""

import json
import os
import pty
import re
import select
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner, Result

from schemas.cards import HAND_PACK
from services.cli import replay as replaying
from services.cli.__main__ import main
from services.event_log.port import Batch, Row
from services.event_log.sql import file_url, open_log
from services.event_log.upgrade import upgrade
from services.replay import rebuild
from services.replay.looks import look
from services.replay.pages import happened, page
from tests.service.up_process import CHECKOUT, environment
from tests.streams import match_id, played, store
from tests.table.hall import MATCH as HAND_MATCH
from tests.table.test_hidden_hand import VARIANTS, mover
from tests.table.twins import Script

ENDED: Final = played(7)
RUNNING: Final = played(3, moves=20)
IN_TERMINAL: Final = "from services.cli.__main__ import run; run()"
ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What moves and colours a terminal's text."""
WITHIN: Final = 30.0
"""Seconds for the screen to come up; no test measures anything by it."""


def hand_match() -> Script:
    script = Script(3, VARIANTS[1], HAND_PACK, mover)
    for _ in range(60):
        script.move()
    return script


HAND: Final = hand_match()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose log has a match that is over, and two that are being played."""
    folder = tmp_path_factory.mktemp("replay")
    url = file_url(folder / "log.db")
    upgrade(url)
    log = open_log(url)
    store(log, [ENDED, RUNNING])
    claim = log.claim(0, "test")
    log.append(claim, Batch(entries=tuple(row.entry for row in HAND.rows), opened=(HAND_MATCH,)))
    log.close()
    return folder


def replay(data: Path, match: str, *words: str) -> Result:
    return CliRunner().invoke(main, ["match", "replay", match, "--data", str(data), *words])


def one_line(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


# One moment -----------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["judge", "public", "seat:0", "seat:3"])
def test_each_version_asked_for_is_the_fold_up_to_it(data: Path, viewer: str) -> None:
    for version in (1, 9, 40, len(ENDED.rows)):
        words = ("--to", str(version), "--as", viewer, "--json")
        found = one_line(replay(data, ENDED.match, *words))
        moment = rebuild.at(ENDED.rows, version)
        assert list(found) == ["match", "version", "head", "state", "deduced"]
        assert (found["match"], found["version"]) == (ENDED.match, version)
        assert found["head"] == moment.head
        state = json.loads(msgspec.json.encode(rebuild.seen_by(viewer, moment.state)))
        assert found["state"] == state
        deduced = look(viewer, moment.state).deduced
        assert found["deduced"] == json.loads(msgspec.json.encode(deduced))
        assert (found["deduced"] is None) == (viewer == "judge" or version == 1)


def test_a_match_that_is_over_is_the_judges_and_one_that_runs_the_publics(data: Path) -> None:
    assert "hands" in one_line(replay(data, ENDED.match, "--json"))["state"]
    for match, game in ((RUNNING.match, "hokm"), (HAND_MATCH, "hand")):
        found = one_line(replay(data, match, "--json"))
        assert (found["state"]["game"], found["deduced"]["game"]) == (game, game)
        assert (found["state"]["seat"], found["state"]["hand"]) == (None, [])


def test_without_json_it_is_a_page_for_people_on_stderr(data: Path) -> None:
    said = replay(data, HAND_MATCH, "--to", "50", "--as", "seat:1", "--live")
    moment = rebuild.at(HAND.rows, 50)
    assert said.exit_code == 0
    assert said.stdout == ""
    expected = page(moment, look("seat:1", moment.state), len(HAND.rows))
    assert said.stderr == expected + "\n"


@pytest.mark.parametrize("viewer", ["judge", "seat:0"])
def test_hands_of_a_running_match_need_live(data: Path, viewer: str) -> None:
    said = replay(data, RUNNING.match, "--as", viewer)
    assert said.exit_code == 2
    assert "--live" in said.stderr
    assert said.stdout == ""
    assert one_line(replay(data, RUNNING.match, "--as", viewer, "--live", "--json"))["state"]


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["0", "-1", "200", "99999999999999999999"])
def test_a_version_that_the_match_has_not_is_not_found(data: Path, version: str) -> None:
    said = replay(data, ENDED.match, "--to", version, "--json")
    assert said.exit_code == 3
    assert "versions 1 to 199" in said.stderr
    assert said.stdout == ""


@pytest.mark.parametrize("viewer", ["seat:4", "seat:", "seat:00", "", "JUDGE", "s\x00", "seat:²"])
def test_a_viewer_who_is_nobody_here_is_told_who_is(data: Path, viewer: str) -> None:
    said = replay(data, ENDED.match, "--as", viewer)
    assert said.exit_code == 2
    assert "judge, public, seat:0" in said.stderr


@pytest.mark.parametrize("match", [match_id(99), "nonsense", "", "m_\n", "m_²"])
def test_a_match_that_is_not_there_is_not_found(data: Path, match: str) -> None:
    said = replay(data, match)
    assert said.exit_code == 3
    assert "waraq match list" in said.stderr


def test_a_word_that_is_no_version_is_refused(data: Path) -> None:
    assert replay(data, ENDED.match, "--to", "ten").exit_code == 2


def test_where_no_service_has_run_there_is_no_log(tmp_path: Path) -> None:
    said = replay(tmp_path, ENDED.match)
    assert said.exit_code == 3
    assert "waraq up" in said.stderr


@pytest.mark.parametrize(
    ("version", "line"), [(12, "{}"), (12, "\N{SNOWMAN}"), (1, "[]"), (30, '{"match":null}')]
)
def test_a_damaged_stream_sends_one_to_the_audit(tmp_path: Path, version: int, line: str) -> None:
    url = file_url(tmp_path / "log.db")
    upgrade(url)
    log = open_log(url)
    store(log, [ENDED])
    log.close()
    damage(tmp_path / "log.db", version, line)
    for words in (["replay"], ["show"]):
        said = CliRunner().invoke(main, ["match", *words, ENDED.match, "--data", str(tmp_path)])
        assert said.exit_code == 4
        assert f"waraq audit {ENDED.match}" in said.stderr
    if version > 1:
        assert replay(tmp_path, ENDED.match, "--to", str(version - 1)).exit_code == 0


def damage(path: Path, version: int, line: str) -> None:
    """Change a line behind the program's back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        triggers = connection.execute("select name from sqlite_master where type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"drop trigger {name}")
        connection.execute("update events set line = ? where version = ?", (line, version))


# The screen -----------------------------------------------------------------------------------


def test_a_screen_needs_a_terminal(data: Path) -> None:
    said = replay(data, ENDED.match, "--screen")
    assert said.exit_code == 2
    assert "--to VERSION" in said.stderr


def test_a_screen_is_not_for_programs(data: Path) -> None:
    said = replay(data, ENDED.match, "--screen", "--json")
    assert said.exit_code == 2
    assert said.stdout == ""


class Ended:
    """What a program showed in its terminal, and how it ended."""

    def __init__(self, code: int, shown: bytes) -> None:
        self.code = code
        self.shown = shown.decode(errors="replace")


def in_terminal(
    data: Path, words: Sequence[str], *, when: str, keys: str, before: str = ""
) -> Ended:
    """Run `waraq` in a terminal of its own; once `when` is shown, press `keys`."""
    mine, its = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-c", before + IN_TERMINAL, *words],
        env=environment(data, {"TERM": "xterm-256color", "COLUMNS": "160", "LINES": "50"}),
        cwd=CHECKOUT,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    try:
        shown = shown_until_it_ends(mine, when.encode(), keys.encode())
        return Ended(program.wait(WITHIN), shown)
    finally:
        program.kill()
        os.close(mine)


def shown_until_it_ends(terminal: int, when: bytes, keys: bytes) -> bytes:
    shown, pressed, end = b"", False, time.monotonic() + WITHIN
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            some = os.read(terminal, 65_536)
        except OSError:  # the other side is closed: the program has ended
            return shown
        if not some:
            return shown
        shown += some
        if not pressed and when in shown:
            pressed = True
            os.write(terminal, keys)
    raise AssertionError(f"waited {WITHIN} s for the end; shown: {shown[-500:]!r}")


def test_in_a_terminal_the_screen_shows_the_match_until_q(data: Path) -> None:
    words = ("match", "replay", ENDED.match, "--screen", "--to", "40")
    ended = in_terminal(data, words, when="on the table", keys="q")
    assert ended.code == 0, ended.shown[-2000:]
    assert "version 40 of 199" in ended.shown
    assert "Traceback" not in ended.shown


def test_of_a_running_match_the_screen_has_public_eyes_only(data: Path) -> None:
    words = ("match", "replay", RUNNING.match, "--screen")
    ended = in_terminal(data, words, when="on the table", keys="vvvq")
    assert ended.code == 0, ended.shown[-2000:]
    assert ended.shown.count("public") >= 1
    assert "judge" not in ended.shown
    assert "seat:" not in ended.shown
    above_what_is_told, *_ = ESCAPES.sub(" ", ended.shown).split("could tell")
    assert "hidden" in above_what_is_told
    assert not never_shown(RUNNING.rows) & set(above_what_is_told.split())


def never_shown(rows: Sequence[Row]) -> set[str]:
    """The cards in hands now that no event has named."""
    held = {card for hand in rebuild.at(rows).state.game.hands for card in hand}
    named = {word for moment in rebuild.moments(rows) for word in happened(moment).split()}
    assert held - named
    return held - named


def test_ctrl_c_ends_the_screen(data: Path) -> None:
    words = ("match", "replay", ENDED.match, "--screen", "--to", "40")
    assert in_terminal(data, words, when="on the table", keys="\x03").code == 0


def test_where_the_library_is_missing_the_command_says_how_to_get_it(data: Path) -> None:
    words = ("match", "replay", ENDED.match, "--screen")
    gone = "import sys; sys.modules['textual'] = None; "
    ended = in_terminal(data, words, when="never", keys="", before=gone)
    assert ended.code == 1
    assert "pip install textual" in ended.shown


def test_the_library_is_not_imported_before_a_screen_is_asked_for(data: Path) -> None:
    gone = "import sys; sys.modules['textual'] = None; "
    words = ("match", "replay", ENDED.match, "--to", "40", "--json")
    done = subprocess.run(
        [sys.executable, "-c", gone + IN_TERMINAL, *words],
        env=environment(data, {}),
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["version"] == 40


def test_a_match_longer_than_a_screen_holds_is_seen_one_moment_at_a_time(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replaying, "MOST_MOMENTS", 100)
    monkeypatch.setattr(replaying, "_check_screen", lambda **_: None)
    said = replay(data, ENDED.match, "--screen")
    assert said.exit_code == 1
    assert "--to VERSION" in said.stderr
