"""`waraq status` on a whole service: all who work are seen, and who is gone is missed."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest

from services.cli.ops_ports import ORDER
from services.cli.place import Access
from tests.service.up_process import Up, running
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("status") / "data") as up:
        yield up


def lines(up: Up, code: int = 0) -> list[dict[str, Any]]:
    said = up.waraq("status", "--json")
    assert said.code == code, said.err
    return said.lines


def test_a_service_that_runs_is_well(up: Up) -> None:
    done = up.waraq("play", "--game", "hokm", "--bots", "white")
    assert done.code == 0, done.err
    found = lines(up)
    workers = {one["worker"]: one for one in found if one["kind"] == "worker"}
    assert set(workers) == {"table", "bot", "scoring"}
    assert all(one["ready"] and not one["missing"] for one in workers.values())
    assert workers["table"]["owned"] == [0]
    assert workers["table"]["numbers"]["matches_open"] == 0
    assert workers["table"]["done"] > 50
    assert workers["bot"]["done"] > 50
    assert workers["scoring"]["done"] >= 1
    streams = {one["stream"]: one for one in found if one["kind"] == "stream"}
    assert set(streams) == {"COMMANDS", "EVENTS", "TURNS"}
    assert streams["EVENTS"]["messages"] > 50
    assert [(one["door"], one["ok"]) for one in found if one["kind"] == "door"] == [
        ("web", True),
        ("log-ins", True),
    ]
    assert found[-1] == {"kind": "whole", "ok": True, "wrong": []}


def test_it_names_nobody_and_no_card(up: Up) -> None:
    said = up.waraq("status", "--json")
    with up.log() as log:
        matches = log.streams(limit=10)
    assert matches
    assert not any(match in said.out + said.err for match in matches)
    access = json.loads((up.data / "access.json").read_bytes())
    for secret in (*access["passwords"].values(), access["warden"]):
        assert secret not in said.out + said.err
    assert "u_" not in said.out


def test_for_people_it_is_a_table_that_ends_with_a_verdict(up: Up) -> None:
    said = up.waraq("status")
    assert (said.code, said.out) == (0, "")
    assert said.err.splitlines()[-1] == "all is well"


def test_the_folder_says_where_operators_tools_are_answered(up: Up) -> None:

    access = msgspec.json.decode((up.data / "access.json").read_bytes(), type=Access)
    assert access.ops_port is not None
    for number in range(len(ORDER)):
        with urlopen(f"http://127.0.0.1:{access.ops_port + number}/readyz", timeout=10) as answer:
            assert json.load(answer) == {"ready": True, "missing": []}


async def test_a_worker_that_stands_still_is_missed_and_seen_again(up: Up) -> None:
    bot = up.children()["bot"]
    os.kill(bot, signal.SIGSTOP)
    try:
        said = up.waraq("status", "--json")
        assert said.code == 4
        assert said.lines[-1]["wrong"] == ["no bot worker answers"]
        assert "waraq doctor" in said.err
    finally:
        os.kill(bot, signal.SIGCONT)
    await until(lambda: up.waraq("status").code == 0, "the bot worker to answer", within=30)


async def test_who_takes_a_port_that_was_only_chosen_keeps_no_worker_from_its_work(up: Up) -> None:
    access = msgspec.json.decode((up.data / "access.json").read_bytes(), type=Access)
    assert access.ops_port is not None
    bot, place = up.children()["bot"], ("127.0.0.1", access.ops_port + ORDER.index("bot"))
    with socket.socket() as taking:
        taking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        os.kill(bot, signal.SIGKILL)

        def taken() -> bool:
            try:
                taking.bind(place)
            except OSError:
                return False
            taking.listen()
            return True

        await until(taken, "the port to be free")
        await until(lambda: up.waraq("status").code == 0, "the bot worker to answer", within=30)
        assert up.children()["bot"] != bot
    assert "operators' tools are not answered" in up.stderr.read_text()
