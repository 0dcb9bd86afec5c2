"""`waraq up`, and `play --embedded`, from start to end: signals, draining, keys, databases."""

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from schemas.commands import HokmOptions, OpenMatch
from services.cli.client import MatchClient, new_match_id
from services.cli.exits import Stop
from services.cli.place import Place, login, prepare_key
from services.event_log.sql import file_url, open_log
from services.event_log.upgrade import upgrade
from services.messaging.jetstream import connect
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.runtime.key_files import create_key
from services.runtime.worker import UNREACHABLE
from tests.service.up_process import Up, running, waraq
from tests.streams import played as streamed
from tests.streams import store
from tests.table.hall import FOUR_PEOPLE
from tests.waiting import until

pytestmark = pytest.mark.slow

BOTS = ("--game", "hokm", "--bots", "white,white,white,white")


NO_BROKER = {"WARAQ_NATS_URL": "nats://127.0.0.1:9,nats://127.0.0.1:10,nats://127.0.0.1:11"}


def test_a_port_beside_an_outside_broker_is_refused(tmp_path: Path) -> None:
    said = waraq(tmp_path / "data", "up", "--port", "14222", **NO_BROKER)
    assert said.code == 2
    assert "WARAQ_NATS_URL names another" in said.err
    assert not (tmp_path / "data").exists()


def test_of_a_cluster_that_is_away_each_node_is_said_once(tmp_path: Path) -> None:
    said = waraq(tmp_path / "data", "play", *BOTS, **NO_BROKER)
    *before, error = said.err.splitlines()
    assert said.code == 5
    assert error.startswith("Error: no broker answers")
    assert len(before) == 3, said.err


def test_a_setting_of_another_form_is_not_said_to_be_missing_alone(tmp_path: Path) -> None:
    told = NO_BROKER | {"WARAQ_BOT_PROCESSES": "many"}
    said = waraq(tmp_path / "data", "worker", "bot", **told)
    assert said.code == 2
    assert "a setting is missing or cannot be used" in said.err
    assert "WARAQ_BOT_PROCESSES is 'many'" in said.err


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


def test_in_a_folder_that_others_can_enter_they_can_open_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    with running(data) as up:
        assert up.waraq("play", *BOTS).code == 0
        there = {one.name for one in data.iterdir()}
        assert {"log.db", "standings.db", "standings.db-wal", "profiles.db", "broker"} <= there
        assert [one.name for one in data.iterdir() if one.stat().st_mode & 0o077] == []
        folder = [
            one for one in up.waraq("doctor", "--json").lines if one["check"] == "data folder"
        ]
        assert [one["level"] for one in folder] == ["note"]


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
