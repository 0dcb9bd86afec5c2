"""The peer: the library `eventsourcing`, given the same facts to store and to replay.

The library is in the extra `bench` only, so nothing of it is imported before it is asked for. Its
events are written by its own mapper and transcoder, as its documentation has it: its users get
that, and not what could be made of it.
"""

import importlib
import importlib.util
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from schemas.cards import decode_pack
from schemas.events import Body, Event, decode_event
from schemas.ids import Origin
from services.cli.bench.raw import parts
from services.event_log.chain import NO_HEAD
from services.event_log.port import Entry
from services.rules.decider import Fact
from services.rules.match import evolve

LIBRARY: Final = "eventsourcing"
Duty = Literal["count", "rules"]
"""What an aggregate does with an event: count it, or fold it by the same rules as we do."""


@cache
def _kinds(duty: Duty) -> dict[str, Any]:
    """The peer's aggregate and its events.

    They are called what they would be called at the top of a module.
    """
    domain = importlib.import_module(f"{LIBRARY}.domain")
    take, name = _TAKE[duty], _NAMES[duty]

    class Match(domain.Aggregate):  # type: ignore[misc, name-defined]  # known at run time only
        __qualname__ = name

        class Opened(domain.Aggregate.Created):  # type: ignore[misc, name-defined]  # as above
            __qualname__ = f"{name}.Opened"
            origin: Origin
            seat: int | None
            body: dict[str, Any]
            secret: str | None
            head: str

        class Happened(domain.Aggregate.Event):  # type: ignore[misc, name-defined]  # as above
            __qualname__ = f"{name}.Happened"
            origin: Origin
            seat: int | None
            body: dict[str, Any]
            secret: str | None
            head: str

            def apply(self, aggregate: Any) -> None:
                aggregate.happened += 1
                take(aggregate, self.origin, self.seat, self.body, self.secret)

        def __init__(
            self,
            origin: Origin,
            seat: int | None,
            body: dict[str, Any],
            secret: str | None,
            head: str,
        ) -> None:
            del head
            self.happened = 1
            self.latest: object = None
            take(self, origin, seat, body, secret)

    utils = importlib.import_module(f"{LIBRARY}.utils")
    utils.register_topic(f"{__name__}:{name}", Match)
    return {"opened": Match.Opened, "happened": Match.Happened}


class _Told(Struct):
    """A struct, because msgspec keeps what it has learnt of one: of a bare union it does not."""

    body: Body


def _keep(
    match: Any, _origin: Origin, _seat: int | None, body: dict[str, Any], _secret: str | None
) -> None:
    match.latest = body


def _fold(
    match: Any, origin: Origin, seat: int | None, body: dict[str, Any], secret: str | None
) -> None:
    pack = decode_pack(secret) if secret is not None else None
    told = msgspec.convert({"body": body}, _Told).body
    fact = Fact(body=told, origin=origin, seat=seat, pack=pack)
    match.latest = evolve(match.latest, fact)


_TAKE: Final = {"count": _keep, "rules": _fold}
_NAMES: Final = {"count": "Match", "rules": "RuledMatch"}


class PeerLog:
    """The library's application on a database, or in memory if `environment` is empty."""

    def __init__(self, environment: dict[str, str]) -> None:
        application = importlib.import_module(f"{LIBRARY}.application")
        for duty in _TAKE:
            _kinds(duty)
        self._application = application.Application(env=environment)

    def put(self, events: Sequence[Any]) -> None:
        """Write events and store them in one transaction, numbered for readers."""
        self._application.events.put(events)

    def replay(self, match: UUID) -> Any:
        """Fold a whole match: it has `happened` so often, and the `latest` it knows."""
        return self._application.repository.get(match)

    def close(self) -> None:
        self._application.close()


class PeerFact(Struct, frozen=True):
    """What the library is given to store, its head not chained yet."""

    event: Event
    originator: UUID
    timestamp: datetime
    body: dict[str, Any]
    secret: str | None


def peer_fact(entry: Entry) -> PeerFact:
    """The facts of `entry`, which has a line, and a secret beside it."""
    event = decode_event(entry.line)
    timestamp = datetime.fromtimestamp(event.time / 1000, UTC)
    body = msgspec.to_builtins(event.body)
    return PeerFact(event, peer_id(event.match), timestamp, body, entry.secret)


def peer_event(fact: PeerFact, head: str = NO_HEAD, duty: Duty = "count") -> Any:
    """The fact as the library's event: origin, seat, body and pack, the time, the chain's head."""
    event = fact.event
    first = event.version == 1
    told = {"originator_topic": f"{__name__}:{_NAMES[duty]}"} if first else {}
    return _kinds(duty)["opened" if first else "happened"](
        originator_id=fact.originator,
        originator_version=event.version,
        timestamp=fact.timestamp,
        origin=event.origin,
        seat=event.seat,
        body=fact.body,
        secret=fact.secret,
        head=head,
        **told,
    )


def peer_id(stream: str) -> UUID:
    return UUID(stream.removeprefix("m_"))


def sqlite_environment(path: str) -> dict[str, str]:
    return {"PERSISTENCE_MODULE": f"{LIBRARY}.sqlite", "SQLITE_DBNAME": path}


def postgres_environment(url: str) -> dict[str, str]:
    found = parts(url)
    return {
        "PERSISTENCE_MODULE": f"{LIBRARY}.postgres",
        "POSTGRES_DBNAME": found["dbname"],
        "POSTGRES_HOST": found.get("host", ""),
        "POSTGRES_PORT": found.get("port", "5432"),
        "POSTGRES_USER": found.get("user", ""),
        "POSTGRES_PASSWORD": found.get("password", ""),
    }
