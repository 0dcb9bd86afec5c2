"""The whole service in separate processes, through a real broker and a real log."""

import json
import shlex
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.events import MatchOpened, decode_event
from services.event_log.port import Reader
from services.event_log.sql import file_url, open_reader
from services.replay import rebuild
from tests.service.up_process import Said, Up, running, waraq
from tests.waiting import until

pytestmark = pytest.mark.slow

BOTS = ("--game", "hokm", "--bots", "white,white,white,white")


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("service") / "data") as service:
        yield service


@pytest.fixture(scope="module")
def played(up: Up) -> Said:
    """Six matches, played once for all tests that look at them."""
    return up.waraq("play", *BOTS, "--matches", "6", "--json")


def test_up_says_where_everything_is(up: Up) -> None:
    assert up.ready["ready"] is True
    assert up.ready["nats"].startswith("nats://127.0.0.1:")
    assert up.ready["log"] == file_url(up.data / "log.db")


def test_what_up_tells_to_try_is_quoted_and_needs_nothing_else(up: Up, tmp_path: Path) -> None:
    shown = [line for line in up.stderr.read_text().splitlines() if line.startswith("  ")]
    for line in shown:
        program, command, *_, named, data = shlex.split(line)
        assert program == "waraq" or Path(program).is_absolute()
        assert command in {"join", "play", "match"}
        assert (named, data) == ("--data", str(up.data))
    assert waraq(tmp_path, *shlex.split(shown[-1])[1:], "--json").code == 0


def test_play_ends_every_match_with_a_line_for_each(played: Said) -> None:
    assert played.code == 0, played.err
    assert len(played.lines) == 6
    for line in played.lines:
        assert set(line) == {"match", "game", "winner", "score", "rounds", "events", "seconds"}
        assert line["winner"] in (0, 1)
        assert line["score"][line["winner"]] >= 2


def test_folding_the_stored_log_gives_what_the_table_said(up: Up, played: Said) -> None:
    with up.log() as log:
        for line in played.lines:
            rows = log.load(line["match"])
            assert len(rows) == line["events"]
            last = rebuild.at(rows)
            assert list(last.state.totals) == line["score"]
            assert last.state.game.winner == line["winner"]


def test_the_first_start_played_a_match_for_show(up: Up, played: Said) -> None:
    listed = up.waraq("match", "list", "--json").lines
    assert len(listed) >= len(played.lines) + 1
    assert {line["status"] for line in listed} == {"ended"}
    assert "A first match, by four bots" in up.stderr.read_text()


def test_replay_is_right_for_any_version(up: Up, played: Said) -> None:
    match = played.lines[0]["match"]
    with up.log() as log:
        rows = log.load(match)
    for version in (1, 10, 17, len(rows) // 2, len(rows)):
        said = up.waraq("match", "replay", match, "--to", str(version), "--json")
        assert said.code == 0, said.err
        moment = rebuild.at(rows, version)
        state = json.loads(json.dumps(rebuild.seen_by("judge", moment.state)))
        stands = {"match": match, "version": version, "head": moment.head, "state": state}
        assert said.lines == [{**stands, "deduced": None}]
    seen = up.waraq("match", "replay", match, "--to", "30", "--as", "seat:2", "--json").lines[0]
    assert seen["state"]["seat"] == 2
    assert len(seen["deduced"]["voids"]) == 4


def test_commands_end_with_honest_exit_codes(up: Up, played: Said) -> None:
    match = played.lines[0]["match"]
    unknown = "m_" + "0" * 32
    assert up.waraq("audit", match).code == 0
    assert up.waraq("audit", "--all").code == 0
    assert up.waraq("audit", unknown).code == 3
    assert up.waraq("audit").code == 2
    assert up.waraq("match", "show", match).code == 0
    assert up.waraq("match", "show", unknown).code == 3
    assert up.waraq("match", "replay", match, "--to", "9999").code == 3
    assert up.waraq("match", "replay", match, "--as", "seat:7").code == 2
    assert up.waraq("play", "--game", "hokm", "--bots", "pink").code == 2
    assert up.waraq("play", "--game", "hokm", "--bots", "white,white").code == 2
    assert up.waraq("play", *BOTS, "--preset", "x").code == 2
    assert up.waraq("play", *BOTS, "--win", "3", "--kot", "2").code == 2
    assert up.waraq("db", "check").code == 0
    assert up.waraq("dead-letters", "list").code == 0
    assert up.waraq("dead-letters", "retry", "99").code == 3
    assert up.waraq("nonsense").code == 2


def test_a_second_service_in_the_same_folder_is_refused(up: Up) -> None:
    said = up.waraq("up")
    assert said.code == 1
    assert "is running in" in said.err


async def test_standings_follow_the_log(up: Up, played: Said) -> None:
    assert played.code == 0

    def cursor() -> int:
        with sqlite3.connect(up.data / "standings.db") as connection:
            found = connection.execute("select position from cursors").fetchone()
        connection.close()
        return int(found[0]) if found else 0

    with up.log() as log:
        last = log.position(0)
    await until(lambda: cursor() == last, "the standings to catch up")


def test_the_key_and_the_passwords_are_for_the_owner_only(up: Up) -> None:
    secret = ("shuffle.key", "head.key", "session.key", "issuer.seed", "access.json")
    for name in (*secret, "broker/broker.conf", "log.db"):
        assert (up.data / name).stat().st_mode & 0o077 == 0, name


def test_a_log_of_imported_matches_is_served_like_any_other(
    up: Up, played: Said, tmp_path: Path
) -> None:
    """New ones are dealt with a key of the new place."""
    data, file = tmp_path / "data", tmp_path / "matches.jsonl"
    assert played.code == 0
    exported = up.waraq("export", "--all", "--out", str(file), "--json")
    assert exported.code == 0, exported.err
    over = {line["match"] for line in exported.lines if line["viewer"] == "judge"}
    assert {line["match"] for line in played.lines} <= over
    imported = waraq(data, "import", str(file), "--json")
    assert imported.code == 0, imported.err
    assert {line["match"] for line in imported.lines} == over
    said = waraq(data, "play", *BOTS, "--embedded", "--json")
    assert said.code == 0, said.err
    assert waraq(data, "audit", "--all").code == 0
    listed = waraq(data, "match", "list", "--json").lines
    assert len(listed) == len(over) + 1
    (new,) = said.lines
    log = open_reader(file_url(data / "log.db"))
    keys = {_key(log, match) for match in over}
    assert _key(log, new["match"]) not in keys
    log.close()


def _key(log: Reader, match: str) -> str:
    """The id of the key that a match was sealed with."""
    body = decode_event(log.load(match, limit=1)[0].entry.line).body
    assert isinstance(body, MatchOpened)
    return body.key
