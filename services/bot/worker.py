"""The bot worker: turns from the bus in, commands on the table's one door out.

It remembers nothing between two turns, so that any number of workers may share the turns and any
of them may die: a turn that is not answered comes again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from schemas.traces import HEADER, parent_of
from schemas.views import BotTurn, decode_turn
from services.bot.answering import Answer, Answers, Think, think_here
from services.bot.metrics import BotMetrics
from services.bot.policy import needs_search
from services.bot.searching import Rest, Searching
from services.messaging import streams
from services.messaging.port import Bus, BusError, Delivery, Message, Subscription
from services.runtime.command_ids import NewId, random_id
from services.runtime.tasks import happens
from services.runtime.tracing import Tracer

WAITING: Final = streams.bots().max_pending
"""Turns that may wait here. The broker hands out no more at a time, so that only turns that came
again can be too many; what is turned away stays unacknowledged and comes once more.
"""
BATCH: Final = 32
"""Turns answered in one write. A decision without a search takes some tenths of a millisecond, at a
crowded table of Hand up to a tenth of a second: between two the loop is free for pings and signals.
"""
STOP_WITHIN: Final = 5.0
"""Seconds for the searches that are there when the worker is asked to stop: a few hundred would
take longer than whoever asked waits before he kills it.
"""
RETRY: Final = 0.25
"""Seconds until the stream, which the table makes, is asked for again."""

_log = logging.getLogger(__name__)


async def run(  # noqa: PLR0913 what it is made of
    bus: Bus,
    stop: asyncio.Event,
    ready: Callable[[], None],
    *,
    new_id: NewId = random_id,
    think: Think = think_here,
    rest: Rest = asyncio.sleep,
    metrics: BotMetrics | None = None,
    tracer: Tracer | None = None,
) -> None:
    """Answer turns until `stop` is set, then those that have been delivered, and return; those
    that take a search as far as they are found within `STOP_WITHIN`.

    `ready` is called once turns are being received; `new_id` makes the commands' ids. `think` is
    where searches are made, and how many at once is its own to say: as it stands here, in this
    process. Turns that need none are answered meanwhile. `rest` holds an answer for some seconds.
    """
    metrics = metrics or BotMetrics()
    waiting = Waiting(metrics=metrics)
    subscription = await _listen(bus, stop, waiting)
    if subscription is None:
        return
    ready()
    ending = asyncio.create_task(_end(stop, subscription, waiting))
    try:
        async with asyncio.TaskGroup() as group:
            answers = Answers(bus, new_id, metrics, tracer)
            searching = Searching(answers, think, group, rest, metrics)
            while deliveries := await waiting.batch():
                await _answer(answers, searching, deliveries)
            await searching.end(STOP_WITHIN)
        await ending
    finally:
        ending.cancel()


class Waiting:
    """Turns that are delivered and not answered yet, oldest first, `most` of them."""

    def __init__(self, most: int = WAITING, metrics: BotMetrics | None = None) -> None:
        self._most = most
        self._metrics = metrics or BotMetrics()
        self._deliveries: deque[Delivery] = deque()
        self._news = asyncio.Event()
        self._ended = False

    def put(self, delivery: Delivery) -> None:
        if len(self._deliveries) >= self._most:
            _log.warning("too many turns are waiting", extra={"waiting": self._most})
            return
        self._deliveries.append(delivery)
        self._metrics.taken.inc()
        self._metrics.wait(len(self._deliveries))
        self._news.set()

    def end(self) -> None:
        """Nothing is put any more."""
        self._ended = True
        self._news.set()

    async def batch(self) -> list[Delivery]:
        """The next few; none at all once it has ended and all are taken."""
        while not self._deliveries and not self._ended:
            self._news.clear()
            await self._news.wait()
        count = min(BATCH, len(self._deliveries))
        taken = [self._deliveries.popleft() for _ in range(count)]
        self._metrics.wait(len(self._deliveries))
        return taken


async def _listen(bus: Bus, stop: asyncio.Event, waiting: Waiting) -> Subscription | None:
    """Receive turns; None if asked to stop before the stream is there."""
    said = ""
    while not stop.is_set():
        try:
            return await bus.consume(streams.bots(), waiting.put)
        except BusError as error:
            if str(error) != said:
                said = str(error)
                _log.info("no turns to be had yet", extra={"reason": said})
            await happens(stop, RETRY)
    return None


async def _end(stop: asyncio.Event, subscription: Subscription, waiting: Waiting) -> None:
    await stop.wait()
    try:
        await subscription.stop()
    finally:
        waiting.end()


async def _answer(answers: Answers, searching: Searching, deliveries: list[Delivery]) -> None:
    """Publish what is chosen, then acknowledge, what could not be answered too: the table asks
    again, and when time is up the house plays. What takes its time is left to `searching`.
    """
    said: list[Answer] = []
    done: list[Delivery] = []
    for delivery in deliveries:
        turn = _read(delivery.message)
        if turn is not None and (turn.steady or needs_search(turn)):
            searching.put(turn, delivery)
            continue
        done.append(delivery)
        trace = parent_of(delivery.message.headers.get(HEADER))
        said += [] if turn is None else await answers.to(turn, think_here, trace)
        await asyncio.sleep(0)
    await answers.say(said, done)


def _read(message: Message) -> BotTurn | None:
    """The turn in `message`; None, and a line in the log, if there is none."""
    try:
        return decode_turn(message.data)
    except msgspec.DecodeError:
        _log.error("undecodable turn", extra={"subject": message.subject})
        return None
