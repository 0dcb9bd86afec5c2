"""The audit of a log: is each match the one that was sealed, and is the log whole?

For each match: versions are dense, every line is of the form that was promised and chains to its
head, every shuffle is the one its seal stands for, nothing follows the end. For each partition:
positions run 1..n without a gap. What this proves, and what not, is in docs/fair-deal.md.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from schemas.cards import Card, decode_pack
from schemas.events import (
    CardsShuffled,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    RoundRevealed,
    SeatDrawn,
    decode_event,
    encode_event,
    tag_of,
)
from schemas.subjects import partition_of
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import READ_ROWS, Entry, LogError, LogUnreachable, Reader, Row
from services.rules.chance import RevealedChance, round_seed, seal_of
from services.rules.decider import Fact
from services.rules.history import fact_of
from services.rules.match import MatchState, consequence, evolve
from services.runtime.faults import place_of


class Fault(Struct, frozen=True):
    """The first version at which a stream is not what it should be, and why."""

    version: int
    reason: str


class Finding(Struct, frozen=True, kw_only=True):
    """What came of one match (or, with `match` null, of one partition's positions)."""

    match: str | None
    events: int
    ok: bool
    first_bad: Fault | None


class _Drawn(Struct, frozen=True):
    """A fact of chance that is not revealed yet, and the match before it."""

    version: int
    fact: Fact
    before: MatchState


class _Bad(Exception):
    """Raised where a check fails, with the reason; it does not leave this module."""


def audit_match(rows: Sequence[Row]) -> Finding:
    """Check one whole stream."""
    fault = _first_fault([row.entry for row in rows])
    match = rows[0].entry.stream if rows else None
    return Finding(match=match, events=len(rows), ok=fault is None, first_bad=fault)


def audit_stream(log: Reader, stream: str) -> Finding:
    """Check one stream of `log`; a row that the database cannot read is a fault of its version."""
    try:
        return audit_match(log.load(stream))
    except LogUnreachable:
        raise
    except LogError:
        return _unreadable(log, stream)


def _unreadable(log: Reader, stream: str) -> Finding:
    version = 0
    try:
        while log.load(stream, after=version, limit=1):
            version += 1
    except LogError as error:
        fault = Fault(version + 1, str(error))
        return Finding(match=stream, events=version, ok=False, first_bad=fault)
    raise LogError(f"{stream} can be read row by row, but not at once")


def audit_partition(log: Reader, partition: int, partitions: int) -> Finding | None:
    """Check that positions are 1..n and that each match is where it belongs; None if so."""
    last, expected = log.position(partition), 0  # first: a running table goes on appending
    for row in _rows_up_to(log, partition, last):
        expected += 1
        entry = row.entry
        if row.position != expected:
            reason = f"partition {partition} has position {row.position} where {expected} belongs"
            return _bad_partition(expected, entry.version, reason)
        if partition_of(entry.stream, partitions) != partition:
            reason = f"{entry.stream} does not belong to partition {partition}"
            return _bad_partition(expected, entry.version, reason)
    if last <= expected:
        return None
    reason = f"partition {partition} ends at position {expected}, not at {last}"
    return _bad_partition(expected, 0, reason)


def _audit_positions(log: Reader, partition: int, partitions: int) -> Finding | None:
    try:
        return audit_partition(log, partition, partitions)
    except LogUnreachable:
        raise
    except LogError as error:
        return _bad_partition(0, 0, f"partition {partition}: {error}")


def _bad_partition(events: int, version: int, reason: str) -> Finding:
    return Finding(match=None, events=events, ok=False, first_bad=Fault(version, reason))


def _rows_up_to(log: Reader, partition: int, last: int) -> Iterator[Row]:
    position = 0
    while position < last and (rows := log.read(partition, position, READ_ROWS)):
        yield from (row for row in rows if row.position <= last)
        position = rows[-1].position


def _first_fault(entries: Sequence[Entry]) -> Fault | None:
    checks = _Checks()
    for version, entry in enumerate(entries, 1):
        try:
            checks.take(version, entry)
        except _Bad as bad:
            return Fault(version, str(bad))
        except Exception as error:  # noqa: BLE001 whatever else is wrong is wrong at this version
            return Fault(version, f"the row is of no form that a log has: {place_of(error)}")
    return None


class _Checks:
    """What is known of a match so far: its head, its state, its seals, what chance has done."""

    def __init__(self) -> None:
        self._head = NO_HEAD
        self._state: MatchState | None = None
        self._drawn: list[_Drawn] = []
        self._seeds: dict[int, bytes] = {}

    def take(self, version: int, entry: Entry) -> None:
        """Check the next entry of the stream; raises `_Bad`."""
        self._check_chain(version, entry)
        event = _check_line(entry)
        if self._state is not None and self._state.over:
            raise _Bad(f"{entry.type} after the end of the match")
        if (self._state is None) != isinstance(event.body, MatchOpened):
            raise _Bad("a match is opened once, by its first event")
        fact = fact_of(event, _pack(entry, event))
        self._check_seals(event, fact)
        self._state = _evolved(self._state, fact)

    def _check_chain(self, version: int, entry: Entry) -> None:
        if entry.version != version:
            raise _Bad(f"version {entry.version} where {version} belongs")
        self._head = next_head(self._head, entry.line)
        if self._head != entry.head:
            raise _Bad("the line does not chain to its head")

    def _check_seals(self, event: Event, fact: Fact) -> None:
        match event.body:
            case CardsShuffled() | SeatDrawn():
                assert self._state is not None
                self._drawn.append(_Drawn(event.version, fact, self._state))
            case RoundRevealed() as revealed:
                self._check_reveal(revealed, fact)
            case MatchEnded(secret=secret) | MatchAbandoned(secret=secret):
                self._check_secret(event.match, bytes.fromhex(secret))
            case _:
                pass

    def _check_reveal(self, revealed: RoundRevealed, fact: Fact) -> None:
        assert self._state is not None
        packs = tuple(one.fact.pack for one in self._drawn if one.fact.pack is not None)
        if packs != revealed.packs:
            raise _Bad("the packs revealed are not those that were dealt")
        seed = bytes.fromhex(revealed.seed)
        if _by_the_rules(self._state, seed) != fact:
            raise _Bad("no reveal of this round belongs here")
        self._check_drawn(seed)
        self._seeds[revealed.round] = seed
        self._drawn = []

    def _check_drawn(self, seed: bytes) -> None:
        """What chance did since the last reveal is what this seed does by the rules."""
        for one in self._drawn:
            body = one.fact.body
            if isinstance(body, CardsShuffled) and body.seal != seal_of(seed):
                raise _Bad(f"the seed is not the one sealed at version {one.version}")
            if _by_the_rules(one.before, seed) != one.fact:
                raise _Bad(f"{tag_of(body)} at version {one.version} is not that of its seed")

    def _check_secret(self, match: str, secret: bytes) -> None:
        assert self._state is not None
        if seal_of(secret) != self._state.opened.seal:
            raise _Bad("the secret is not the one that was sealed")
        nonces = self._state.nonces
        for number, seed in self._seeds.items():
            if round_seed(secret, match, number, nonces) != seed:
                raise _Bad(f"the seed of round {number} is not that of the secret")
        shuffles = [one.fact.body for one in self._drawn]
        for body in shuffles[:1]:  # an abandoned match: its last round was never revealed
            if isinstance(body, CardsShuffled):
                self._check_drawn(round_seed(secret, match, body.round, nonces))


def _by_the_rules(before: MatchState, seed: bytes) -> Fact | None:
    """The fact that follows here by the rules, with this seed's luck."""
    return consequence(before, RevealedChance(seed))


def _evolved(state: MatchState | None, fact: Fact) -> MatchState:
    try:
        return evolve(state, fact)
    except Exception as error:
        raise _Bad(f"the rules cannot take this event: {place_of(error)}") from error


def _check_line(entry: Entry) -> Event:
    try:
        event = decode_event(entry.line)
    except msgspec.DecodeError as error:
        raise _Bad(f"the line cannot be read: {error}") from error
    if encode_event(event).decode() != entry.line:
        raise _Bad("the line is not written in the promised form")
    if (event.match, event.version) != (entry.stream, entry.version):
        raise _Bad("the line speaks of another match or version")
    if tag_of(event.body) != entry.type:
        raise _Bad(f"the line is no {entry.type}")
    return event


def _pack(entry: Entry, event: Event) -> tuple[Card, ...] | None:
    if (entry.secret is not None) != isinstance(event.body, CardsShuffled):
        raise _Bad("a pack belongs to cards_shuffled and to nothing else")
    if entry.secret is None:
        return None
    try:
        return decode_pack(entry.secret)
    except msgspec.DecodeError as error:
        raise _Bad(f"the pack cannot be read: {error}") from error


def audit_all(log: Reader) -> Iterator[Finding]:
    """A finding for each match, then one for each partition that is not whole."""
    after = ""
    while streams := log.streams(after=after):
        yield from (audit_stream(log, stream) for stream in streams)
        after = streams[-1]
    partitions = log.info().partitions
    found = (_audit_positions(log, number, partitions) for number in range(partitions))
    yield from (finding for finding in found if finding is not None)
