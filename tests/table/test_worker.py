"""Several table workers on one log: partitions are shared out, handed over, and taken over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from schemas import subjects
from schemas.commands import AbandonMatch, Action, Command, HokmOptions, OpenMatch, encode_command
from schemas.feed import Ask, Happened, Refused, Snapshot, decode_feed, encode_ask
from schemas.ids import OPS
from schemas.refusals import Refusal
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Crew
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import BusError, Message
from services.runtime.settings import BOT_POLICY
from services.runtime.tasks import end
from services.table import owner, roster
from services.table.desk import Desk
from services.table.roster import Roster
from services.table.shared import Shared, shared
from services.table.worker import owners_of, serve
from tests.clocks import HandClock
from tests.table.hall import ANNE, FOUR_PEOPLE, KEY
from tests.waiting import until

PARTITIONS = 4
OPENING = OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)


class Place:
    """A log and a broker that workers join, and one player's line to them."""

    def __init__(self) -> None:
        self.store = MemoryStore(partitions=PARTITIONS)
        self.broker = MemoryBroker()
        self.line = MemoryBus(self.broker)
        self.heard: list[Message] = []

    async def begin(self) -> None:
        await self.line.ensure(streams.all_streams(PARTITIONS))
        await self.line.subscribe("feed.*.*", self.heard.append)

    def owners(self) -> list[str]:
        """Who claimed each partition last."""
        return [partition.owner for partition in self.store.partitions.values()]

    def crew(self) -> int:
        return len(self.store.crew)

    def count(self, name: str) -> int:
        return self.owners().count(name)

    async def say(self, match: str, action: Action, voice: str = ANNE) -> None:
        command = Command(id=f"saying-{len(self.heard):06d}-{match[-20:]}", action=action)
        subject = subjects.command_in(match, voice)
        await self.line.publish([Message(subject=subject, data=encode_command(command))])

    async def open(self, match: str) -> None:
        await self.say(match, OPENING)
        await until(lambda: self.told(match, Happened), f"{match} to be opened")

    async def ask(self, match: str) -> int:
        """How many snapshots come of one ask; after a take-over one comes by itself besides."""
        before = len(self.told(match, Snapshot))
        await self.line.publish(
            [Message(subject=subjects.ask(match, ANNE), data=encode_ask(Ask()))]
        )
        await until(lambda: len(self.told(match, Snapshot)) > before, f"a snapshot of {match}")
        return len(self.told(match, Snapshot)) - before

    def told(self, match: str, kind: type) -> list[object]:
        mine = [message for message in self.heard if message.subject == subjects.feed(ANNE, match)]
        return [feed for message in mine if isinstance(feed := decode_feed(message.data), kind)]


class Working:
    """A worker at work, which can be stopped or killed."""

    def __init__(self, of: Shared) -> None:
        self.of = of
        self.ready = asyncio.Event()
        self.stop = asyncio.Event()
        self.task = asyncio.create_task(serve(of, owners_of(of), self.stop, self.ready.set))

    async def leave(self) -> None:
        self.stop.set()
        await self.task
        self.of.log.close()

    async def die(self) -> None:
        """Everything of it ends where it stands, as far as one process can play that."""
        await end(self.task)
        self.of.log.close()
        await self.of.bus.close()


def worker(place: Place, name: str) -> Working:
    desk = Desk(KEY, BOT_POLICY, HandClock())
    bus, log = MemoryBus(place.broker), MemoryLog(place.store)
    return Working(shared(log=log, bus=bus, desk=desk, name=name, partitions=PARTITIONS))


@asynccontextmanager
async def place_with(*names: str) -> AsyncIterator[tuple[Place, list[Working]]]:
    place = Place()
    await place.begin()
    workers = [worker(place, name) for name in names]
    try:
        yield place, workers
    finally:
        for one in workers:
            if not one.task.done():
                await one.leave()


def matches() -> list[str]:
    """A match of each partition."""
    found: dict[int, str] = {}
    number = 0
    while len(found) < PARTITIONS:
        number += 1
        match = f"m_{number:032x}"
        found.setdefault(subjects.partition_of(match, PARTITIONS), match)
    return [found[partition] for partition in range(PARTITIONS)]


async def test_one_worker_serves_every_partition_and_an_ask_is_answered_once() -> None:
    async with place_with("a") as (place, (a,)):
        await asyncio.wait_for(a.ready.wait(), 10)
        assert place.owners() == ["a"] * PARTITIONS
        for match in matches():
            await place.open(match)
            assert await place.ask(match) == 1


