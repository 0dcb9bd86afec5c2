"""The worker on the in-memory bus: turns in, commands out, and nothing that stops it."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from schemas import subjects
from schemas.cards import HOKM_PACK
from schemas.commands import Advise, Command, PlayCard, decode_command
from schemas.ids import Seat, house_voice
from schemas.views import BotTurn, HokmView, encode_turn
from services.bot import worker
from services.bot.answering import Think, think_here
from services.bot.metrics import BotMetrics
from services.bot.policy import suggest
from services.bot.searching import Rest
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.memory_consumer import Faults
from services.messaging.port import Message
from tests.bot.positions import position, turn
from tests.messaging.heard import Heard
from tests.waiting import until

ONE_CARD = position("AD 2S 9H", trump="S", trick="KD")
"""The only card to play is AD."""
WHEREVER = "cmdin.>"


class Table:
    """The table's side of the bus: it makes the streams, asks, and hears what is said."""

    def __init__(self, seed: int = 0, faults: Faults | None = None) -> None:
        self.broker = MemoryBroker(seed) if faults is None else MemoryBroker(seed, faults)
        self.bus = MemoryBus(self.broker)
        self.heard = Heard()

    async def open(self) -> None:
        await self.bus.ensure(streams.all_streams(1))
        await self.bus.subscribe(WHEREVER, self.heard)

    async def ask(self, asked: BotTurn) -> None:
        await self.send(subjects.turn(asked.match, asked.seat), encode_turn(asked))

    async def send(self, subject: str, data: bytes) -> None:
        await self.bus.publish([Message(subject=subject, data=data)])

    async def nothing_waits(self) -> None:
        """Every turn has been acknowledged: a work queue keeps nothing else."""
        await until(
            lambda: not list(self.broker.stream(streams.TURNS).matching(subjects.TURNS)),
            "every turn acknowledged",
        )

    @property
    def commands(self) -> list[Command]:
        return [decode_command(body) for body in self.heard.bodies]


class Worker:
    """One that runs beside the test."""

    def __init__(
        self,
        table: Table,
        think: Think = think_here,
        rest: Rest = asyncio.sleep,
        metrics: BotMetrics | None = None,
    ) -> None:
        self.bus = MemoryBus(table.broker)
        self.ready = asyncio.Event()
        self.stop = asyncio.Event()
        working = worker.run(
            self.bus, self.stop, self.ready.set, think=think, rest=rest, metrics=metrics
        )
        self.task = asyncio.create_task(working)


@asynccontextmanager
async def working(
    table: Table,
    think: Think = think_here,
    rest: Rest = asyncio.sleep,
    metrics: BotMetrics | None = None,
) -> AsyncIterator[Worker]:
    """A worker that is ready; in the end it must stop when asked."""
    one = Worker(table, think, rest, metrics)
    await until(lambda: one.ready.is_set() or one.task.done(), "a worker that is ready")
    yield one
    one.stop.set()
    async with asyncio.timeout(5.0):
        await one.task


@pytest.fixture
async def table() -> Table:
    opened = Table()
    await opened.open()
    return opened


def turn_at(seat: Seat, *, match: str = "m_" + "0" * 32, move: int = 7) -> BotTurn:
    """The turn on `ONE_CARD`, told to another seat."""
    view = replace(ONE_CARD, seat=seat, turn=seat)
    return replace(turn(view), match=match, move=move)


def match_id(number: int) -> str:
    return f"m_{number:032x}"


@pytest.mark.parametrize("seat", range(4))
async def test_a_turn_becomes_a_command_of_the_house_at_that_seat_for_that_move(
    table: Table, seat: Seat
) -> None:
    asked = turn_at(seat, match=match_id(5), move=31)
    async with working(table):
        await table.ask(asked)
        await table.heard.wait(1)
        await table.nothing_waits()
    assert table.heard.subjects == [f"cmdin.{match_id(5)}.house{seat}"]
    (command,) = table.commands
    assert command.move == 31
    assert command.action == PlayCard(card="AD")
    assert re.fullmatch(r"[0-9a-f]{32}", command.id)


async def test_the_same_turn_asked_twice_gets_two_ids_and_one_answer(table: Table) -> None:
    async with working(table):
        await table.ask(turn_at(0))
        await table.heard.wait(1)
        await table.ask(turn_at(0))
        await table.heard.wait(2)
    first, second = table.commands
    assert first.id != second.id
    assert first.action == second.action


async def test_a_backlog_is_answered_in_its_order(table: Table) -> None:
    asked = [turn_at(number % 4, match=match_id(number)) for number in range(worker.BATCH * 3)]
    for one in asked:
        await table.ask(one)
    async with working(table):
        await table.heard.wait(len(asked))
        await table.nothing_waits()
    expected = [subjects.command_in(one.match, house_voice(one.seat)) for one in asked]
    assert table.heard.subjects == expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b'{"match":"m_x"}',
        b'{"view":{"game":"hokm","options":{"game":"hokm","\xff":1}}}',
        encode_turn(turn_at(0))[:-20],
        b'{"more":' + b"[" * 100_000,
        encode_turn(turn_at(0)).replace(b'"seat":0', b'"seat":9'),
    ],
    ids=["empty", "no json", "another shape", "no text", "cut off", "too deep", "no seat"],
)
async def test_an_undecodable_turn_is_acknowledged_and_the_next_one_answered(
    table: Table, data: bytes
) -> None:
    async with working(table):
        await table.send(subjects.turn(match_id(1), 0), data)
        await table.ask(turn_at(2))
        await table.heard.wait(1)
        await table.nothing_waits()
    assert table.heard.subjects == [f"cmdin.{match_id(0)}.house2"]


