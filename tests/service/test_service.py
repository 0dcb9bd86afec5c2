"""The whole service in separate processes, through a real broker and a real log."""

import asyncio
import json
import os
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.commands import HokmOptions, OpenMatch
from schemas.events import MatchOpened, decode_event
from services.cli.client import MatchClient, new_match_id
from services.cli.exits import Stop
from services.cli.place import Place, login, prepare_key
from services.event_log.port import Reader
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from services.messaging.jetstream import connect
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.replay import rebuild
from services.runtime.key_files import create_key
from services.runtime.worker import UNREACHABLE
from tests.service.up_process import Said, Up, running, waraq
from tests.streams import played as streamed
from tests.streams import store
from tests.table.hall import FOUR_PEOPLE
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


def test_nothing_runs_and_nothing_is_there(tmp_path: Path) -> None:
    empty = tmp_path / "data"
    assert waraq(empty, "play", *BOTS).code == 5
    assert waraq(empty, "match", "list").code == 3
    assert waraq(empty, "audit", "--all").code == 3
    nowhere = {"WARAQ_LOG_URL": "postgresql://nobody@127.0.0.1:9/none"}
    assert waraq(empty, "match", "list", **nowhere).code == 5


def test_embedded_play_brings_the_service_up_and_down(tmp_path: Path) -> None:
    data = tmp_path / "data"
    said = waraq(data, "play", *BOTS, "--matches", "2", "--embedded", "--json")
    assert said.code == 0, said.err
    assert len(said.lines) == 2
    assert waraq(data, "audit", "--all").code == 0
    assert waraq(data, "play", *BOTS).code == 5


def test_on_postgresql_it_is_the_same(tmp_path: Path, postgres_url: str) -> None:
    more = {"WARAQ_LOG_URL": postgres_url}
    with running(tmp_path / "data", **more) as up:
        assert up.ready["log"] == postgres_url
        said = up.waraq("play", *BOTS, "--matches", "4", "--json")
        assert said.code == 0, said.err
        assert len(said.lines) == 4
        assert up.waraq("audit", "--all").code == 0
        listed = up.waraq("match", "list", "--json").lines
        assert {line["status"] for line in listed} == {"ended"}
    assert not (tmp_path / "data" / "log.db").exists()


def test_a_signal_stops_every_child_and_ends_well(tmp_path: Path) -> None:
    with running(tmp_path / "data") as up:
        children = up.children()
        assert set(children) == {"table", "bot", "scoring", "auth", "web", "nats-server"}
        assert up.stop() == 0
        assert not any(_alive(pid) for pid in children.values())


async def test_a_killed_supervisor_leaves_nobody_behind_and_can_be_started_again(
    tmp_path: Path,
) -> None:
    with running(tmp_path / "data") as up:
        assert up.waraq("play", *BOTS).code == 0
        children = up.children().values()
        up.kill()
        await until(lambda: not any(map(_alive, children)), "the children to end", within=20)
    with running(tmp_path / "data") as again:
        assert again.waraq("play", *BOTS).code == 0
        assert again.waraq("audit", "--all").code == 0


def test_the_key_and_the_passwords_are_for_the_owner_only(up: Up) -> None:
    secret = ("shuffle.key", "head.key", "session.key", "issuer.seed", "access.json")
    for name in (*secret, "broker/broker.conf", "log.db"):
        assert (up.data / name).stat().st_mode & 0o077 == 0, name


def test_a_shuffle_key_open_to_others_is_not_used(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    key = data / "shuffle.key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o644)
    said = waraq(data, "up")
    assert said.code == 2
    assert "chmod 600" in said.err


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


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


def test_a_shuffle_key_that_is_gone_is_made_anew_unless_a_match_is_open(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    url = file_url(data / "log.db")
    upgrade(url)
    log = open_log(url)
    store(log, [streamed(1)])
    prepare_key(Place(data, {}))
    assert (data / "shuffle.key").exists()
    (data / "shuffle.key").unlink()
    store(log, [streamed(2, moves=9)])
    with pytest.raises(Stop, match="put the key back"):
        prepare_key(Place(data, {}))
    log.close()


def test_another_log_in_the_same_folder_has_streams_and_standings_of_its_own(
    tmp_path: Path, postgres_url: str
) -> None:
    data = tmp_path / "data"
    here: dict[str, str] = {}
    there = {"WARAQ_LOG_URL": postgres_url}
    for more in (here, there, here):
        said = waraq(data, "play", *BOTS, "--matches", "2", "--embedded", "--json", **more)
        assert said.code == 0, said.err
        assert waraq(data, "audit", "--all", **more).code == 0
    for file in data.glob("log.db*"):
        file.unlink()
    said = waraq(data, "play", *BOTS, "--matches", "1", "--embedded", "--json")
    assert said.code == 0, said.err
    with sqlite3.connect(data / "standings.db") as connection:
        assert connection.execute("select count(*) from matches").fetchone()[0] <= 1
    connection.close()


def test_up_that_drains_opens_nothing_new_and_ends_with_the_last_match(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        assert service.waraq("play", *BOTS).code == 0
        service.process.send_signal(signal.SIGUSR1)
        assert service.process.wait(30) == 0
    again = waraq(tmp_path / "data", "match", "list", "--json")
    assert {line["status"] for line in again.lines} == {"ended"}


def test_up_that_drains_refuses_a_match_and_lets_the_open_one_go_on(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        assert service.waraq("play", *BOTS).code == 0
        lobby = open_lobby(service)
        service.process.send_signal(signal.SIGUSR1)
        refused = service.waraq("play", *BOTS)
        assert refused.code == 1
        assert "draining" in refused.err
        os.kill(service.children()["table"], signal.SIGKILL)
        refused = service.waraq("play", *BOTS)
        assert refused.code == 1, "the table that was started in its place drains too"
        assert service.process.poll() is None, f"{lobby} is still open"
        assert service.stop() == 0


def test_a_table_that_is_asked_to_drain_while_it_connects_does_not_die_of_it(
    tmp_path: Path,
) -> None:
    url = file_url(tmp_path / "log.db")
    upgrade(url)
    create_key(tmp_path / "key")
    with socket.create_server(("127.0.0.1", 0)) as silent:  # a broker that says nothing
        environ = os.environ | {
            "WARAQ_NATS_URL": f"nats://127.0.0.1:{silent.getsockname()[1]}",
            "WARAQ_NATS_USER": "table",
            "WARAQ_NATS_PASSWORD": "table",
            "WARAQ_LOG_URL": url,
            "WARAQ_SHUFFLE_KEY_FILE": str(tmp_path / "key"),
        }
        table = subprocess.Popen([sys.executable, "-m", "services.table"], env=environ)
        connection, _ = silent.accept()
        table.send_signal(signal.SIGUSR1)
        connection.close()
    assert table.wait(60) == UNREACHABLE


def open_lobby(up: Up) -> str:
    """A match that waits for people, and so for its start."""

    async def opened() -> str:
        entry = login(Place(up.data, up.more), "cli")
        bus = await connect(entry.url, user=entry.user, password=entry.password, name="test")
        client = MatchClient(bus, COMMAND_LINE_PLAYER, new_match_id())

        def hear(message: Message) -> None:
            client.hear(message)

        await bus.subscribe(f"feed.{COMMAND_LINE_PLAYER}.*", hear)
        await client.do(OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE), within=10)
        await bus.close()
        return client.match

    return asyncio.run(opened())
