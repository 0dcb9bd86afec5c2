"""A bare NATS connection: what an attacker would use."""

import json
from typing import Any, Final

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from services.messaging.jetstream_link import round_trip
from services.messaging.permissions import inbox
from services.messaging.server import Broker
from tests.broker import password

ANSWER_WAIT: Final = 0.3
"""Seconds until a request that the broker refused counts as unanswered."""


class Raw:
    """One user's connection, what it heard, and what the broker refused it."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.heard: list[Msg] = []
        self.refusals: list[str] = []
        self.client: Client = Client()

    async def connect(self, broker: Broker) -> "Raw":
        self.client = await nats.connect(
            broker.url,
            user=self.user,
            password=password(self.user),
            inbox_prefix=inbox(self.user),
            error_cb=self._refused,
            allow_reconnect=False,
        )
        return self

    async def _refused(self, error: Exception) -> None:
        self.refusals.append(str(error))

    async def _hear(self, msg: Msg) -> None:
        self.heard.append(msg)

    @property
    def subjects(self) -> list[str]:
        return [msg.subject for msg in self.heard]

    async def round_trip(self) -> None:
        """All that was said before has reached the broker, and its answers have come."""
        await round_trip(self.client)

    async def may_publish(self, subject: str) -> bool:
        before = len(self.refusals)
        await self.client.publish(subject, b"x")
        await self.round_trip()
        return not self.refusals[before:]

    async def may_subscribe(self, subject: str, queue: str = "") -> bool:
        before = len(self.refusals)
        await self.client.subscribe(subject, queue, cb=self._hear)
        await self.round_trip()
        return not self.refusals[before:]

    async def say(
        self, subject: str, body: bytes, reply: str = "", headers: dict[str, str] | None = None
    ) -> None:
        await self.client.publish(subject, body, reply, headers)
        await self.round_trip()

    async def ask_api(self, call: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """The answer of JetStream's API, or None if it was refused."""
        payload = json.dumps(body).encode() if body is not None else b""
        try:
            answer = await self.client.request(f"$JS.API.{call}", payload, timeout=ANSWER_WAIT)
        except (TimeoutError, NoRespondersError):
            return None
        found: dict[str, Any] = json.loads(answer.data)
        return found
