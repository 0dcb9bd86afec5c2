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
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from schemas.events import Event
from services.cli.bench.raw import parts
from services.event_log.chain import NO_HEAD

LIBRARY: Final = "eventsourcing"


@cache
def _kinds() -> dict[str, Any]:
    """The peer's aggregate and its events: a match that counts what happens to it.

    They are called what they would be called at the top of a module.
    """
    domain = importlib.import_module(f"{LIBRARY}.domain")

    class Match(domain.Aggregate):  # type: ignore[misc, name-defined]  # known at run time only
        __qualname__ = "Match"

        class Opened(domain.Aggregate.Created):  # type: ignore[misc, name-defined]  # as above
            __qualname__ = "Match.Opened"
            origin: str
            seat: int | None
            body: dict[str, Any]
            head: str

        class Happened(domain.Aggregate.Event):  # type: ignore[misc, name-defined]  # as above
            __qualname__ = "Match.Happened"
            origin: str
            seat: int | None
            body: dict[str, Any]
            head: str

            def apply(self, aggregate: Any) -> None:
                aggregate.happened += 1
                aggregate.latest = self.body

        def __init__(self, origin: str, seat: int | None, body: dict[str, Any], head: str) -> None:
            del origin, seat, head
            self.happened = 1
            self.latest = body

    utils = importlib.import_module(f"{LIBRARY}.utils")
    utils.register_topic(f"{__name__}:Match", Match)
    return {"opened": Match.Opened, "happened": Match.Happened}


class PeerLog:
    """The library's application on a database, or in memory if `environment` is empty."""

    def __init__(self, environment: dict[str, str]) -> None:
        application = importlib.import_module(f"{LIBRARY}.application")
        _kinds()
        self._application = application.Application(env=environment)

    def put(self, events: Sequence[Any]) -> None:
        """Write events and store them in one transaction, numbered for readers."""
        self._application.events.put(events)

    def replay(self, match: UUID) -> int:
        """Fold a whole match; how many events it has."""
        found: int = self._application.repository.get(match).happened
        return found

    def close(self) -> None:
        self._application.close()


class PeerFact(Struct, frozen=True):
    """What the library is given to store, its head not chained yet."""

    event: Event
    originator: UUID
    timestamp: datetime
    body: dict[str, Any]


def peer_fact(event: Event) -> PeerFact:
    timestamp = datetime.fromtimestamp(event.time / 1000, UTC)
    return PeerFact(event, peer_id(event.match), timestamp, msgspec.to_builtins(event.body))


def peer_event(fact: PeerFact, head: str = NO_HEAD) -> Any:
    """The fact as the library's event: origin, seat and body, the time, the chain's head."""
    event = fact.event
    first = event.version == 1
    told = {"originator_topic": f"{__name__}:Match"} if first else {}
    return _kinds()["opened" if first else "happened"](
        originator_id=fact.originator,
        originator_version=event.version,
        timestamp=fact.timestamp,
        origin=event.origin,
        seat=event.seat,
        body=fact.body,
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
