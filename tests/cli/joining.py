"""A person at a terminal and a table in one process: the hall, the bots' worker, the score."""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final

from schemas.commands import HandOptions, Options, SeatPlan
from services.bot import worker
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.client import TableClient
from services.cli.join.next_match import Next
from services.cli.join.opening import Opening
from services.cli.join.outside import Outside
from services.cli.join.person import Person
from services.cli.join.speech import Language, speech
from services.messaging.memory import MemoryBus
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.runtime.command_ids import random_id
from services.scoring.recorder import Recorder
from tests.table.hall import MATCH, Hall

ME: Final = COMMAND_LINE_PLAYER
CARD: Final = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][SHDC][12]?|JK[12])(?![0-9A-Za-z])")
"""A card anywhere in a text."""
LONGEST: Final = 20_000
"""Lines that a script may be asked for: a match that never ends is noticed."""

Answer = Callable[["Paper"], str | None]


class Paper:
    """A terminal on paper: `answer` writes a line whenever one is asked for; None is the end."""

    always = False
    columns: int | None = None

    def __init__(self, answer: Answer) -> None:
        self.lines: list[str] = []
        self.prompts: list[str] = []
        self.interrupted = False
        self.taken = 0
        self._answer = answer
        self._over = False

    @property
    def ended(self) -> bool:
        return self._over

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def show(self, text: str) -> None:
        self.lines.append(text)

    def prompt(self, text: str) -> None:
        self.prompts.append(text)
        self.lines.append(text)

    def take(self) -> str | None:
        self.taken += 1
        assert self.taken < LONGEST, "the match does not end"
        line = None if self._over else self._answer(self)
        self._over = self._over or line is None
        return line


def nobody() -> Paper:
    """A terminal whose input has ended."""
    paper = Paper(lines())
    paper.take()
    return paper


class Keys(Paper):
    """A terminal whose lines are heard at any time: a test types them."""

    always = True

    def __init__(self, wake: asyncio.Event) -> None:
        super().__init__(lambda _paper: None)
        self._typed: deque[str] = deque()
        self._wake = wake

    def type(self, line: str) -> None:
        self._typed.append(line)
        self._wake.set()

    def interrupt(self) -> None:
        self.interrupted = True
        self._wake.set()

    def end(self) -> None:
        self._over = True
        self._wake.set()

    def take(self) -> str | None:
        return self._typed.popleft() if self._typed else None


def first(_paper: Paper) -> str:
    """Always the first of what is offered."""
    return "1"


def lines(*some: str) -> Answer:
    """These lines, then the end."""
    left = deque(some)
    return lambda _paper: left.popleft() if left else None


def after_lines(some: Iterable[str], then: Answer) -> Answer:
    left = deque(some)
    return lambda paper: left.popleft() if left else then(paper)


class Seat:
    """Who sits down: a client of a line of its own and a terminal. `wake` wakes its session."""

    def __init__(
        self,
        hall: Hall,
        match: str = MATCH,
        language: Language = "en",
        player: str = ME,
        outside: Outside | None = None,
    ) -> None:
        self.wake = asyncio.Event()
        self.bus = MemoryBus(hall.broker)
        self.client = TableClient(self.bus, player, match, self.wake)
        self.speech = speech(language)
        self.match = match
        self.next: Next | None = None
        self._outside = outside

    async def play(self, terminal: Paper, wishes: Wishes) -> Parting:
        person = Person(self.client, terminal, self.speech, self.wake, self._outside)
        async with asyncio.timeout(30):
            parting = await person.stay(wishes)
        self.next = person.next
        return parting


def of_bots(options: Options) -> Opening:
    """A table for me and bots."""
    seats = options.seats if isinstance(options, HandOptions) else 4
    mine = SeatPlan(seat=0, filled_by="owner")
    bots = (SeatPlan(seat=seat, filled_by="house", level="white") for seat in range(1, seats))
    return Opening(options, (mine, *bots), None)


@asynccontextmanager
async def house(hall: Hall) -> AsyncIterator[None]:
    """Bots play and rounds are scored for as long as this is open."""
    bus, line = MemoryBus(hall.broker), MemoryBus(hall.broker)
    recorder = Recorder(hall.log, random_id)
    scores: set[asyncio.Task[None]] = set()

    def score(message: Message) -> None:
        answer = recorder.answer(message)
        if answer is not None:
            task = asyncio.ensure_future(line.publish([answer]))
            scores.add(task)
            task.add_done_callback(scores.discard)

    await line.subscribe("event.*.round_ended", score)
    stop, ready = asyncio.Event(), asyncio.Event()
    working = asyncio.create_task(worker.run(bus, stop, ready.set))
    await asyncio.wait_for(ready.wait(), 10)
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(working, 10)
