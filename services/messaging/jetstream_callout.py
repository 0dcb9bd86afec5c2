"""The broker's auth callout: it asks here about everybody who is none of its static users."""

import contextlib
from collections.abc import Callable
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg

from services.messaging.jetstream_admin import port_errors
from services.messaging.jetstream_link import Link, open_client, round_trip
from services.messaging.permissions import CALLOUT, CALLOUT_ANSWERS

CONNECT_WITHIN: Final = 5.0
WAITING: Final = 2_048
"""Requests that may wait here; whose request is dropped is refused by the broker's time-out."""
WAITING_BYTES: Final = 16 << 20
GROUP: Final = "auth"
"""Several workers share the requests: each goes to one of them."""

Answer = Callable[[bytes], bytes | None]
"""From a request to its answer; None says nothing, and the broker refuses when its time is up."""


async def connect_callout(
    url: str, *, user: str, password: str, answer: Answer, on_closed: Callable[[], None]
) -> "BrokerCallout":
    """Answers from now on. Raises `BusUnreachable`, or `BusError` where it may not listen."""
    link = Link("auth", on_closed)
    client = await open_client(url, user, password, link, CONNECT_WITHIN)
    callout = BrokerCallout(client, link, answer)
    await callout.start()
    return callout


class BrokerCallout:
    """One worker's share of the requests, across reconnects."""

    def __init__(self, client: Client, link: Link, answer: Answer) -> None:
        self._client = client
        self._link = link
        self._answer = answer

    @property
    def connected(self) -> bool:
        return bool(self._client.is_connected)

    async def start(self) -> None:
        with port_errors("the auth callout"):
            await self._client.subscribe(
                CALLOUT,
                GROUP,
                cb=self._hear,
                pending_msgs_limit=WAITING,
                pending_bytes_limit=WAITING_BYTES,
            )
            await round_trip(self._client)

    async def close(self) -> None:
        """What was asked before is answered."""
        self._link.closing = True
        with contextlib.suppress(OSError):  # a connection that is gone cannot be closed better
            await self._client.drain()

    async def _hear(self, request: Msg) -> None:
        """The one reply subject that we write to: only the broker can have set it here."""
        if not request.reply.startswith(CALLOUT_ANSWERS):
            return
        answer = self._answer(request.data)
        if answer is not None:
            await self._client.publish(request.reply, answer)
