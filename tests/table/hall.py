"""A table worker in one process, on the in-memory log and bus, with a clock that tests turn."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, Self

import msgspec
from prometheus_client import CollectorRegistry

from schemas import subjects
from schemas.commands import (
    Action,
    Command,
    HokmOptions,
    OpenMatch,
    SeatPlan,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.events import Event
from schemas.feed import Ask, Feed, Happened, Refused, Snapshot, decode_feed, encode_ask
from schemas.ids import CommandId, matches
from schemas.refusals import Refusal
from schemas.views import BotTurn, decode_turn
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Row
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import ConsumerSpec, Delivery, Message
from services.runtime.settings import BOT_POLICY
from services.runtime.signing_keys import Keys
from services.runtime.tasks import end
from services.runtime.tracing import Tracer
from services.table.desk import Desk
from services.table.log_thread import LogThread
from services.table.metrics import TableMetrics
from services.table.owner import Owner
from services.table.secrets import key_from
from services.table.shared import Shared, shared
from services.table.tenure import Tenure
from tests.clocks import HandClock
from tests.waiting import until

MATCH: Final = "m_" + "0" * 31 + "1"
ANNE: Final = "u_anne0000"
BEHROUZ: Final = "u_behrouz0"
CYRUS: Final = "u_cyrus000"
DINA: Final = "u_dina0000"
PLAYERS: Final = (ANNE, BEHROUZ, CYRUS, DINA)
KEY: Final = key_from(b"k" * 32)
ALL_HOUSE: Final = tuple(SeatPlan(seat=s, filled_by="house", level="white") for s in range(4))
FOUR_PEOPLE: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    *(SeatPlan(seat=seat, filled_by="anyone") for seat in (1, 2, 3)),
)
MASKED: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    SeatPlan(seat=1, filled_by="house", level="black"),
    SeatPlan(seat=2, filled_by="house", level="chrome"),
    SeatPlan(seat=3, filled_by="house", level="black"),
)
EVERYTHING: Final = ConsumerSpec(stream=streams.EVENTS, name="test", filter="event.>")


class Hall:
    """One owner on one partition; everything said is heard."""

    def __init__(
        self,
        *,
        broker: MemoryBroker | None = None,
        store: MemoryStore | None = None,
        pace: float = 0.0,
        tickets: Keys | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._pace = pace
        self._tickets = tickets
        self._tracer = tracer
        self.broker = broker or MemoryBroker()
        self.store = store or MemoryStore(partitions=1)
        self.clock = HandClock()
        self.bus = MemoryBus(self.broker)
        self.line = MemoryBus(self.broker)
        self.log = MemoryLog(self.store)
        self.owner_log = MemoryLog(self.store)
        self.feeds: list[Message] = []
        self.turns: list[Message] = []
        self.published: list[Message] = []
        self.registry = CollectorRegistry()
        self.stop = asyncio.Event()
        self._served = 0
        self._ids = itertools.count(1)
        self._running: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        await self.bus.ensure(streams.all_streams(1))
        await self.line.subscribe("feed.*.*", self.feeds.append)
        await self.line.subscribe("turn.*.*", self.turns.append)
        await self.line.consume(EVERYTHING, self._hear_event)
        of = self._shared()
        self.floods = of.floods
        self.owner = Owner(of, partition=0)
        of.metrics.watch(lambda: [self.owner.held] if self.owner.held else [], partitions=1)
        self._writing = LogThread(of.log, "commits")
        self._commits = asyncio.create_task(of.commits.run(self._writing))
        self._running = asyncio.create_task(self.owner.run(self.stop, self._serve))
        await until(lambda: self._served, "the owner to serve")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop.set()
        await asyncio.wait_for(self._running, 10)
        await end(self._commits)
        self._writing.close()

    def _shared(self) -> Shared:
        desk = Desk(KEY, BOT_POLICY, self.clock, pace=self._pace, tickets=self._tickets)
        return shared(
            log=self.owner_log,
            bus=self.bus,
            desk=desk,
            name="test",
            partitions=1,
            metrics=TableMetrics(self.registry),
            tracer=self._tracer,
        )

    def _serve(self) -> None:
        self._served += 1

    def _hear_event(self, delivery: Delivery) -> None:
        self.published.append(delivery.message)
        delivery.ack()

    def turn_clock(self, seconds: float) -> None:
        """Let time pass for the table, and wake it."""
        self.clock.seconds += seconds
        assert self.owner._tenure is not None
        self.owner._tenure.news.set()

    # Saying -----------------------------------------------------------------------------------

    def new_id(self) -> str:
        return f"command-{next(self._ids):016d}"

    async def say(
        self, voice: str, action: Action, *, move: int | None = None
    ) -> Happened | Refused:
        """Say a command with a new id and wait for its answer."""
        return await self.repeat(voice, Command(id=self.new_id(), move=move, action=action))

    async def repeat(self, voice: str, command: Command, match: str = MATCH) -> Happened | Refused:
        return await self.send(voice, encode_command(command), match)

    async def send(self, voice: str, data: bytes, match: str = MATCH) -> Happened | Refused:
        """Say these bytes and wait for what answers them."""
        heard, command = len(self.feeds), legible_id(data)
        await self.line.publish([Message(subject=subjects.command_in(match, voice), data=data)])
        answers: list[Happened | Refused] = []

        def answered() -> bool:
            answers[:] = [
                feed
                for feed in self.heard(voice, heard)
                if isinstance(feed, Happened | Refused) and self._answers(feed, command)
            ]
            return bool(answers)

        await until(answered, f"an answer to {data[:80]!r}")
        return answers[0]

    @staticmethod
    def _answers(feed: Happened | Refused, command: str | None) -> bool:
        if isinstance(feed, Refused) and None in (feed.command, command):
            return True
        return feed.command is not None and feed.command == command

    async def ask(self, voice: str, ask: Ask | None = None, match: str = MATCH) -> Feed:
        heard = len(self.feeds)
        data = encode_ask(ask or Ask())
        await self.line.publish([Message(subject=subjects.ask(match, voice), data=data)])

        def answers() -> list[Feed]:
            return [feed for feed in self.heard(voice, heard) if not isinstance(feed, Happened)]

        await until(answers, f"an answer to what {voice} asked")
        return answers()[-1]

    async def snapshot(self, voice: str) -> Snapshot:
        found = await self.ask(voice)
        assert isinstance(found, Snapshot)
        return found

    # Hearing ----------------------------------------------------------------------------------

    def heard(self, voice: str, since: int = 0) -> list[Feed]:
        """What the table said to `voice`, in order."""
        return [
            decode_feed(message.data)
            for message in self.feeds[since:]
            if message.subject.split(".")[1] == voice
        ]

    def asked_of_bots(self) -> list[BotTurn]:
        return [decode_turn(message.data) for message in self.turns]

    def rows(self, match: str = MATCH) -> tuple[Row, ...]:
        return self.log.load(match)

    def types(self, match: str = MATCH) -> list[str]:
        return [row.entry.type for row in self.rows(match)]

    # Playing ----------------------------------------------------------------------------------

    async def open(self, seats: tuple[SeatPlan, ...] = FOUR_PEOPLE, **options: Any) -> None:
        """Open the match as Anne, and let the others sit down where anyone may."""
        opening = OpenMatch(options=HokmOptions(**options), seats=seats)
        assert_happened(await self.say(ANNE, opening))

    async def start(self, seats: tuple[SeatPlan, ...] = FOUR_PEOPLE, **options: Any) -> None:
        """A match that has begun."""
        await self.open(seats, **options)
        for plan in seats:
            if plan.filled_by == "anyone":
                assert_happened(await self.say(PLAYERS[plan.seat], TakeSeat(seat=plan.seat)))
        assert_happened(await self.say(ANNE, StartMatch()))


@asynccontextmanager
async def at_once(hall: Hall) -> AsyncIterator[Tenure]:
    """What is said meanwhile waits, as if too many events were unconfirmed, and is then taken up in
    one turn.
    """
    tenure = hall.owner._tenure
    assert tenure is not None
    tenure.outbox.has_room = lambda: False  # type: ignore[method-assign] # as said
    yield tenure
    del tenure.outbox.has_room
    tenure.news.set()


def legible_id(data: bytes) -> str | None:
    """The id that the table can read in what may be no command at all."""
    try:
        found = msgspec.json.decode(data)["id"]
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError):
        return None
    return found if matches(found, CommandId) else None


def assert_happened(answer: Feed) -> Event:
    assert isinstance(answer, Happened), answer
    return answer.event


def assert_refused(answer: Feed, code: Refusal) -> Refused:
    assert isinstance(answer, Refused), answer
    assert answer.code == code
    return answer


def cards_in(data: bytes) -> set[str]:
    """Every two-letter card named anywhere in a message."""
    found: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, str) and len(value) == 2 and value[0] in "23456789TJQKA":
            found.add(value)
        elif isinstance(value, list):
            for one in value:
                walk(one)
        elif isinstance(value, dict):
            for one in value.values():
                walk(one)

    walk(msgspec.json.decode(data))
    return found
