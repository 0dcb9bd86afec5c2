"""How the broker stands just now, for whoever looks after it: its streams, and who reads them."""

import time
from datetime import datetime
from enum import Enum
from typing import Any, Final

import msgspec
import nats.errors
from msgspec import Struct
from nats.aio.client import Client

from services.messaging.jetstream_admin import stream_config
from services.messaging.jetstream_link import Link, open_client
from services.messaging.port import BusUnreachable, JetStreamOff, StreamSpec

ANSWER_WITHIN: Final = 3.0
"""Seconds that JetStream has to answer; a stream without a leader does not."""
NO_STREAM: Final = 10_059
"""JetStream's error: there is no such stream."""
_API: Final = "$JS.API"
_STATED: Final = (
    "subjects",
    "retention",
    "discard",
    "discard_new_per_subject",
    "max_msgs_per_subject",
    "max_msgs",
    "max_bytes",
    "max_msg_size",
    "max_age",
    "no_ack",
    "subject_transform",
    "allow_direct",
    "allow_rollup_hdrs",
    "allow_msg_ttl",
    "allow_msg_schedules",
    "allow_atomic",
)
"""What of a stream's configuration must be as its spec says; the broker leaves out what is off."""


class ReaderFound(Struct, frozen=True, kw_only=True):
    """A consumer: `pending` are yet to be delivered, `unacked` were and are not acknowledged;
    `bound`: somebody listens.
    """

    name: str
    pending: int
    unacked: int
    redelivered: int
    bound: bool


class StreamFound(Struct, frozen=True, kw_only=True):
    """`odd` names what is not as in the spec, of `replicas` aside. `away`: copies that are offline
    or behind; `leader` is empty where a stream has one copy only.
    """

    name: str
    odd: tuple[str, ...]
    messages: int
    bytes: int
    replicas: int
    leader: str
    away: tuple[str, ...]
    readers: tuple[ReaderFound, ...]


class BrokerFound(Struct, frozen=True, kw_only=True):
    """`missing` are streams that are not there. `skew`: seconds by which the broker's clock is
    ahead of ours; `milliseconds`: how long one question took.
    """

    version: str
    streams: tuple[StreamFound, ...]
    missing: tuple[str, ...]
    skew: float
    milliseconds: float


async def survey(
    url: str, *, user: str, password: str, specs: tuple[StreamSpec, ...], within: float
) -> BrokerFound:
    """Raises `BusUnreachable` (`LoginRefused`), `JetStreamOff`; changes nothing."""
    client = await open_client(url, user, password, Link("doctor", None), within)
    try:
        return await _survey(client, specs)
    finally:
        await client.close()


async def _survey(client: Client, specs: tuple[StreamSpec, ...]) -> BrokerFound:
    found: list[StreamFound] = []
    missing: list[str] = []
    skew = took = 0.0
    for spec in specs:
        asked, began = time.time(), time.perf_counter()
        info = await _asked(client, f"STREAM.INFO.{spec.name}")
        took = (time.perf_counter() - began) * 1_000
        if info is None:
            missing.append(spec.name)
            continue
        skew = _seconds(info["ts"]) - (asked + took / 2_000)
        found.append(_stream(spec, info, await _readers(client, spec.name)))
    return BrokerFound(
        version=_version(client),
        streams=tuple(found),
        missing=tuple(missing),
        skew=skew,
        milliseconds=round(took, 1),
    )


async def _asked(client: Client, call: str, body: bytes = b"") -> dict[str, Any] | None:
    """JetStream's answer, None if there is no such stream."""
    try:
        answer = await client.request(f"{_API}.{call}", body, timeout=ANSWER_WITHIN)
    except nats.errors.NoRespondersError as error:
        raise JetStreamOff("no JetStream answers") from error
    except (TimeoutError, nats.errors.TimeoutError) as error:
        raise JetStreamOff(f"{call} is not answered in {ANSWER_WITHIN:.0f} s") from error
    except nats.errors.Error as error:
        raise BusUnreachable(str(error)) from error
    found: dict[str, Any] = msgspec.json.decode(answer.data)
    fault = found.get("error")
    if fault is None:
        return found
    if fault.get("err_code") == NO_STREAM:
        return None
    raise JetStreamOff(f"{call}: {fault.get('description')}")


async def _readers(client: Client, stream: str) -> tuple[ReaderFound, ...]:
    found: list[ReaderFound] = []
    while True:
        page = await _asked(
            client, f"CONSUMER.LIST.{stream}", msgspec.json.encode({"offset": len(found)})
        )
        if page is None or not page.get("consumers"):
            return tuple(found)
        found += [_reader(one) for one in page["consumers"]]
        if len(found) >= page["total"]:
            return tuple(found)


def _reader(info: dict[str, Any]) -> ReaderFound:
    return ReaderFound(
        name=info["name"],
        pending=info["num_pending"],
        unacked=info["num_ack_pending"],
        redelivered=info["num_redelivered"],
        bound=info.get("push_bound", False),
    )


def _stream(
    spec: StreamSpec, info: dict[str, Any], readers: tuple[ReaderFound, ...]
) -> StreamFound:
    cluster = info.get("cluster") or {}
    copies = cluster.get("replicas") or []
    return StreamFound(
        name=spec.name,
        odd=_odd(spec, info["config"]),
        messages=info["state"]["messages"],
        bytes=info["state"]["bytes"],
        replicas=info["config"]["num_replicas"],
        leader=cluster.get("leader", ""),
        away=tuple(
            one["name"] for one in copies if one.get("offline") or not one.get("current", True)
        ),
        readers=readers,
    )


def _odd(spec: StreamSpec, found: dict[str, Any]) -> tuple[str, ...]:
    wanted = stream_config(spec).as_dict()
    return tuple(name for name in _STATED if _plain(wanted.get(name)) != _plain(found.get(name)))


def _plain(value: object) -> object:
    """What is off may be said or left out; a word of the client's is the broker's own."""
    if value is False:
        return None
    return value.value if isinstance(value, Enum) else value


def _version(client: Client) -> str:
    version = client.connected_server_version
    return f"{version.major}.{version.minor}.{version.patch}"


def _seconds(stamp: str) -> float:
    """Unix time of `2026-12-01T00:00:00.123456789Z`, nine places and all."""
    whole, _, rest = stamp.rstrip("Z").partition(".")
    return datetime.fromisoformat(f"{whole}+00:00").timestamp() + float(f"0.{rest or 0}")
