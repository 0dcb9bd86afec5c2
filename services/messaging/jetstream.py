"""The bus on NATS and JetStream."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import nats.errors
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as Listening
from nats.js import JetStreamContext
from nats.js import errors as js_errors
from nats.js.api import RawStreamMsg

from services.messaging.discovery import Service
from services.messaging.headers import trusted
from services.messaging.jetstream_admin import NO_MESSAGE, port_errors, put_stream
from services.messaging.jetstream_confirm import Confirmations
from services.messaging.jetstream_consume import Acks, Consumption
from services.messaging.jetstream_discovery import attend
from services.messaging.jetstream_link import Link, Password, end, open_client, round_trip
from services.messaging.port import (
    ConsumerSpec,
    DeliveryHandler,
    Handler,
    Message,
    StreamSpec,
    Subscription,
)

CONNECT_WAIT: Final = 5.0
"""Seconds until a first connection counts as failed."""
READ_MESSAGES: Final = 65_536
"""Core messages of one subscription that may wait for its handler; those beyond are lost."""
READ_BYTES: Final = 64 << 20
CHECK_EVERY: Final = 2.0
"""Seconds between two looks whether the consumers are still there."""

_log: Final = logging.getLogger(__name__)


async def connect(
    url: str,
    *,
    user: str,
    password: Password,
    name: str,
    within: float = CONNECT_WAIT,
    on_closed: Callable[[], None] | None = None,
) -> "JetStreamBus":
    """A bus that is connected as `user`; `name` is what logs call the connection.

    Raises `BusUnreachable` after `within` seconds, or `LoginRefused` as soon as it is refused.
    `on_closed` is called once the connection is closed for good, after `close` too: a worker
    that did not close it has nothing left to do but to end.
    """
    link = Link(name, on_closed)
    client = await open_client(url, user, password, link, within)
    bus = JetStreamBus(client, link)
    await bus.start()
    return bus


class Size(Struct, frozen=True):
    """What a stream holds."""

    messages: int
    bytes: int
    away: int
    """Copies that are offline or behind."""


class JetStreamBus:
    """See the port. `dropped` counts messages that could not even be buffered."""

    def __init__(self, client: Client, link: Link) -> None:
        self._client = client
        self._link = link
        self._js: JetStreamContext = client.jetstream()
        self._acks = Acks(client)
        self._confirmations = Confirmations(client)
        link.on_lost = self._confirmations.give_up
        self._consumptions: list[Consumption] = []
        self._calls: list[Callable[[], Awaitable[None]]] = []
        self._watching = asyncio.create_task(self._watch(), name=f"watch of {link.name}")
        self.dropped = 0

    @property
    def connected(self) -> bool:
        return bool(self._client.is_connected)

    @property
    def refused(self) -> asyncio.Event:
        """Set whenever the broker has refused the log-in; whoever has seen it may clear it."""
        return self._link.refused

    async def start(self) -> None:
        await self._confirmations.start()

    async def ensure(self, specs: Sequence[StreamSpec]) -> None:
        for spec in specs:
            with port_errors(f"stream {spec.name}"):
                await put_stream(self._js, spec)

    async def publish(self, messages: Sequence[Message]) -> None:
        for message in messages:
            try:
                await self._client.publish(
                    message.subject, message.data, headers=dict(message.headers) or None
                )
            except nats.errors.Error as error:
                self.dropped += 1
                await self._link.heard_error(error)

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        return await self._confirmations.publish(messages, within)

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        async def receive(msg: Msg) -> None:
            headers = trusted(msg.subject, msg.headers)
            try:
                handler(Message(subject=msg.subject, data=msg.data, headers=headers))
            except Exception:  # noqa: BLE001 - logged; a handler's fault stops nobody
                _log.exception("the handler of %s raised on %s", subject, msg.subject)

        with port_errors(f"subscription to {subject}"):
            listening = await self._client.subscribe(
                subject,
                cb=receive,
                pending_msgs_limit=READ_MESSAGES,
                pending_bytes_limit=READ_BYTES,
            )
        await self._round_trip()
        return _CoreSubscription(self._client, listening)

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        consumption = Consumption(self._client, self._acks, spec, handler)
        await consumption.start()
        self._consumptions.append(consumption)
        return consumption

    async def last(self, stream: str, subject: str) -> Message | None:
        with port_errors(f"last of {subject} in {stream}"):
            return await self._found(self._js.get_last_msg(stream, subject))

    async def stored(self, stream: str, sequence: int) -> Message | None:
        with port_errors(f"message {sequence} of {stream}"):
            return await self._found(self._js.get_msg(stream, sequence))

    async def _found(self, asked: Awaitable[RawStreamMsg]) -> Message | None:
        try:
            found = await asked
        except js_errors.NotFoundError as error:
            if error.err_code == NO_MESSAGE:
                return None
            raise
        stored = found.subject or ""
        return Message(
            subject=stored, data=found.data or b"", headers=trusted(stored, found.headers)
        )

    def on_reconnect(self, call: Callable[[], Awaitable[None]]) -> None:
        self._calls.append(call)

    async def size(self, stream: str) -> Size:
        """How much a stream holds; raises `BusError`."""
        with port_errors(f"size of {stream}"):
            info = await self._js.stream_info(stream)
        copies = (info.cluster.replicas if info.cluster else None) or []
        away = sum(bool(one.offline) or not one.current for one in copies)
        return Size(info.state.messages, info.state.bytes, away)

    async def attend(self, service: Service) -> None:
        """Say to operators who ask how this worker stands."""
        await attend(self._client, service)

    async def wait_closed(self) -> None:
        """Returns once the connection is closed for good."""
        await self._link.closed.wait()

    async def close(self) -> None:
        self._link.closing = True
        await end(self._watching)
        for consumption in self._consumptions:
            await consumption.stop()
        await self._acks.close()
        await self._round_trip()
        with contextlib.suppress(OSError):  # a connection that is gone cannot be closed better
            await self._client.close()

    async def _round_trip(self) -> None:
        try:
            await round_trip(self._client)
        except (TimeoutError, nats.errors.Error) as error:
            await self._link.heard_error(error)

    async def _watch(self) -> None:
        """After each reconnect the callers' calls, then the consumers; these now and then too."""
        while True:
            await self._tick()
            if self._link.back.is_set():
                self._link.back.clear()
                await self._tell_return()
            self._consumptions = [one for one in self._consumptions if not one.stopped]
            for consumption in self._consumptions:
                if self._client.is_connected:
                    await self._guarded(consumption.check)

    async def _tell_return(self) -> None:
        """Nothing is confirmed until all callers know of the latest loss: of one that came while
        they were told of an earlier one they will be told next.
        """
        whole, losses = self._link.whole, self._link.losses
        for call in self._calls:
            await self._guarded(call)
        self._confirmations.open = whole and self._link.losses == losses

    async def _tick(self) -> None:
        try:
            async with asyncio.timeout(CHECK_EVERY):
                await self._link.back.wait()
        except TimeoutError:
            return

    async def _guarded(self, call: Callable[[], Awaitable[None]]) -> None:
        try:
            await call()
        except Exception:  # noqa: BLE001 - logged; what comes after it is done all the same
            _log.exception("%s: %s failed", self._link.name, call)


class _CoreSubscription:
    def __init__(self, client: Client, listening: Listening) -> None:
        self._client = client
        self._listening: Listening | None = listening

    async def stop(self) -> None:
        listening, self._listening = self._listening, None
        if listening and not self._client.is_closed:
            await listening.unsubscribe()
