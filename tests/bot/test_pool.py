"""Processes that think: as many as are needed, none left over, and one that dies costs nothing."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.bot.answering import Unthought
from services.bot.policy import suggest
from services.bot.pool import Pool
from tests.bot.gate import Gate
from tests.bot.positions import position, turn

TURN = turn(position("AD 2S 9H", trump="S", trick="KD"))


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


@pytest.fixture
async def slow(gate: Gate) -> AsyncIterator[Pool]:
    """A pool whose thoughts end when the test opens the gate."""
    pool = Pool(2, program=(sys.executable, "-m", "tests.bot.slow_thinker", *gate.words))
    yield pool
    await pool.close()


@asynccontextmanager
async def pool_of(*program: str, within: float = 10.0) -> AsyncIterator[Pool]:
    pool = Pool(1, program=(sys.executable, *program), within=within)
    try:
        yield pool
    finally:
        await pool.close()


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_thinks_what_the_policy_thinks_and_starts_no_process_before_it_is_asked() -> None:
    pool = Pool(4)
    assert not pool.running
    assert await pool.think(TURN) == suggest(TURN)
    assert len(pool.running) == 1
    assert [await pool.think(TURN) for _ in range(3)] == [suggest(TURN)] * 3
    assert len(pool.running) == 1, "one is enough for one after the other"
    (process,) = pool.running
    await pool.close()
    assert not alive(process.pid)


async def test_only_so_many_think_at_once_and_the_others_wait(slow: Pool, gate: Gate) -> None:
    thoughts = [asyncio.create_task(slow.think(TURN)) for _ in range(5)]
    await gate.begun(2)
    assert len(slow.running) == 2
    assert slow.waiting == 3
    gate.open()
    assert await asyncio.gather(*thoughts) == [suggest(TURN)] * 5
    assert slow.waiting == 0
    assert len(gate.thinkers()) == 5
    assert len(set(gate.thinkers())) == 2


async def test_one_that_waits_no_more_is_not_counted(slow: Pool, gate: Gate) -> None:
    thoughts = [asyncio.create_task(slow.think(TURN)) for _ in range(3)]
    await gate.begun(2)
    thoughts[2].cancel()
    await asyncio.wait(thoughts[2:])
    assert slow.waiting == 0
    gate.open()
    assert await asyncio.gather(*thoughts[:2]) == [suggest(TURN)] * 2


async def test_a_turn_whose_process_is_killed_is_thought_about_once_more(
    slow: Pool, gate: Gate
) -> None:
    thought = asyncio.create_task(slow.think(TURN))
    await gate.begun(1)
    os.kill(gate.thinkers()[0], signal.SIGKILL)
    await gate.begun(2)
    gate.open()
    assert await thought == suggest(TURN)
    assert len(slow.running) == 1


async def test_one_whose_second_process_is_killed_too_is_given_up(slow: Pool, gate: Gate) -> None:
    thought = asyncio.create_task(slow.think(TURN))
    for number in range(2):
        await gate.begun(number + 1)
        os.kill(gate.thinkers()[number], signal.SIGKILL)
    with pytest.raises(Unthought, match="two processes"):
        await thought
    assert not slow.running
    gate.open()
    assert await slow.think(TURN) == suggest(TURN), "and the next turn has a process again"


async def test_a_process_that_died_idle_costs_no_turn() -> None:
    async with pool_of("-m", "services.bot.thinker") as pool:
        await pool.think(TURN)
        (process,) = pool.running
        process.kill()
        await process.wait()
        assert await pool.think(TURN) == suggest(TURN)


async def test_a_policy_that_raises_is_told_by_kind_and_place_and_not_tried_again() -> None:
    async with pool_of("-m", "services.bot.thinker") as pool:
        wrong = replace(TURN, view=replace(TURN.view, seat=1))
        with pytest.raises(Unthought, match=r"^\w+ at \w+\.py:\d+$"):
            await pool.think(wrong)
        assert len(pool.running) == 1, "the process is as good as before"
        assert await pool.think(TURN) == suggest(TURN)


@pytest.mark.parametrize(
    "program",
    [
        "print('not a thought', flush=True); input()",
        "import sys; input(); print('x' * 100_000, flush=True)",
        "pass",
    ],
    ids=["no thought", "too long", "ends at once"],
)
async def test_a_process_that_says_anything_else_is_given_up(program: str) -> None:
    async with pool_of("-c", program) as pool:
        with pytest.raises(Unthought):
            await pool.think(TURN)


async def test_a_process_that_does_not_answer_is_ended() -> None:
    async with pool_of("-c", "while True: pass", within=0.05) as pool:
        with pytest.raises(Unthought, match="two processes"):
            await pool.think(TURN)
        assert not pool.running


async def test_where_no_process_can_be_started_the_turn_is_given_up() -> None:
    pool = Pool(1, program=("/nowhere/at/all",))
    with pytest.raises(Unthought, match="no process"):
        await pool.think(TURN)


async def test_a_thought_that_nobody_waits_for_any_more_leaves_no_process(
    slow: Pool, gate: Gate
) -> None:
    thought = asyncio.create_task(slow.think(TURN))
    await gate.begun(1)
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    assert not slow.running
    assert not alive(gate.thinkers()[0])
