"""`python -m services.bot` as a supervisor sees it."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from schemas import subjects
from schemas.commands import PlayCard, decode_command
from schemas.views import BotTurn, encode_turn
from services.bot.policy import suggest
from services.messaging import streams
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import Bus, Message
from services.messaging.server import Broker
from tests.bot.gate import Gate
from tests.bot.positions import position, turn
from tests.broker import SPY, bus_as, password, running_broker
from tests.messaging.heard import Heard
from tests.waiting import until

WITHIN: Final = 20.0
"""Seconds for a process to do what it is waited for; nothing is measured by it."""
WORKER: Final = (sys.executable, "-m", "services.bot")
ROOT: Final = Path(__file__).parents[2]


def ended(environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A worker that ends by itself."""
    return subprocess.run(
        WORKER,
        cwd=ROOT,
        env=dict(environ),
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )


def test_a_missing_setting_is_named_and_the_code_is_2() -> None:
    worker = ended({})
    assert worker.returncode == 2
    assert "WARAQ_NATS_URL" in worker.stderr
    assert "Traceback" not in worker.stderr


@pytest.mark.slow
def test_without_a_broker_it_says_so_and_the_code_is_5() -> None:
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        port = nobody_listens.getsockname()[1]
        worker = ended({"WARAQ_NATS_URL": f"nats://127.0.0.1:{port}"})
    assert worker.returncode == 5
    assert str(port) in worker.stderr
    assert "Traceback" not in worker.stderr


def test_the_process_loads_nothing_that_reaches_a_log_or_a_database() -> None:
    loaded = subprocess.run(
        (sys.executable, "-c", "import sys, services.bot.__main__; print(*sys.modules)"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=True,
    ).stdout.split()
    assert "services.bot.worker" in loaded
    reaching = ("sqlalchemy", "psycopg", "alembic", "sqlite3", "services.event_log", "migrations")
    assert not [name for name in loaded if name.startswith(reaching)]


@asynccontextmanager
async def running(
    url: str, program: Sequence[str] = WORKER
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A worker that has said that it is ready; killed if the test did not end it."""
    ours, its = os.pipe()
    environ = {
        "WARAQ_NATS_URL": url,
        "WARAQ_NATS_PASSWORD": password("bot"),
        "WARAQ_READY_FD": str(its),
    }
    process = await asyncio.create_subprocess_exec(
        *program, cwd=ROOT, env=environ, pass_fds=(its,), stderr=asyncio.subprocess.PIPE
    )
    os.close(its)
    try:
        async with asyncio.timeout(WITHIN):
            said = await asyncio.to_thread(os.read, ours, 16)
        assert said == b"ready\n"
        yield process
    finally:
        os.close(ours)
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def a_table(folder: Path, heard: Heard) -> AsyncIterator[tuple[Broker, JetStreamBus]]:
    """A broker and the table's side of its bus: the streams, and in `heard` what is said to it."""
    with running_broker(folder) as broker:
        table = await bus_as(broker, SPY)
        await table.ensure(streams.all_streams(1))
        await table.subscribe("cmdin.>", heard)
        yield broker, table
        await table.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_with_the_rights_of_production_it_answers_a_turn_and_ends_with_0_when_asked(
    tmp_path: Path, number: int
) -> None:
    asked, heard = turn(position("AD 2S 9H", trump="S", trick="KD")), Heard()
    async with a_table(tmp_path, heard) as (broker, table):
        async with running(broker.url) as process:
            await put(table, asked)
            await heard.wait(1)
            process.send_signal(number)
            async with asyncio.timeout(WITHIN):
                assert await process.wait() == 0
        assert await table.last(streams.TURNS, subjects.TURNS) is None, "not acknowledged"
    assert heard.subjects == [f"cmdin.{asked.match}.house0"]
    assert decode_command(heard.bodies[0]).action == PlayCard(card="AD")


def slow_worker(gate: Gate) -> tuple[str, ...]:
    """A worker whose searches end when the test opens the gate."""
    return (sys.executable, "-m", "tests.bot.slow_worker", *gate.words)


async def no_thinker_is_left(gate: Gate) -> None:
    await until(lambda: not any(map(alive, gate.thinkers())), "no thinker left", within=WITHIN)


def alive(process: int) -> bool:
    """False too for one that has ended and that nobody has asked about."""
    try:
        said = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return said.rpartition(")")[2].split()[0] != "Z"


def hard_turn() -> BotTurn:
    """A choice for the strongest level: it takes a search."""
    view = position("AD 2D 9H", trump="S", trick="KD")
    return replace(turn(view), level="chrome")


async def put(table: Bus, asked: BotTurn) -> None:
    subject = subjects.turn(asked.match, asked.seat)
    await table.publish([Message(subject=subject, data=encode_turn(asked))])


@pytest.mark.slow
async def test_asked_to_end_in_the_middle_of_a_thought_it_answers_and_leaves_no_process(
    tmp_path: Path,
) -> None:
    gate, heard = Gate(tmp_path), Heard()
    async with a_table(tmp_path, heard) as (broker, table):
        async with running(broker.url, slow_worker(gate)) as process:
            await put(table, hard_turn())
            await gate.begun(1)
            process.send_signal(signal.SIGTERM)
            gate.open()
            async with asyncio.timeout(WITHIN):
                assert await process.wait() == 0
        assert await table.last(streams.TURNS, subjects.TURNS) is None, "not acknowledged"
    assert decode_command(heard.bodies[0]).action == suggest(hard_turn()).actions[0]
    await no_thinker_is_left(gate)


@pytest.mark.slow
async def test_killed_in_the_middle_of_a_thought_it_leaves_no_process_and_the_turn_comes_again(
    tmp_path: Path,
) -> None:
    gate, heard = Gate(tmp_path), Heard()
    async with a_table(tmp_path, heard) as (broker, table):
        async with running(broker.url, slow_worker(gate)) as process:
            await put(table, hard_turn())
            await gate.begun(1)
            process.kill()
            await process.wait()
        await no_thinker_is_left(gate)
        assert heard.messages == []
        gate.open()
        async with running(broker.url, slow_worker(gate)):
            await until(lambda: heard.messages, "the turn once more", within=WITHIN)
    assert heard.subjects == [f"cmdin.{hard_turn().match}.house0"]
