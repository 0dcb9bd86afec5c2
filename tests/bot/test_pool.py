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
from tests.bot.positions import position, turn
from tests.waiting import until

TURN = turn(position("AD 2S 9H", trump="S", trick="KD"))


class Slow:
    """A pool whose thoughts end when the test opens the gate."""

    def __init__(self, folder: Path, most: int) -> None:
        self._gate = folder / "gate"
        self._count = folder / "count"
        program = (
            sys.executable,
            "-m",
            "tests.bot.slow_thinker",
            str(self._gate),
            str(self._count),
        )
        self.pool = Pool(most, program=program)

    def open_gate(self) -> None:
        self._gate.touch()

    def thinkers(self) -> list[int]:
        """The process of each thought that was begun."""
        text = self._count.read_text() if self._count.exists() else ""
        return [int(line) for line in text.split()]

    async def begun(self, count: int) -> None:
        await until(lambda: len(self.thinkers()) >= count, f"{count} thoughts begun")


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Slow]:
    one = Slow(tmp_path, most=2)
    yield one
    await one.pool.close()


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


async def test_only_so_many_think_at_once_and_the_others_wait(slow: Slow) -> None:
    thoughts = [asyncio.create_task(slow.pool.think(TURN)) for _ in range(5)]
    await slow.begun(2)
    assert len(slow.pool.running) == 2
    slow.open_gate()
    assert await asyncio.gather(*thoughts) == [suggest(TURN)] * 5
    assert len(slow.thinkers()) == 5
    assert len(set(slow.thinkers())) == 2


async def test_a_turn_whose_process_is_killed_is_thought_about_once_more(slow: Slow) -> None:
    thought = asyncio.create_task(slow.pool.think(TURN))
    await slow.begun(1)
    os.kill(slow.thinkers()[0], signal.SIGKILL)
    await slow.begun(2)
    slow.open_gate()
    assert await thought == suggest(TURN)
    assert len(slow.pool.running) == 1


async def test_one_whose_second_process_is_killed_too_is_given_up(slow: Slow) -> None:
    thought = asyncio.create_task(slow.pool.think(TURN))
    for number in range(2):
        await slow.begun(number + 1)
        os.kill(slow.thinkers()[number], signal.SIGKILL)
    with pytest.raises(Unthought, match="two processes"):
        await thought
    assert not slow.pool.running
    slow.open_gate()
    assert await slow.pool.think(TURN) == suggest(TURN), "and the next turn has a process again"


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


async def test_a_thought_that_nobody_waits_for_any_more_leaves_no_process(slow: Slow) -> None:
    thought = asyncio.create_task(slow.pool.think(TURN))
    await slow.begun(1)
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    assert not slow.pool.running
    assert not alive(slow.thinkers()[0])
