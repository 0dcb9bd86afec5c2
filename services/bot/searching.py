"""Turns that take a search: each is thought about once, however often it came, beside all else."""

import asyncio

from schemas.views import BotTurn
from services.bot.answering import Answers, Think
from services.messaging.port import Delivery


class Searching:
    """What is searched or waits for it. As many as the broker hands out at most can be here; how
    many are searched at once is `think`'s own to say. Tasks are the group's.
    """

    def __init__(self, answers: Answers, think: Think, group: asyncio.TaskGroup) -> None:
        self._answers = answers
        self._think = think
        self._group = group
        self._deliveries: dict[bytes, list[Delivery]] = {}

    def put(self, turn: BotTurn, delivery: Delivery) -> None:
        """Answer `turn`, and acknowledge then. The same bytes are the same question: one that the
        table asks again, or the broker hands out again, waits for the answer that is being found.
        """
        asked = delivery.message.data
        waits = asked in self._deliveries
        self._deliveries.setdefault(asked, []).append(delivery)
        if not waits:
            self._group.create_task(self._search(turn, asked))

    async def _search(self, turn: BotTurn, asked: bytes) -> None:
        said = await self._answers.to(turn, self._think)
        await self._answers.say(said, self._deliveries.pop(asked))
