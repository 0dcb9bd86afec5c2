"""Turns that take their time, for a search or since people look on: each is thought about once,
however often it came, beside all else.
"""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct

from schemas.ids import MatchId, Move
from schemas.traces import HEADER, parent_of
from schemas.views import BotTurn
from services.bot.answering import Answers, Think, think_here
from services.bot.metrics import BotMetrics
from services.bot.policy import needs_search
from services.messaging.port import Delivery

Rest = Callable[[float], Awaitable[None]]


class _Search(Struct):
    """`deliveries`: of the same turn, to be acknowledged with the answer."""

    move: Move
    deliveries: list[Delivery]
    task: asyncio.Task[None]


class Searching:
    """What is searched, waits for it, or is held. As many as the broker hands out at most can be
    here; how many are searched at once is `think`'s own to say. Tasks are the group's; `rest` waits
    for so many seconds.
    """

    def __init__(
        self,
        answers: Answers,
        think: Think,
        group: asyncio.TaskGroup,
        rest: Rest,
        metrics: BotMetrics,
    ) -> None:
        self._answers = answers
        self._think = think
        self._group = group
        self._rest = rest
        self._metrics = metrics
        self._searches: dict[bytes, _Search] = {}
        self._latest: dict[MatchId, bytes] = {}

    def put(self, turn: BotTurn, delivery: Delivery) -> None:
        """Answer `turn`, and acknowledge then. The same bytes are the same question: one that the
        table asks again, or the broker hands out again, waits for the answer that is being found.
        """
        asked = delivery.message.data
        search = self._searches.get(asked)
        if search is not None:
            search.deliveries.append(delivery)
            return
        self._give_up_before(turn)
        trace = parent_of(delivery.message.headers.get(HEADER))
        task = self._group.create_task(self._search(turn, asked, trace))
        self._searches[asked] = _Search(turn.move, [delivery], task)
        self._latest[turn.match] = asked

    def _give_up_before(self, turn: BotTurn) -> None:
        """Its match waits no more for an earlier decision: where more is asked than can be thought
        about in time, all that is thought would else come too late.
        """
        before = self._searches.get(self._latest.get(turn.match, b""))
        if before is None or before.move >= turn.move:
            return
        before.task.cancel()
        self._metrics.given_up.inc()
        for delivery in self._forget(turn.match, self._latest[turn.match]):
            delivery.ack()

    async def end(self, within: float) -> None:
        """Finish in so many seconds; what is not found by then is left, and comes to another."""
        tasks = [search.task for search in self._searches.values()]
        if not tasks:
            return
        _, left = await asyncio.wait(tasks, timeout=within)
        for task in left:
            task.cancel()

    async def _search(self, turn: BotTurn, asked: bytes, trace: str | None) -> None:
        think = self._think if needs_search(turn) else think_here
        answer, held = self._answers.to(turn, think, trace), self._rest(turn.steady / 1_000)
        said, _ = await asyncio.gather(answer, held)
        await self._answers.say(said, self._forget(turn.match, asked))

    def _forget(self, match: MatchId, asked: bytes) -> list[Delivery]:
        """The deliveries of a search that is over."""
        if self._latest.get(match) == asked:
            del self._latest[match]
        return self._searches.pop(asked).deliveries
