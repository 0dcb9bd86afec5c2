"""Confirmed publishing, many at once: each message names an answer subject of its own."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Final

import msgspec
import nats.errors
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg

from services.messaging.port import Message, Unconfirmed

_NO_STREAM: Final = "503"
"""The status of an answer when no stream takes the subject."""


class _Fault(Struct):
    description: str = ""


class _PubAck(Struct):
    """The broker's answer to one message; a duplicate is confirmed too."""

    error: _Fault | None = None
    seq: int = 0


_decode = msgspec.json.Decoder(_PubAck).decode


class _Batch:
    """What is left of one call: unanswered messages and the first fault; `sequence` is that of
    the message whose answer comes on `last`.
    """

    def __init__(self, size: int, last: str) -> None:
        self.left = size
        self.last = last
        self.sequence = 0
        self.fault: str | None = None
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def confirm(self, answer: str, sequence: int) -> None:
        self.left -= 1
        if answer == self.last:
            self.sequence = sequence
        if not self.left:
            self._end()

    def fail(self, fault: str) -> None:
        self.fault = self.fault or fault
        self._end()

    async def over(self, until: float) -> None:
        """Returns when it is, at the latest at that moment of the loop's clock.

        Not asyncio.timeout: the client swallows a cancellation while it flushes.
        """
        timer = asyncio.get_running_loop().call_at(until, self._end)
        try:
            await self._over
        finally:
            timer.cancel()

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)


class Confirmations:
    """One subscription for the answers to everything this connection publishes confirmed."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._inbox = client.new_inbox()
        self._numbers = count()
        self._waiting: dict[str, _Batch] = {}
        self.open = True
        """False from a lost connection until the callers have been told of the new one."""

    async def start(self) -> None:
        await self._client.subscribe(f"{self._inbox}.*", cb=self._answer)

    async def publish(self, messages: Sequence[Message], within: float) -> int:
        """Where the last one stands; raises `Unconfirmed` at the first fault, or after `within`
        seconds.
        """
        if not messages:
            return 0
        if not self.open or not self._client.is_connected:
            raise Unconfirmed("the connection is not settled")
        answers = [f"{self._inbox}.{next(self._numbers)}" for _ in messages]
        batch = _Batch(len(messages), answers[-1])
        self._waiting.update(dict.fromkeys(answers, batch))
        try:
            await self._send(messages, answers, batch, within)
        finally:
            for answer in answers:
                self._waiting.pop(answer, None)
        if batch.fault:
            raise Unconfirmed(batch.fault)
        if batch.left:
            raise Unconfirmed(f"{batch.left} of {len(messages)} not confirmed in {within} s")
        return batch.sequence

    def give_up(self) -> None:
        """The connection broke: the answers to what was sent will not come any more, and nothing
        is sent until the callers know it: what is behind may have been lost.
        """
        self.open = False
        for batch in self._waiting.values():
            batch.fail("the connection was lost")

    async def _send(
        self, messages: Sequence[Message], answers: list[str], batch: _Batch, within: float
    ) -> None:
        end = asyncio.get_running_loop().time() + within
        try:
            for message, answer in zip(messages, answers, strict=True):
                if batch.fault:  # the rest would go on to a broker that may have lost the first
                    return
                headers = dict(message.headers) or None
                await self._client.publish(message.subject, message.data, answer, headers)
        except nats.errors.Error as error:
            batch.fail(str(error))
        await batch.over(end)

    async def _answer(self, msg: Msg) -> None:
        batch = self._waiting.pop(msg.subject, None)
        if batch is None:
            return
        if msg.headers and msg.headers.get("Status") == _NO_STREAM:
            batch.fail("no stream takes the subject")
            return
        answer = _decode(msg.data)
        if answer.error:
            batch.fail(answer.error.description)
        else:
            batch.confirm(msg.subject, answer.seq)
