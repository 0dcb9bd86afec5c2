"""From a turn to what the bot says on it: a command of the house, or its advice."""

import logging
import time
from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from schemas import subjects
from schemas.commands import Advise, Command, Suggestion, encode_command
from schemas.ids import house_voice
from schemas.traces import HEADER, carried
from schemas.views import BotTurn
from services.bot.metrics import BotMetrics
from services.bot.policy import suggest
from services.messaging.port import Bus, Delivery, Message
from services.runtime.command_ids import NewId
from services.runtime.faults import place_of
from services.runtime.tracing import Tracer

_log = logging.getLogger(__name__)


class Unthought(Exception):
    """Nothing came of thinking about a turn; the text names no card."""


Think = Callable[[BotTurn], Awaitable[Suggestion]]
"""What to do on a turn; raises `Unthought`."""


async def think_here(turn: BotTurn) -> Suggestion:
    """In this process and at once; raises `Unthought`."""
    try:
        return suggest(turn)
    except Exception as error:  # noqa: BLE001 - one turn the policy cannot play stops no other
        # Only where it happened: the error's own words may name cards.
        raise Unthought(place_of(error)) from None


class Answer(Struct, frozen=True):
    """What is to be said on `turn`, and in how many seconds it was found."""

    turn: BotTurn
    message: Message
    seconds: float


class Answers:
    """Says answers on the bus; `new_id` makes the commands' ids."""

    def __init__(
        self, bus: Bus, new_id: NewId, metrics: BotMetrics, tracer: Tracer | None = None
    ) -> None:
        self._tracer = tracer
        self._bus = bus
        self._new_id = new_id
        self._metrics = metrics

    async def to(self, turn: BotTurn, think: Think, trace: str | None = None) -> list[Answer]:
        """The answer to `turn`; none, and a line in the log, if the policy has none. `trace`: what
        led to the turn, which `say` links to.
        """
        began = time.monotonic()
        try:
            suggestion = await think(turn)
        except Unthought as error:
            said = {"match": turn.match, "seat": turn.seat, "move": turn.move}
            _log.error("the policy failed", extra=said | {"fault": str(error)})
            self._metrics.failed.inc()
            return []
        seconds = time.monotonic() - began
        return [Answer(turn, self._command(turn, suggestion, trace), seconds)]

    async def say(self, answers: list[Answer], deliveries: list[Delivery]) -> None:
        """Publish, and only then acknowledge: a turn without an answer comes again."""
        await self._bus.publish([self._traced(answer.message) for answer in answers])
        for answer in answers:
            self._metrics.said(answer.turn, answer.seconds)
        for delivery in deliveries:
            delivery.ack()

    def _traced(self, answer: Message) -> Message:
        """With a trace of its own. It begins and ends as the answer is said: how long one turn was
        thought about might tell of its cards, and is held back where people look on.
        """
        link = answer.headers.get(HEADER)
        if self._tracer is None:
            return replace(answer, headers={}) if link else answer
        _, match, voice = answer.subject.split(".")
        said = {"waraq.match": match, "waraq.voice": voice}
        span = self._tracer.begin("answer", None, said, link=link)
        span.end()
        return replace(answer, headers=carried(span.header))

    def _command(self, turn: BotTurn, suggestion: Suggestion, trace: str | None) -> Message:
        """A turn to advise on never makes a move: its seat has a player."""
        advises = turn.task == "advise"
        action = Advise(suggestion=suggestion) if advises else suggestion.actions[0]
        command = Command(id=self._new_id(), move=turn.move, action=action)
        return Message(
            subject=subjects.command_in(turn.match, house_voice(turn.seat)),
            data=encode_command(command),
            headers=carried(trace),
        )
