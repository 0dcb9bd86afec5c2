"""Events appended, beside the library's append and the driver's plain inserts.

Each side begins with facts in memory and ends with a commit. Ours encodes the line, chains its
head, checks fence and version and numbers the events of the partition, in an append-only table.
The library has the same duties on one side: it chains the same heads and its table is append-only;
on the other side it is as it comes. The driver is given rows and checks keys.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from typing import Final

from msgspec import Struct

from schemas.events import Event, decode_event, encode_event, tag_of
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, Point, figure, ratios
from services.cli.bench.matches import copies, script
from services.cli.bench.peer import (
    PeerLog,
    peer_event,
    peer_fact,
    postgres_environment,
    sqlite_environment,
)
from services.cli.bench.raw import Inserts, PostgresInserts, RawRow, SqliteInserts, guard_peer
from services.cli.bench.sides import Side, Turn, take_turns, timed
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Batch, Claim, Entry, EventLog
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade

TURNS: Final = 5
RATIO: Final = Budget("at least", 1.5)
OURS: Final = "the log"
PEER: Final = "eventsourcing with the same duties"
AS_IT_COMES: Final = "eventsourcing as it comes"
INSERTS: Final = "plain inserts"
PARTITION: Final = 0
MATCHES_OF_A_TURN: Final = 1_000_000
"""Ids that a turn may use, so that no two turns have the same match."""
Transactions = Sequence[tuple[Entry, ...]]


class Load(Struct, frozen=True):
    """How many transactions a turn has, and how many events each of them."""

    transactions: int
    size: int

    @property
    def events(self) -> int:
        return self.transactions * self.size


class Fact(Struct, frozen=True):
    """What is known before anything is written."""

    event: Event
    command: str | None
    secret: str | None


def appending(conditions: Conditions) -> Found:
    """Events a second at 1 and at 100 a transaction."""
    loads = (Load(conditions.many(300, 50), 1), Load(conditions.many(100, 15), 100))
    return Found(tuple(one for load in loads for one in _append(conditions, load)))


def _append(conditions: Conditions, load: Load) -> Iterator[Figure]:
    with _sides(conditions, load) as sides:
        rates = take_turns(sides, TURNS)
    at = f"{load.size} a transaction"
    for name, found in rates.items():
        point = Point(f"{conditions.database}, {name}", load.size)
        yield figure(f"{name}, {at}", "events/s", found, point=point)
    for name in (PEER, AS_IT_COMES, INSERTS):
        budget = RATIO if name == PEER and load.size > 1 else None
        yield figure(f"ratio to {name}, {at}", "times", ratios(rates[OURS], rates[name]), budget)


@contextmanager
def _sides(conditions: Conditions, load: Load) -> Iterator[Mapping[str, Side]]:
    """Each on a database of its own, of the same kind."""
    with ExitStack() as stack:
        own, theirs, plain, bare = (stack.enter_context(conditions.fresh_log()) for _ in range(4))
        upgrade(own)
        log = stack.enter_context(closing(open_log(own)))
        peer = stack.enter_context(closing(PeerLog(_environment(conditions, theirs))))
        if conditions.database == "sqlite":
            guard_peer(_path(theirs))
        other = stack.enter_context(closing(PeerLog(_environment(conditions, plain))))
        inserts = stack.enter_context(closing(_inserts(conditions, bare)))
        yield {
            OURS: _ours(log, load),
            PEER: _theirs(peer, load),
            AS_IT_COMES: _as_it_comes(other, load),
            INSERTS: _bare(inserts, load),
        }


def _environment(conditions: Conditions, url: str) -> dict[str, str]:
    sqlite = conditions.database == "sqlite"
    return sqlite_environment(_path(url)) if sqlite else postgres_environment(url)


def _inserts(conditions: Conditions, url: str) -> Inserts:
    sqlite = conditions.database == "sqlite"
    return SqliteInserts(_path(url)) if sqlite else PostgresInserts(url)


def _path(url: str) -> str:
    return url.removeprefix("sqlite:///")


def _ours(log: EventLog, load: Load) -> Side:
    claim = log.claim(PARTITION, "bench")

    def side(turn: int) -> Turn:
        facts = [[_fact(entry) for entry in entries] for entries in transactions(load, turn)]
        heads: dict[str, str] = {}

        def append() -> None:
            for some in facts:
                log.append(claim, Batch(entries=tuple(_entry(fact, heads) for fact in some)))

        return timed(load.events, append)

    return side


def _theirs(peer: PeerLog, load: Load) -> Side:
    """With our duties: each event carries the head of the chain up to it."""

    def side(turn: int) -> Turn:
        facts = [[peer_fact(entry) for entry in entries] for entries in transactions(load, turn)]
        heads: dict[str, str] = {}

        def append() -> None:
            for some in facts:
                peer.put([peer_event(fact, _chained(fact.event, heads)) for fact in some])

        return timed(load.events, append)

    return side


def _as_it_comes(peer: PeerLog, load: Load) -> Side:
    def side(turn: int) -> Turn:
        facts = [[peer_fact(entry) for entry in entries] for entries in transactions(load, turn)]

        def append() -> None:
            for some in facts:
                peer.put([peer_event(fact) for fact in some])

        return timed(load.events, append)

    return side


def _bare(inserts: Inserts, load: Load) -> Side:
    positions = count(1)

    def side(turn: int) -> Turn:
        rows = [[_row(e, next(positions)) for e in some] for some in transactions(load, turn)]

        def insert() -> None:
            for some in rows:
                inserts.insert(some)

        return timed(load.events, insert)

    return side


def transactions(load: Load, turn: int) -> Transactions:
    """Entries of matches that no other turn has, cut into transactions."""
    template = script(0).entries
    many, base = -(-load.events // len(template)), turn * MATCHES_OF_A_TURN
    entries = [e for match in copies(template, range(base, base + many)) for e in match]
    return [tuple(entries[at : at + load.size]) for at in range(0, load.events, load.size)]


def append_all(log: EventLog, claim: Claim, batches: Transactions) -> None:
    for entries in batches:
        log.append(claim, Batch(entries=entries))


def _fact(entry: Entry) -> Fact:
    return Fact(decode_event(entry.line), entry.command, entry.secret)


def _chained(event: Event, heads: dict[str, str]) -> str:
    line = encode_event(event).decode()
    head = heads[event.match] = next_head(heads.get(event.match, NO_HEAD), line)
    return head


def _entry(fact: Fact, heads: dict[str, str]) -> Entry:
    event = fact.event
    line = encode_event(event).decode()
    head = heads[event.match] = next_head(heads.get(event.match, NO_HEAD), line)
    return Entry(
        stream=event.match,
        version=event.version,
        type=tag_of(event.body),
        command=fact.command,
        line=line,
        head=head,
        secret=fact.secret,
    )


def _row(e: Entry, position: int) -> RawRow:
    return (PARTITION, position, e.stream, e.version, e.type, e.command, e.line, e.head, e.secret)