async def test_a_worker_that_joins_is_handed_its_share_and_nothing_is_lost() -> None:
    async with place_with("a") as (place, workers):
        await asyncio.wait_for(workers[0].ready.wait(), 10)
        for match in matches():
            await place.open(match)
        workers.append(worker(place, "b"))
        await until(lambda: place.count("b") == PARTITIONS // 2, "half of it to be handed over")
        await asyncio.wait_for(workers[1].ready.wait(), 10)
        for match in matches():
            assert await place.ask(match)
        assert place.count("a") == PARTITIONS // 2, "and no more than half"


async def test_three_workers_share_evenly_and_the_rest_take_what_a_dead_one_had() -> None:
    async with place_with("a", "b", "c") as (place, workers):
        await until(lambda: sorted(map(place.count, "abc")) == [1, 1, 2], "an even share")
        await workers[0].die()
        await until(lambda: place.count("b") == place.count("c"), "b and c to have all")
        for match in matches():
            await place.open(match)
            assert await place.ask(match)


async def test_the_last_worker_takes_everything() -> None:
    async with place_with("a", "b") as (place, workers):
        await until(lambda: place.count("b") == 2, "an even share")
        await workers[0].leave()
        await until(lambda: place.count("b") == PARTITIONS, "b to have all")


async def test_a_worker_without_a_broker_leaves_its_partitions_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roster, "BROKER_PATIENCE", 0.1)
    async with place_with("a", "b") as (place, (a, b)):
        await until(lambda: place.count("a") == place.count("b") == 2, "an even share")
        assert isinstance(a.of.bus, MemoryBus)
        place.broker.disconnect(a.of.bus)
        await until(lambda: place.count("b") == PARTITIONS, "b to have all")
        for match in matches():
            await place.open(match)
        await place.broker.reconnect(a.of.bus)
        await until(lambda: place.count("a") == 2, "a to have its share again")
        for match in matches():
            assert await place.ask(match)
        assert not b.task.done()


async def test_a_worker_that_cannot_serve_leaves_its_share_to_one_that_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its broker is there, and gives it no consumer: a node cut from its cluster, wrong rights."""

    async def no_consumer(*_: object) -> None:
        raise BusError("no consumer")

    monkeypatch.setattr(owner, "AGAIN_AFTER", 0.01)
    async with place_with("a") as (place, workers):
        monkeypatch.setattr(workers[0].of.bus, "consume", no_consumer)
        workers.append(worker(place, "b"))
        await until(lambda: place.crew() == 1, "a to leave")
        for match in matches():
            await place.open(match)
            assert await place.ask(match)


async def test_a_lone_worker_that_failed_tries_again_and_again() -> None:
    async with place_with("a") as (place, (a,)):
        for _ in range(roster.FAILURES * 4):
            a.of.roster.failed()
        await until(lambda: place.count("a") == PARTITIONS, "a to serve all the same")


async def test_a_worker_that_drains_opens_no_match_and_ends_with_the_last_that_is_open() -> None:
    first, second = matches()[:2]
    async with place_with("a") as (place, (a,)):
        await asyncio.wait_for(a.ready.wait(), 10)
        await place.open(first)
        a.of.draining.set()
        await place.say(second, OPENING)
        await until(lambda: place.told(second, Refused), "an answer")
        (refused,) = place.told(second, Refused)
        assert isinstance(refused, Refused)
        assert refused.code == Refusal.DRAINING
        assert await place.ask(first) == 1, "what is open goes on"
        await place.say(first, AbandonMatch(reason="operator"), OPS)
        await asyncio.wait_for(a.task, 10)
        assert not any(partition.open for partition in place.store.partitions.values())


def test_shares_differ_by_one_at_most_and_nothing_is_left_over() -> None:
    for partitions in (1, 4, 16):
        for workers in range(1, 20):
            shares = [share_of(partitions, workers, rank) for rank in range(workers)]
            assert sum(shares) == partitions
            assert max(shares) - min(shares) <= 1


def share_of(partitions: int, workers: int, rank: int) -> int:
    one = Roster(partitions)
    one.counted(Crew(workers=workers, rank=rank))
    return one.share


async def test_what_is_beyond_the_share_is_asked_back_the_latest_first() -> None:
    one = Roster(4)
    leaves = [one.take(partition) for partition in range(4)]
    one.counted(Crew(workers=2, rank=1))
    asked = [leave is not None and leave.is_set() for leave in leaves]
    assert asked == [False, False, True, True]
    assert one.take(0) is None
    one.give(2)
    one.give(3)
    assert one.take(2) is None
    one.counted(Crew(workers=1, rank=0))
    assert one.take(2) is not None


async def test_who_stands_by_is_woken_when_the_share_grows() -> None:
    one = Roster(4)
    one.counted(Crew(workers=2, rank=0))
    waiting = asyncio.create_task(one.wait(3_600))
    await asyncio.sleep(0)
    one.counted(Crew(workers=2, rank=1))
    assert not waiting.done(), "the same share"
    one.counted(Crew(workers=1, rank=0))
    await asyncio.wait_for(waiting, 10)
