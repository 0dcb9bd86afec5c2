"""The message bus's port: consume, publish confirmed, publish, subscribe.

Delivery from a stream is at least once and in any order after a redelivery; a core publish may be
lost. Nothing here is the truth: the log is.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct, field


class BusError(Exception):
    """Base of all faults of the bus."""


class BusUnreachable(BusError):
    """No broker answered in time, or it refused the log-in."""


class LoginRefused(BusUnreachable):
    """It refused the log-in. While nobody answers for players it refuses all of them."""


class JetStreamOff(BusError):
    """The broker is there, and has no JetStream for us, or none that answers."""


class Unconfirmed(BusError):
    """The stream did not confirm every message in time: some of them may be stored all the same."""


class Message(Struct, frozen=True, kw_only=True):
    """`headers` never come from a player: what he sets is dropped by the receiver, all but the
    trace that he names (`schemas.traces`).
    """

    subject: str
    data: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Delivery(Protocol):
    """A message from a stream; it comes again until it is acknowledged."""

    @property
    def message(self) -> Message: ...

    def ack(self) -> None:
        """Done with it. Buffered; a lost ack means one more delivery."""
        ...


class StreamSpec(Struct, frozen=True, kw_only=True):
    """A stream, as the table creates it where it is missing. Sizes in bytes, times in seconds.

    `transform` is `(source, destination)` in the broker's words, applied before storing.
    `no_ack`: the publisher is told nothing, so that no reply subject is ever written to (rule 4).
    `replicas`: on how many nodes of the broker's cluster it is stored.
    """

    name: str
    subjects: tuple[str, ...]
    retention: Literal["limits", "workqueue"]
    discard: Literal["old", "new"]
    max_per_subject: int = -1
    max_messages: int = -1
    max_bytes: int = -1
    max_message_bytes: int = -1
    max_age: float = 0.0
    duplicate_window: float = 120.0
    no_ack: bool = False
    transform: tuple[str, str] | None = None
    replicas: int = 1


class ConsumerSpec(Struct, frozen=True, kw_only=True):
    """A reader of a stream with a place of its own.

    `group`: several processes share the consumer, each message goes to one of them. Without a
    group the consumer is exclusive: creating it replaces every other one with the same `filter`.
    `ack_wait`: seconds until an unacknowledged message comes again.
    """

    stream: str
    name: str
    filter: str
    group: str | None = None
    ack_wait: float = 30.0
    max_pending: int = 2_000


class Subscription(Protocol):
    async def stop(self) -> None:
        """No more calls of the handler after this returns. What is unacknowledged stays."""
        ...


Handler = Callable[[Message], None]
DeliveryHandler = Callable[[Delivery], None]


class Bus(Protocol):
    """One connection. Handlers are plain functions called on the loop: they put things in queues
    and never block; one that raises is logged and does not stop the subscription.
    """

    @property
    def connected(self) -> bool:
        """False while no broker is reached."""
        ...

    async def ensure(self, specs: Sequence[StreamSpec]) -> None:
        """Create the streams that are missing and bring the others to their spec."""
        ...

    async def publish(self, messages: Sequence[Message]) -> None:
        """Send in one write, unconfirmed. While disconnected it may be dropped, never raises."""
        ...

    async def publish_confirmed(self, messages: Sequence[Message], *, within: float) -> int:
        """Send to a stream and wait until it has confirmed each; where the last of them stands
        in it, 0 if there were none. A duplicate `Nats-Msg-Id` counts as confirmed.

        Raises `Unconfirmed` if not each is confirmed within that many seconds; at once while
        disconnected and until the calls of `on_reconnect` have returned, so that nothing is sent
        after what the broker may have lost.
        """
        ...

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        """Core messages on `subject` (with the broker's wildcards) from now on."""
        ...

    async def consume(self, spec: ConsumerSpec, handler: DeliveryHandler) -> Subscription:
        """Messages of a stream from its first unacknowledged one, across reconnects.

        Raises `BusError` if the stream is missing.
        """
        ...

    async def last(self, stream: str, subject: str) -> Message | None:
        """The last message stored in `stream` under `subject` (wildcards allowed), or None."""
        ...

    async def stored(self, stream: str, sequence: int) -> Message | None:
        """The message that stands there in `stream`, or None."""
        ...

    def on_reconnect(self, call: Callable[[], Awaitable[None]]) -> None:
        """Call this each time the connection is back: core messages in between were lost."""
        ...

    async def close(self) -> None:
        """Send what is buffered, then disconnect."""
        ...