def a_turn_that_raises() -> BotTurn:
    """Another seat's view, which no policy takes."""
    return replace(turn(ONE_CARD), view=replace(ONE_CARD, seat=1))


async def test_a_policy_that_raises_is_logged_without_cards_and_the_next_turn_is_answered(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with working(table):
        await table.ask(a_turn_that_raises())
        await table.ask(turn_at(3))
        await table.heard.wait(1)
        await table.nothing_waits()
    assert table.heard.subjects == [f"cmdin.{match_id(0)}.house3"]
    (record,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    said = {key: str(value) for key, value in vars(record).items()}
    assert said["match"] == match_id(0)
    assert re.fullmatch(r"\w+ at \w+\.py:\d+", said["fault"])
    assert record.exc_info is None, "a traceback's last line may name cards"
    assert not [card for card in HOKM_PACK if re.search(rf"\b{card}\b", " ".join(said.values()))]


async def test_an_undecodable_turn_is_logged_without_what_it_said(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    data = encode_turn(turn_at(0)).replace(b'"card":"KD"', b'"card":"KD1"')
    async with working(table):
        await table.send(subjects.turn(match_id(0), 0), data)
        await until(lambda: "undecodable turn" in caplog.messages, "a line in the log")
        await table.nothing_waits()
    assert "KD1" not in str([vars(record) for record in caplog.records])


async def test_H21_a_turn_to_advise_on_becomes_an_advice_and_no_move(table: Table) -> None:
    asked = replace(turn_at(2), task="advise")
    async with working(table):
        await table.ask(asked)
        await table.heard.wait(1)
        await table.nothing_waits()
    assert table.heard.subjects == [f"cmdin.{match_id(0)}.house2"]
    (command,) = table.commands
    assert command.move == asked.move
    assert command.action == Advise(suggestion=suggest(asked))


async def test_two_workers_share_the_turns_and_each_is_answered_once(table: Table) -> None:
    many = 200
    async with working(table), working(table):
        for number in range(many):
            await table.ask(turn_at(0, match=match_id(number)))
        await table.heard.wait(many)
        await table.nothing_waits()
    assert sorted(table.heard.subjects) == [f"cmdin.{match_id(n)}.house0" for n in range(many)]


async def test_when_one_of_two_stops_the_other_answers_all(table: Table) -> None:
    async with working(table):
        async with working(table):
            pass
        for number in range(20):
            await table.ask(turn_at(0, match=match_id(number)))
        await table.heard.wait(20)
        await table.nothing_waits()


async def test_when_one_of_two_loses_its_connection_the_other_answers_all(table: Table) -> None:
    async with working(table) as cut_off, working(table):
        table.broker.disconnect(cut_off.bus)
        for number in range(20):
            await table.ask(turn_at(0, match=match_id(number)))
        await table.heard.wait(20)
        await table.nothing_waits()


async def test_no_turn_is_lost_on_a_bad_line() -> None:
    faults = Faults(ack_loss=0.3, duplicates=0.3, reorder=0.3)
    table = Table(seed=11, faults=faults)
    await table.open()
    async with working(table):
        for number in range(100):
            await table.ask(turn_at(0, match=match_id(number)))
        await until(lambda: len(set(table.heard.subjects)) == 100, "an answer to each turn")


async def test_a_worker_that_comes_before_the_table_waits_for_the_stream() -> None:
    table = Table()
    early = Worker(table)
    await early.bus.publish([])
    assert not early.ready.is_set()
    await table.open()
    await until(early.ready.is_set, "a worker that is ready")
    await table.ask(turn_at(0))
    await table.heard.wait(1)
    early.stop.set()
    await early.task


async def test_a_worker_that_waits_for_the_stream_stops_when_asked() -> None:
    early = Worker(Table())
    await early.bus.publish([])
    early.stop.set()
    async with asyncio.timeout(5.0):
        await early.task
    assert not early.ready.is_set()


async def test_when_asked_to_stop_what_was_delivered_is_answered_first(table: Table) -> None:
    async with working(table) as one:
        for number in range(worker.BATCH * 2):
            await table.ask(turn_at(0, match=match_id(number)))
        await table.heard.wait(1)
        one.stop.set()
    await table.nothing_waits()
    assert len(table.heard.messages) == worker.BATCH * 2


async def test_after_it_has_stopped_turns_stay_for_others(table: Table) -> None:
    async with working(table):
        pass
    await table.ask(turn_at(0))
    assert table.heard.messages == []
    async with working(table):
        await table.heard.wait(1)


async def test_turns_beyond_what_may_wait_come_again(table: Table) -> None:
    few = 3
    waiting = worker.Waiting(most=few)
    await table.bus.consume(replace(streams.bots(), ack_wait=0.01), waiting.put)
    asked = [turn_at(0, match=match_id(number)) for number in range(few * 3)]
    for one in asked:
        await table.ask(one)
    seen: set[str] = set()
    while len(seen) < len(asked):
        async with asyncio.timeout(10.0):
            batch = await waiting.batch()
        assert len(batch) <= few
        seen |= {delivery.message.subject for delivery in batch}
        for delivery in batch:
            delivery.ack()
    assert seen == {subjects.turn(one.match, 0) for one in asked}


def test_the_view_that_these_tests_use_leaves_no_choice() -> None:
    assert isinstance(ONE_CARD, HokmView)
    assert ONE_CARD.playable == ("AD",)
