"""The audit of a log: is each match the one that was sealed, and is the log whole?

For each match: versions are dense, every line is of the form that was promised and chains to its
head, every shuffle is the one its seal stands for, nothing follows the end. For each partition:
positions run 1..n without a gap. What this proves, and what not, is in docs/fair-deal.md.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from schemas.cards import HOKM_PACK, Card, decode_pack
from schemas.events import (
    CardsShuffled,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    NonceAdded,
    RoundRevealed,
    SeatDrawn,
    decode_event,
    encode_event,
    tag_of,
)
from schemas.subjects import partition_of
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import READ_ROWS, Entry, Reader, Row
from services.rules.chance import drawn, round_seed, seal_of, shuffled

_FULL_PACKS: Final = {len(HOKM_PACK): HOKM_PACK}
"""What a shuffle of so many cards started from, where that is always the same."""


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


class _Shuffle(Struct, frozen=True):
    version: int
    body: CardsShuffled
    pack: tuple[Card, ...]


class _Bad(Exception):
    """Raised where a check fails, with the reason; it does not leave this module."""


def audit_match(rows: Sequence[Row]) -> Finding:
    """Check one whole stream."""
    fault = _first_fault([row.entry for row in rows])
    match = rows[0].entry.stream if rows else None
    return Finding(match=match, events=len(rows), ok=fault is None, first_bad=fault)


def audit_partition(log: Reader, partition: int, partitions: int) -> Finding | None:
    """Check that positions are 1..n and that each match is where it belongs; None if so."""
    expected = 0
    for row in _all_rows(log, partition):
        expected += 1
        entry = row.entry
        if row.position != expected:
            reason = f"partition {partition} has position {row.position} where {expected} belongs"
            return _bad_partition(expected, entry.version, reason)
        if partition_of(entry.stream, partitions) != partition:
            reason = f"{entry.stream} does not belong to partition {partition}"
            return _bad_partition(expected, entry.version, reason)
    last = log.position(partition)
    if last <= expected:
        return None
    reason = f"partition {partition} ends at position {expected}, not at {last}"
    return _bad_partition(expected, 0, reason)


def _bad_partition(events: int, version: int, reason: str) -> Finding:
    return Finding(match=None, events=events, ok=False, first_bad=Fault(version, reason))


def _all_rows(log: Reader, partition: int) -> Iterator[Row]:
    position = 0
    while rows := log.read(partition, position, READ_ROWS):
        yield from rows
        position = rows[-1].position


def _first_fault(entries: Sequence[Entry]) -> Fault | None:
    checks = _Checks()
    for version, entry in enumerate(entries, 1):
        try:
            checks.take(version, entry)
        except _Bad as bad:
            return Fault(version, str(bad))
    return None


class _Checks:
    """What is known of a match so far: its head, its seals, the shuffles not revealed yet."""

    def __init__(self) -> None:
        self._head = NO_HEAD
        self._opened: MatchOpened | None = None
        self._nonces: tuple[str, ...] = ()
        self._shuffles: list[_Shuffle] = []
        self._drawn: list[SeatDrawn] = []
        self._seeds: dict[int, bytes] = {}
        self._over = False

    def take(self, version: int, entry: Entry) -> None:
        """Check the next entry of the stream; raises `_Bad`."""
        self._check_chain(version, entry)
        event = _check_line(entry)
        if self._over:
            raise _Bad(f"{entry.type} after the end of the match")
        if (self._opened is None) != isinstance(event.body, MatchOpened):
            raise _Bad("a match is opened once, by its first event")
        self._check_seals(event, entry)

    def _check_chain(self, version: int, entry: Entry) -> None:
        if entry.version != version:
            raise _Bad(f"version {entry.version} where {version} belongs")
        self._head = next_head(self._head, entry.line)
        if self._head != entry.head:
            raise _Bad("the line does not chain to its head")

    def _check_seals(self, event: Event, entry: Entry) -> None:
        if (entry.secret is not None) != isinstance(event.body, CardsShuffled):
            raise _Bad("a pack belongs to cards_shuffled and to nothing else")
        match event.body:
            case MatchOpened() as opened:
                self._opened = opened
            case NonceAdded(nonce=nonce):
                self._nonces += (nonce,)
            case CardsShuffled() as body:
                self._shuffles.append(_Shuffle(entry.version, body, _pack(entry)))
            case SeatDrawn() as seat:
                self._drawn.append(seat)
            case RoundRevealed() as revealed:
                self._check_reveal(revealed)
            case MatchEnded(secret=secret) | MatchAbandoned(secret=secret):
                self._check_secret(event.match, bytes.fromhex(secret))
            case _:
                pass

    def _check_reveal(self, revealed: RoundRevealed) -> None:
        seed = bytes.fromhex(revealed.seed)
        if tuple(shuffle.pack for shuffle in self._shuffles) != revealed.packs:
            raise _Bad("the packs revealed are not those that were dealt")
        self._check_shuffles(seed)
        self._seeds[revealed.round] = seed
        self._shuffles, self._drawn = [], []

    def _check_shuffles(self, seed: bytes) -> None:
        for shuffle in self._shuffles:
            body = shuffle.body
            if seal_of(seed) != body.seal:
                raise _Bad(f"the seed is not the one sealed at version {shuffle.version}")
            full = _FULL_PACKS.get(body.cards)
            if full is not None and shuffled(seed, body.label, full) != shuffle.pack:
                raise _Bad(f"the pack at version {shuffle.version} is not that of its seed")
        seats = len(self._opened.seats) if self._opened else 0
        for seat in self._drawn:
            if drawn(seed, seat.label, seats) != seat.seat:
                raise _Bad("the seat drawn is not that of its seed")

    def _check_secret(self, match: str, secret: bytes) -> None:
        assert self._opened is not None
        if seal_of(secret) != self._opened.seal:
            raise _Bad("the secret is not the one that was sealed")
        for number, seed in self._seeds.items():
            if round_seed(secret, match, number, self._nonces) != seed:
                raise _Bad(f"the seed of round {number} is not that of the secret")
        if self._shuffles:  # an abandoned match: its last round was never revealed
            number = self._shuffles[0].body.round
            self._check_shuffles(round_seed(secret, match, number, self._nonces))
        self._over = True


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


def _pack(entry: Entry) -> tuple[Card, ...]:
    assert entry.secret is not None
    try:
        return decode_pack(entry.secret)
    except msgspec.DecodeError as error:
        raise _Bad(f"the pack cannot be read: {error}") from error


def audit_all(log: Reader) -> Iterator[Finding]:
    """A finding for each match, then one for each partition that is not whole."""
    after = ""
    while streams := log.streams(after=after):
        yield from (audit_match(log.load(stream)) for stream in streams)
        after = streams[-1]
    partitions = log.info().partitions
    found = (audit_partition(log, number, partitions) for number in range(partitions))
    yield from (finding for finding in found if finding is not None)
