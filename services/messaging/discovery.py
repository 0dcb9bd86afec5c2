"""What a worker says of itself to operators, by NATS' own convention for services (`$SRV`).

Nobody who plays reaches any of this: only the command line's user may ask, and only below
`answers_of` its kind does a worker answer. These are words and forms; `jetstream_discovery` speaks
them.
"""

import os
import socket
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from secrets import token_hex
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct, field

from schemas.standing import Standing
from services.messaging.permissions import Kind, Verb, answers_of, asked_on, service_of

TYPE: Final = "io.nats.micro.v1"
ENDPOINT: Final = "work"
"""A service has endpoints by the convention. Ours has one that is no subject to ask on."""

Form = Literal["ping_response", "info_response", "stats_response"]
_FORMS: Final[Mapping[Verb, Form]] = {
    "PING": "ping_response",
    "INFO": "info_response",
    "STATS": "stats_response",
}


class Service(Struct, frozen=True, kw_only=True):
    """One worker: `id` is its own; `at` is host and process; `serves` the
    subjects that its work comes on. `standing` is asked for on the loop and waits for nothing.
    """

    kind: Kind
    id: str
    version: str
    at: str
    description: str
    serves: str
    began: datetime
    standing: Callable[[], Standing]


class Seen(Struct, frozen=True, kw_only=True):
    """A worker as an operator hears of it."""

    worker: Kind
    id: str
    version: str
    at: str
    began: str
    standing: Standing


def of_process(
    kind: Kind, *, description: str, serves: str, standing: Callable[[], Standing]
) -> Service:
    """Our own process as a service."""
    return Service(
        kind=kind,
        id=token_hex(8),
        version=version("waraq"),
        at=f"{socket.gethostname()}:{os.getpid()}",
        description=description,
        serves=serves,
        began=datetime.now(UTC),
        standing=standing,
    )


def subjects_of(service: Service) -> dict[str, Verb]:
    """Where it is asked, and what for: all at once, all of its kind, itself."""
    verbs = get_args(Verb)
    return {asked_on(verb, *of): verb for verb in verbs for of in _named(service)}


def answer(service: Service, verb: Verb) -> bytes:
    """Its answer, in the convention's form."""
    said: dict[str, Any] = {
        "type": f"{TYPE}.{_FORMS[verb]}",
        "name": service_of(service.kind),
        "id": service.id,
        "version": service.version,
        "metadata": {"at": service.at},
    }
    if verb == "INFO":
        said |= {"description": service.description, "endpoints": [_endpoint(service)]}
    if verb == "STATS":
        said |= {"started": service.began.isoformat(), "endpoints": [_counted(service)]}
    return msgspec.json.encode(said)


def may_be_answered(kind: Kind, reply: str) -> bool:
    """Whoever may ask has his answers of that kind below `answers_of`: any other reply subject is
    somebody else's, or a stream's.
    """
    return reply.startswith(answers_of(kind))


def seen(kind: Kind, said: bytes) -> Seen | None:
    """What an answer to STATS tells that came where this kind alone may answer; None for what is
    none of theirs.
    """
    try:
        found = _decode(said)
    except msgspec.DecodeError:
        return None
    if found.name != service_of(kind) or len(found.endpoints) != 1:
        return None
    return Seen(
        worker=kind,
        id=found.id,
        version=found.version,
        at=found.metadata.get("at", ""),
        began=found.started,
        standing=found.endpoints[0].data,
    )


def _named(service: Service) -> tuple[tuple[str, ...], ...]:
    name = service_of(service.kind)
    return (), (name,), (name, service.id)


def _endpoint(service: Service) -> dict[str, Any]:
    return {"name": ENDPOINT, "subject": service.serves, "queue_group": "", "metadata": {}}


def _counted(service: Service) -> dict[str, Any]:
    """The convention has room for a time of work; how long things take is for `/metrics`."""
    standing = service.standing()
    return {
        "name": ENDPOINT,
        "subject": service.serves,
        "queue_group": "",
        "num_requests": standing.done,
        "num_errors": standing.failed,
        "last_error": "",
        "processing_time": 0,
        "average_processing_time": 0,
        "data": standing,
    }


class _Endpoint(Struct):
    data: Standing


class _Stats(Struct):
    name: str
    id: str
    version: str
    started: str
    endpoints: tuple[_Endpoint, ...]
    metadata: dict[str, str] = field(default_factory=dict)


_decode = msgspec.json.Decoder(_Stats).decode
