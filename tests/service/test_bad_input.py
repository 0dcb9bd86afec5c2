"""Bad input at the real door: what the broker stops, what the table refuses, and who goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from schemas import subjects
from schemas.commands import (
    Action,
    ChooseTrump,
    Command,
    HokmOptions,
    OpenMatch,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.feed import Feed, Happened, Refused, decode_feed
from schemas.refusals import Refusal
from services.event_log.port import Reader
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from services.messaging import streams
from services.messaging.port import Bus, Message
from services.messaging.server import Broker
from services.runtime.clock import SystemClock
from services.table.desk import Desk
from services.table.shared import shared
from services.table.worker import owners_of, serve
from tests.broker import bus_as, running_broker
from tests.table.hall import ANNE, BEHROUZ, FOUR_PEOPLE, KEY, MATCH
from tests.waiting import until

pytestmark = pytest.mark.slow
MASKED = (
    FOUR_PEOPLE[0],
    *(one.__class__(seat=one.seat, filled_by="house", level="white") for one in FOUR_PEOPLE[1:]),
)


class Person:
    """A player with a player's rights and no others."""

    def __init__(self, name: str, bus: Bus) -> None:
        self.name = name
        self.bus = bus
        self.heard: list[Feed] = []
        self._ids = 0

    async def listen(self) -> None:
        await self.bus.subscribe(f"feed.{self.name}.*", self._hear)

    def _hear(self, message: Message) -> None:
        self.heard.append(decode_feed(message.data))

    async def publish(self, subject: str, data: bytes) -> None:
        await self.bus.publish([Message(subject=subject, data=data)])

    def command(self, action: Action, *, move: int | None = None) -> bytes:
        self._ids += 1
        return encode_command(
            Command(id=f"{self.name}-{self._ids:08d}-xxxx", move=move, action=action)
        )

    async def say(self, data: bytes) -> Happened | Refused:
        """Say it on one's own subject and wait for the answer."""
        before = len(self.heard)
        await self.publish(subjects.command_in(MATCH, self.name), data)
        answers: list[Happened | Refused] = []

        def answered() -> bool:
            answers[:] = [
                feed
                for feed in self.heard[before:]
                if isinstance(feed, Refused) or (isinstance(feed, Happened) and feed.command)
            ]
            return bool(answers)

        await until(answered, f"an answer to {data[:60]!r}")
        return answers[0]


class Place:
    """A table worker's owner on a real broker and a real log, and two people."""

    def __init__(self, log: Reader, anne: Person, behrouz: Person, spy: Bus) -> None:
        self.log = log
        self.anne = anne
        self.behrouz = behrouz
        self.spy = spy

    def types(self) -> list[str]:
        return [row.entry.type for row in self.log.load(MATCH)]


async def person(broker: Broker, name: str) -> Person:
    found = Person(name, await bus_as(broker, name))
    await found.listen()
    return found


@asynccontextmanager
async def place(folder: Path) -> AsyncIterator[Place]:
    url = file_url(folder / "log.db")
    upgrade(url)
    with running_broker(folder / "broker", players=(ANNE, BEHROUZ)) as broker:
        table, spy = await bus_as(broker, "table"), await bus_as(broker, "spy")
        await table.ensure(streams.all_streams(1))
        desk, log = Desk(KEY, "thumb@1", SystemClock()), open_log(url)
        of = shared(log=log, bus=table, desk=desk, name="test", partitions=1)
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(serve(of, owners_of(of), stop, ready.set))
        await asyncio.wait_for(ready.wait(), 10)
        anne, behrouz = await person(broker, ANNE), await person(broker, BEHROUZ)
        reader = open_reader(url)
        try:
            yield Place(reader, anne, behrouz, spy)
        finally:
            stop.set()
            await asyncio.wait_for(running, 10)
            for bus in (anne.bus, behrouz.bus, spy, table):
                await bus.close()
            log.close()
            reader.close()


async def test_bad_input_of_every_kind_changes_nothing_and_the_table_goes_on(
    tmp_path: Path,
) -> None:
    async with place(tmp_path) as table:
        anne, behrouz = table.anne, table.behrouz
        opened = await anne.say(anne.command(OpenMatch(options=HokmOptions(), seats=MASKED)))
        assert isinstance(opened, Happened)

        # Stopped by the broker: too large, on another's subject, on what is not a command's.
        big = anne.command(TakeSeat(seat=1, code="x" * 60))[:-2] + b" " * 5_000 + b"}}"
        start = anne.command(StartMatch())
        await anne.publish(subjects.command_in(MATCH, ANNE), big)
        await behrouz.publish(subjects.command_in(MATCH, ANNE), start)
        await behrouz.publish(subjects.command_in(MATCH, "ops"), start)
        await behrouz.publish(subjects.command_in(MATCH, "scoring"), start)
        await behrouz.publish(subjects.command_stored(0, MATCH, ANNE), start)
        await behrouz.publish(subjects.event(0, "match_ended"), start)
        await behrouz.publish(subjects.feed(ANNE, MATCH), start)

        # Refused by the table, each with its code, the id where it can be read.
        for data, code in (
            (b"\x00\xff", Refusal.MALFORMED),
            (b"[" * 3_900, Refusal.MALFORMED),
            (behrouz.command(StartMatch()), Refusal.NOT_ALLOWED),
            (behrouz.command(ChooseTrump(suit="S")), Refusal.MALFORMED),
            (behrouz.command(ChooseTrump(suit="S"), move=0), Refusal.NOT_SEATED),
            (behrouz.command(TakeSeat(seat=0)), Refusal.SEAT_TAKEN),
            (behrouz.command(TakeSeat(seat=1)), Refusal.SEAT_TAKEN),
        ):
            answer = await behrouz.say(data)
            assert isinstance(answer, Refused)
            assert answer.code == code

        assert table.types() == ["match_opened"]
        assert [feed for feed in anne.heard if isinstance(feed, Refused)] == []
        assert isinstance(await anne.say(start), Happened)
        assert table.types()[1] == "match_started"


async def test_what_a_player_says_in_headers_and_reply_subject_goes_nowhere(
    tmp_path: Path,
) -> None:
    async with place(tmp_path) as table:
        anne, behrouz = table.anne, table.behrouz
        opening = anne.command(OpenMatch(options=HokmOptions(), seats=MASKED))
        headers = {"Nats-Msg-Id": "1:0:1", "Waraq-Head": "0" * 64, "Nats-Rollup": "all"}
        subject = subjects.command_in(MATCH, ANNE)
        await anne.bus.publish([Message(subject=subject, data=opening, headers=headers)])
        assert isinstance(await anne.say(opening), Happened)
        assert table.types() == ["match_opened"]
        assert behrouz.heard == []
