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

from schemas import subjects
from schemas.commands import Command, encode_command
from schemas.ids import house_voice
from schemas.views import BotTurn, decode_turn
from services.bot.policy import choose
from services.messaging import streams
from services.messaging.port import Bus, BusError, Delivery, Message, Subscription
from services.runtime.command_ids import NewId, random_id
from services.runtime.faults import place_of
from services.runtime.tasks import happens

WAITING: Final = streams.bots().max_pending
"""Turns that may wait here. The broker hands out no more at a time, so that only turns that came
again can be too many; what is turned away stays unacknowledged and comes once more.
"""
BATCH: Final = 32
"""Turns answered in one write. A decision takes some tenths of a millisecond, at a crowded table of
Hand up to a tenth of a second: between two of them the loop is free for pings and signals."""
RETRY: Final = 0.25
"""Seconds until the stream, which the table makes, is asked for again."""

_log = logging.getLogger(__name__)


async def run(
    bus: Bus, stop: asyncio.Event, ready: Callable[[], None], *, new_id: NewId = random_id
) -> None:
    """Answer turns until `stop` is set, then those that have been delivered, and return.

    `ready` is called once turns are being received; `new_id` makes the commands' ids.
    """
    waiting = Waiting()
    subscription = await _listen(bus, stop, waiting)
    if subscription is None:
        return
    ready()
    ending = asyncio.create_task(_end(stop, subscription, waiting))
    try:
        while deliveries := await waiting.batch():
            await _answer(bus, deliveries, new_id)
        await ending
    finally:
        ending.cancel()


class Waiting:
    """Turns that are delivered and not answered yet, oldest first, `most` of them."""

    def __init__(self, most: int = WAITING) -> None:
        self._most = most
        self._deliveries: deque[Delivery] = deque()
        self._news = asyncio.Event()
        self._ended = False

    def put(self, delivery: Delivery) -> None:
        if len(self._deliveries) >= self._most:
            _log.warning("too many turns are waiting", extra={"waiting": self._most})
            return
        self._deliveries.append(delivery)
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
        return [self._deliveries.popleft() for _ in range(count)]


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


async def _answer(bus: Bus, deliveries: list[Delivery], new_id: NewId) -> None:
    """Publish what is chosen, then acknowledge, what could not be answered too: the table asks
    again, and when time is up the house plays.
    """
    answers: list[Message] = []
    for delivery in deliveries:
        answer = _command_on(delivery.message, new_id)
        answers += [answer] if answer is not None else []
        await asyncio.sleep(0)
    await bus.publish(answers)
    for delivery in deliveries:
        delivery.ack()


def _command_on(message: Message, new_id: NewId) -> Message | None:
    """The command on the turn in `message`; None, and a line in the log, if there is none."""
    try:
        turn = decode_turn(message.data)
    except msgspec.DecodeError:
        _log.error("undecodable turn", extra={"subject": message.subject})
        return None
    if turn.task != "play":
        _log.info("advice is not offered", extra=_ids(turn))
        return None
    return _command(turn, new_id)


def _command(turn: BotTurn, new_id: NewId) -> Message | None:
    try:
        action = choose(turn)
    except Exception as error:  # noqa: BLE001 - one turn the policy cannot play stops no other
        # Only where it happened: the error's own words may name cards.
        _log.error("the policy failed", extra=_ids(turn) | {"fault": place_of(error)})
        return None
    command = Command(id=new_id(), move=turn.move, action=action)
    return Message(
        subject=subjects.command_in(turn.match, house_voice(turn.seat)),
        data=encode_command(command),
    )


def _ids(turn: BotTurn) -> dict[str, object]:
    return {"match": turn.match, "seat": turn.seat, "move": turn.move}
