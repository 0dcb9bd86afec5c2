"""Reading a stream with a push consumer that outlives reconnects and a lost store."""

import asyncio
import logging
from collections import deque
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext
from nats.js import errors as js_errors

from services.messaging.headers import trusted
from services.messaging.jetstream_admin import (
    NO_CONSUMER,
    NOT_UNIQUE,
    consumer_config,
    consumer_names,
    consumers_of,
    port_errors,
    remove_consumer,
)
from services.messaging.jetstream_link import end
from services.messaging.permissions import deliveries
from services.messaging.port import BusError, ConsumerSpec, DeliveryHandler, Message
from services.messaging.succession import newer, place_of

PENDING_ACKS: Final = 65_536
"""Acks that may wait for the connection; the oldest are dropped: one more delivery each."""
ACK_TOGETHER: Final = 0.005
"""Seconds that an ack waits for others: one write for all of them. The broker is in no hurry."""
PLACE_TRIES: Final = 5
"""How often a place in a work queue is taken from a rival that takes it at the same time."""
PLACE_WAIT: Final = 5.0
"""Seconds that the broker has to say who has a place."""
CHECK_WAIT: Final = 1.0
"""Seconds that the check of a consumer waits for the broker."""

_log: Final = logging.getLogger(__name__)


class Acks:
    """Acks by plain calls, sent together by one task."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._replies: deque[str] = deque(maxlen=PENDING_ACKS)
        self._some = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="acks")

    def add(self, reply: str) -> None:
        self._replies.append(reply)
        self._some.set()

    async def _run(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(ACK_TOGETHER)
            self._some.clear()
            await self.send()

    async def send(self) -> None:
        """Write all that wait; one that cannot be written is a delivery more."""
        while self._replies:
            try:
                await self._client.publish(self._replies.popleft())
            except nats.errors.Error as error:
                _log.debug("ack dropped: %s", error)

    async def close(self) -> None:
        await end(self._task)
        await self.send()


class _Delivery:
    __slots__ = ("_acks", "_reply", "message")

    def __init__(self, message: Message, reply: str, acks: Acks) -> None:
        self.message = message
        self._reply = reply
        self._acks = acks

    def ack(self) -> None:
        self._acks.add(self._reply)


class Consumption:
    """One reader of a stream. `check` brings its consumer back when the broker has lost it.

    An exclusive reader gives way for good when another consumer has its filter under a newer
    name (`p0-e10` is newer than `p0-e9`): names carry the epoch, so that of all that come back
    to an emptied broker the owner stays.
    """

    def __init__(
        self, client: Client, acks: Acks, spec: ConsumerSpec, handler: DeliveryHandler
    ) -> None:
        self._client = client
        self._acks = acks
        self._spec = spec
        self._handler = handler
        self._deliver = deliveries(spec.name) if spec.group else client.new_inbox()
        self._listening: Subscription | None = None
        self.stopped = False

    async def start(self) -> None:
        """Raises `BusError`; then nothing is left listening."""
        doing = f"consumer {self._spec.name} of {self._spec.stream}"
        queue = self._spec.group or ""
        with port_errors(doing):
            self._listening = await self._client.subscribe(self._deliver, queue, cb=self._receive)
        try:
            with port_errors(doing):
                await self._place(self._client.jetstream())
        except BusError:
            await self.stop()
            raise

    async def stop(self) -> None:
        """The consumer stays in the broker, and with it what is unacknowledged."""
        if self.stopped or self._listening is None:
            return
        self.stopped = True
        if not self._client.is_closed:
            await self._listening.unsubscribe()

    async def check(self) -> None:
        """Take the place again if the broker has lost it, give way if it has a newer owner."""
        js = self._client.jetstream(timeout=CHECK_WAIT)
        try:
            with port_errors(f"check of {self._spec.name}"):
                if self._spec.group:
                    await self._check_shared(js)
                else:
                    await self._check_exclusive(js)
        except BusError as error:
            _log.debug("%s", error)

    async def _check_shared(self, js: JetStreamContext) -> None:
        try:
            await js.consumer_info(self._spec.stream, self._spec.name)
        except js_errors.NotFoundError as error:
            if error.err_code != NO_CONSUMER:
                raise
            await self._create(js)

    async def _check_exclusive(self, js: JetStreamContext) -> None:
        spec = self._spec
        found = await self._of_our_place(js, CHECK_WAIT)
        rivals = [name for name in found if newer(name, spec.name)]
        if rivals:
            await self._give_way(rivals[0])
            if spec.name in found:
                await remove_consumer(js, spec.stream, spec.name)
        elif spec.name not in found:
            for older in found:
                await remove_consumer(js, spec.stream, older)
            await self._create(js)
        else:
            mine = await js.consumer_info(spec.stream, spec.name)
            if mine.config.deliver_subject != self._deliver:
                await self._give_way(spec.name)

    async def _of_our_place(self, js: JetStreamContext, within: float) -> list[str]:
        """The consumers with our filter, by name: their names say so, or else they are asked."""
        spec = self._spec
        names = await consumer_names(self._client, spec.stream, within=within)
        places = {name: place_of(name) for name in (*names, spec.name)}
        if None in places.values():
            return [one.name for one in await consumers_of(js, spec)]
        return [name for name in names if places[name] == places[spec.name]]

    async def _give_way(self, rival: str) -> None:
        _log.warning("consumer %s was replaced by %s: it reads no more", self._spec.name, rival)
        await self.stop()

    async def _place(self, js: JetStreamContext) -> None:
        """Join the group, or take the place of every other consumer with this filter."""
        if self._spec.group:
            await self._create(js)
            return
        for _ in range(PLACE_TRIES):
            for rival in await self._of_our_place(js, PLACE_WAIT):
                await remove_consumer(js, self._spec.stream, rival)
            try:
                await self._create(js)
            except js_errors.BadRequestError as error:
                if error.err_code != NOT_UNIQUE:
                    raise
            else:
                return
        raise BusError(f"the place of {self._spec.name} is taken each time it is freed")

    async def _create(self, js: JetStreamContext) -> None:
        await js.add_consumer(self._spec.stream, consumer_config(self._spec, self._deliver))
        _log.info("consumer %s of %s is placed", self._spec.name, self._spec.stream)

    async def _receive(self, msg: Msg) -> None:
        if self.stopped or not msg.reply.startswith("$JS.ACK."):
            return
        message = Message(
            subject=msg.subject, data=msg.data, headers=trusted(msg.subject, msg.headers)
        )
        try:
            self._handler(_Delivery(message, msg.reply, self._acks))
        except Exception:  # noqa: BLE001 - logged; a handler's fault stops nobody
            _log.exception("the handler of %s raised on %s", self._spec.name, msg.subject)
