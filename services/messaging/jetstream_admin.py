"""What the ports' specs are in JetStream's words, and its faults in the port's words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js import errors as js_errors
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    ConsumerInfo,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    SubjectTransform,
)

from services.messaging.port import BusError, BusUnreachable, ConsumerSpec, StreamSpec

NAME_IN_USE: Final = 10_058
"""JetStream's error: the stream exists with another configuration."""
NOT_UNIQUE: Final = 10_100
"""JetStream's error: a work queue has a consumer with this filter already."""
NO_MESSAGE: Final = 10_037
"""JetStream's error: nothing is stored under the subject."""
NO_CONSUMER: Final = 10_014
"""JetStream's error: the consumer is missing, while its stream is there."""
PAGE_CONSUMERS: Final = 256
"""The broker lists so many consumers at once."""
_UNLIMITED: Final = -1


@contextmanager
def port_errors(doing: str) -> Iterator[None]:
    """Raise the client's errors as the port's. A refused request shows as no answer in time."""
    try:
        yield
    except js_errors.ServiceUnavailableError as error:
        raise BusUnreachable(f"{doing}: no JetStream here") from error
    except js_errors.APIError as error:
        raise BusError(f"{doing}: {error.description}") from error
    except (TimeoutError, nats.errors.Error, OSError) as error:
        # Both time-outs: the client's own and the builtin one are raised by its calls.
        raise BusUnreachable(f"{doing}: {str(error) or 'no answer in time'}") from error


def stream_config(spec: StreamSpec) -> StreamConfig:
    """Every field that a publisher could abuse is stated, so that an update takes it back."""
    new = spec.discard == "new"
    return StreamConfig(
        name=spec.name,
        subjects=list(spec.subjects),
        retention=RetentionPolicy(spec.retention),
        storage=StorageType.FILE,
        discard=DiscardPolicy(spec.discard),
        discard_new_per_subject=new and spec.max_per_subject > 0,
        max_msgs_per_subject=spec.max_per_subject,
        max_msgs=spec.max_messages,
        max_bytes=spec.max_bytes,
        max_msg_size=spec.max_message_bytes,
        max_age=spec.max_age,
        duplicate_window=spec.duplicate_window,
        no_ack=spec.no_ack,
        num_replicas=spec.replicas,
        subject_transform=SubjectTransform(*spec.transform) if spec.transform else None,
        allow_direct=False,
        allow_rollup_hdrs=False,
        allow_msg_ttl=False,
        allow_msg_schedules=False,
        allow_msg_counter=False,
        allow_atomic=False,
        allow_batched=False,
    )


async def put_stream(js: JetStreamContext, spec: StreamSpec) -> None:
    """Create the stream, or bring it to its spec. Raises the client's errors."""
    config = stream_config(spec)
    try:
        await js.add_stream(config)
    except js_errors.BadRequestError as error:
        if error.err_code != NAME_IN_USE:
            raise
        await js.update_stream(config)


def consumer_config(spec: ConsumerSpec, deliver: str) -> ConsumerConfig:
    """A push consumer: pulling in batches stalls in this client, for up to seconds."""
    return ConsumerConfig(
        name=spec.name,
        durable_name=spec.name,
        deliver_subject=deliver,
        deliver_group=spec.group,
        deliver_policy=DeliverPolicy.ALL,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=spec.ack_wait,
        max_ack_pending=spec.max_pending,
        max_deliver=_UNLIMITED,
        filter_subject=spec.filter,
    )


async def consumers_of(js: JetStreamContext, spec: ConsumerSpec) -> list[ConsumerInfo]:
    """All consumers of the stream with this filter. Raises the client's errors."""
    found: list[ConsumerInfo] = []
    offset = 0
    while page := await js.consumers_info(spec.stream, offset):
        found += [info for info in page if info.config.filter_subject == spec.filter]
        offset += len(page)
        if len(page) < PAGE_CONSUMERS:
            break
    return found


async def consumer_names(client: Client, stream: str, *, within: float) -> list[str]:
    """The names of all consumers of the stream. Raises the client's errors.

    Of a cluster one node answers this alone. To be told more of them each consumer's own leader is
    asked, and while one of these is down, that answer comes after seconds and not whole.
    """
    found: list[str] = []
    while True:
        asked = msgspec.json.encode({"offset": len(found)})
        answer = await client.request(f"$JS.API.CONSUMER.NAMES.{stream}", asked, timeout=within)
        page: dict[str, Any] = msgspec.json.decode(answer.data)
        if "error" in page:
            js_errors.APIError.from_error(page["error"])
        found += page.get("consumers") or ()
        if not page.get("consumers") or len(found) >= page["total"]:
            return found


async def remove_consumer(js: JetStreamContext, stream: str, name: str) -> None:
    """Delete the consumer, which may be gone already. Raises the client's other errors."""
    try:
        await js.delete_consumer(stream, name)
    except js_errors.NotFoundError:
        return
