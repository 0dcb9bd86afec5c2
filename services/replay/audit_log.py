"""The audit of a log: each match of it, and in each partition the positions 1..n without a gap."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from schemas.events import END_TAGS
from schemas.ids import MatchId, matches
from schemas.subjects import partition_of
from services.event_log.port import (
    READ_ROWS,
    STREAM_EVENTS,
    LogError,
    LogUnreachable,
    Reader,
    Row,
)
from services.replay.audit import LOG, Fault, Finding, Questions, audit_match
from services.replay.rebuild import is_over

NOWHERE: Final = 0
"""The version of a fault that is no event's."""


def audit_all(log: Reader, asked: Questions = LOG) -> Iterator[Finding]:
    """A finding for each match, those that were seen and are gone, then one for each partition that
    is not whole.
    """
    numbers = range(log.info().partitions)
    open_ = frozenset(stream for number in numbers for stream in log.open_streams(number))
    frame = Frame(len(numbers), open_)
    gone, after = set(asked.seen), ""
    while streams := log.streams(after=after):
        gone.difference_update(streams)
        for stream in streams:
            yield audited(log, stream, asked, frame).finding
        after = streams[-1]
    yield from (_gone(stream) for stream in sorted(gone))
    found = (_audit_positions(log, number, len(numbers)) for number in numbers)
    yield from (finding for finding in found if finding is not None)


class Frame(Struct, frozen=True):
    """What is known of a log before its streams are looked at: `open` are matches that were open
    then, so that nobody need ask again whether their end is gone.
    """

    partitions: int
    open: frozenset[MatchId] = frozenset()


class Audited(Struct, frozen=True):
    """A finding, and the very rows that it is about; none where a row cannot be read."""

    finding: Finding
    rows: tuple[Row, ...] = ()


def audit_stream(log: Reader, stream: MatchId, asked: Questions = LOG) -> Finding:
    """Check one stream of `log`; a row that the database cannot read is a fault of its version."""
    return audited(log, stream, asked).finding


def audited(
    log: Reader, stream: MatchId, asked: Questions = LOG, frame: Frame | None = None
) -> Audited:
    """The same with the rows that were checked, for whoever goes on with them."""
    try:
        known = frame or Frame(log.info().partitions)
        rows = log.load(stream, limit=STREAM_EVENTS + 1)
        finding = _found(rows, asked, known.partitions)
        if not finding.ok or stream in known.open or is_over(rows):
            return Audited(finding, rows)
        return _audit_end(log, rows, asked, known.partitions)
    except LogUnreachable:
        raise
    except LogError:
        return Audited(_unreadable(log, stream))


def _found(rows: Sequence[Row], asked: Questions, partitions: int) -> Finding:
    stream = rows[0].entry.stream
    if len(rows) > STREAM_EVENTS:
        reason = f"no match has more than {STREAM_EVENTS} events"
        return _bad(stream, STREAM_EVENTS, Fault(STREAM_EVENTS + 1, reason))
    finding = audit_match([row.entry for row in rows], asked)
    belongs = partition_of(stream, partitions)
    astray = [version for version, row in enumerate(rows, 1) if row.partition != belongs]
    if astray and (finding.first_bad is None or astray[0] < finding.first_bad.version):
        reason = f"it stands in another partition than {belongs}, where its match belongs"
        return _bad(stream, len(rows), Fault(astray[0], reason))
    return finding


def _audit_end(log: Reader, rows: tuple[Row, ...], asked: Questions, partitions: int) -> Audited:
    """A match that has not ended is an open one, unless it has ended since it was loaded."""
    stream = rows[0].entry.stream
    while stream not in log.open_streams(partition_of(stream, partitions)):
        later = log.load(stream)
        if is_over(later):
            return Audited(_found(later, asked, partitions), later)
        if len(later) == len(rows):
            reason = "the log ends here, but the match is not among the open ones: its end is gone"
            return Audited(_bad(stream, len(rows), Fault(len(rows) + 1, reason)), rows)
        rows = later
    return Audited(_found(rows, asked, partitions), rows)


def _unreadable(log: Reader, stream: MatchId) -> Finding:
    version = 0
    try:
        while log.load(stream, after=version, limit=1):
            version += 1
    except LogError as error:
        return _bad(stream, version, Fault(version + 1, str(error)))
    raise LogError(f"{stream} can be read row by row, but not at once")


def _bad(stream: MatchId, events: int, fault: Fault) -> Finding:
    return Finding(match=stream, events=events, ok=False, first_bad=fault)


def _gone(stream: MatchId) -> Finding:
    return _bad(stream, 0, Fault(1, "the log has nothing of this match, but it was seen"))


# Positions ------------------------------------------------------------------------------------


def audit_partition(log: Reader, partition: int, partitions: int) -> Finding | None:
    """Check that positions are 1..n, that each row is a match's which belongs there, and that a
    match's versions are in the order of their positions; None if so.
    """
    last, expected = log.position(partition), 0  # first: a running table goes on appending
    versions: dict[MatchId, int] = {}
    for row in _rows_up_to(log, partition, last):
        expected += 1
        reason = _misplaced(row, expected, partitions, versions)
        if reason is not None:
            return _bad_partition(expected, row.entry.version, reason)
    if last > expected:
        reason = f"partition {partition} ends at position {expected}, not at {last}"
        return _bad_partition(expected, NOWHERE, reason)
    beyond = log.read(partition, last, 1)
    if beyond and log.position(partition) < beyond[0].position:
        reason = f"partition {partition} says that it ends at {last}, but goes on"
        return _bad_partition(expected, beyond[0].entry.version, reason)
    return None


def _misplaced(
    row: Row, expected: int, partitions: int, versions: dict[MatchId, int]
) -> str | None:
    """Why the row cannot stand here; `versions` are the latest of the matches before it."""
    partition, entry = row.partition, row.entry
    if row.position != expected:
        return f"partition {partition} has position {row.position} where {expected} belongs"
    if not matches(entry.stream, MatchId):
        return f"partition {partition} has a row of {entry.stream!a}, which is no match"
    if partition_of(entry.stream, partitions) != partition:
        return f"{entry.stream} does not belong to partition {partition}"
    if entry.version <= versions.get(entry.stream, 0):
        return f"{entry.stream} stands in partition {partition} in another order"
    versions[entry.stream] = entry.version
    if entry.type in END_TAGS:
        del versions[entry.stream]
    return None


def _audit_positions(log: Reader, partition: int, partitions: int) -> Finding | None:
    try:
        return audit_partition(log, partition, partitions)
    except LogUnreachable:
        raise
    except LogError as error:
        return _bad_partition(NOWHERE, NOWHERE, f"partition {partition}: {error}")


def _bad_partition(events: int, version: int, reason: str) -> Finding:
    return Finding(match=None, events=events, ok=False, first_bad=Fault(version, reason))


def _rows_up_to(log: Reader, partition: int, last: int) -> Iterator[Row]:
    position = 0
    while position < last and (rows := log.read(partition, position, READ_ROWS)):
        yield from (row for row in rows if row.position <= last)
        position = rows[-1].position
