"""Whether the worker is ready costs the database nothing, however often it is asked."""

import asyncio

import pytest

from services.web.answers import Declined
from services.web.readiness import KEPT, Readiness
from tests.waiting import until
from tests.web.serving import Turned


class Database:
    """It answers when it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.away = False
        self.answers = asyncio.Event()

    async def ask(self) -> bool:
        self.asked += 1
        await self.answers.wait()
        if self.away:
            raise Declined("busy", "the database does not answer", retry_after=1)
        return True


async def test_all_who_ask_meanwhile_are_told_the_one_answer() -> None:
    database = Database()
    readiness = Readiness(database.ask, Turned())
    many = [asyncio.ensure_future(readiness.answer()) for _ in range(200)]
    await until(lambda: database.asked, "the database to be asked")
    database.answers.set()
    assert await asyncio.gather(*many) == [True] * 200
    assert database.asked == 1


async def test_it_is_asked_again_after_a_while() -> None:
    database, clock = Database(), Turned()
    database.answers.set()
    readiness = Readiness(database.ask, clock)
    assert await readiness.answer()
    database.away = True
    assert await readiness.answer()
    clock.ms += round(KEPT * 1_000)
    for _ in range(2):
        with pytest.raises(Declined):
            await readiness.answer()
    assert database.asked == 2


async def test_who_goes_away_stops_nobody_elses_answer() -> None:
    database = Database()
    readiness = Readiness(database.ask, Turned())
    first, second = [asyncio.ensure_future(readiness.answer()) for _ in range(2)]
    await until(lambda: database.asked, "the database to be asked")
    first.cancel()
    database.answers.set()
    assert await second
