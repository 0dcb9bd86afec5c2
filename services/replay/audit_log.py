"""The audit of a log: each match of it, and in each partition the positions 1..n without a gap."""

from collections.abc import Iterator, Sequence

from schemas.events import END_TAGS
from schemas.ids import MatchId
from schemas.subjects import partition_of
from services.event_log.port import READ_ROWS, STREAM_EVENTS, LogError, LogUnreachable, Reader, Row
from services.replay.audit import LOG, Fault, Finding, Questions, audit_match
from services.replay.rebuild import is_over


def audit_all(log: Reader, asked: Questions = LOG) -> Iterator[Finding]:
    """A finding for each match, those that were seen and are gone, then one for each partition that
    is not whole.
    """
    partitions = log.info().partitions
    gone = set(asked.seen)
    open_ = [frozenset(log.open_streams(number)) for number in range(partitions)]
    after = ""
    while streams := log.streams(after=after):
        gone.difference_update(streams)
        for stream in streams:
            known = stream in open_[partition_of(stream, partitions)]
            yield audit_stream(log, stream, asked, known_open=known)
        after = streams[-1]
    yield from (_gone(stream) for stream in sorted(gone))
    found = (_audit_positions(log, number, partitions) for number in range(partitions))
    yield from (finding for finding in found if finding is not None)


def _gone(stream: MatchId) -> Finding:
    fault = Fault(1, "the log has nothing of this match, but it was seen")
    return Finding(match=stream, events=0, ok=False, first_bad=fault)


def audit_stream(
    log: Reader, stream: MatchId, asked: Questions = LOG, *, known_open: bool = False
) -> Finding:
    """Check one stream of `log`; a row that the database cannot read is a fault of its version.

    `known_open`: it was among the open matches, so that it need not be asked for again.
    """
    try:
        rows = log.load(stream, limit=STREAM_EVENTS + 1)
        if len(rows) > STREAM_EVENTS:
            return _too_long(stream)
        finding = _audited(rows, asked)
        if not finding.ok or known_open or is_over(rows):
            return finding
        return _audit_end(log, stream, rows, asked)
    except LogUnreachable:
        raise
    except LogError:
        return _unreadable(log, stream)


def _too_long(stream: MatchId) -> Finding:
    fault = Fault(STREAM_EVENTS + 1, f"no match has more than {STREAM_EVENTS} events")
    return Finding(match=stream, events=STREAM_EVENTS, ok=False, first_bad=fault)


def _audited(rows: Sequence[Row], asked: Questions) -> Finding:
    return audit_match([row.entry for row in rows], asked)


def _audit_end(log: Reader, stream: str, rows: Sequence[Row], asked: Questions) -> Finding:
    """A match that has not ended is an open one, unless it has ended since it was loaded."""
    while stream not in log.open_streams(partition_of(stream, log.info().partitions)):
        later = log.load(stream)
        if is_over(later):
            return _audited(later, asked)
        if len(later) == len(rows):
            reason = "the log ends here, but the match is not among the open ones: its end is gone"
            fault = Fault(len(rows) + 1, reason)
            return Finding(match=stream, events=len(rows), ok=False, first_bad=fault)
        rows = later
    return _audited(rows, asked)


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
    """Check that positions are 1..n, that each match is where it belongs and its versions are in
    the order of their positions; None if so.
    """
    last, expected = log.position(partition), 0  # first: a running table goes on appending
    versions: dict[str, int] = {}
    for row in _rows_up_to(log, partition, last):
        expected += 1
        entry = row.entry
        if row.position != expected:
            reason = f"partition {partition} has position {row.position} where {expected} belongs"
            return _bad_partition(expected, entry.version, reason)
        if partition_of(entry.stream, partitions) != partition:
            reason = f"{entry.stream} does not belong to partition {partition}"
            return _bad_partition(expected, entry.version, reason)
        if entry.version <= versions.get(entry.stream, 0):
            reason = f"{entry.stream} stands in partition {partition} in another order"
            return _bad_partition(expected, entry.version, reason)
        versions[entry.stream] = entry.version
        if entry.type in END_TAGS:
            del versions[entry.stream]
    if last > expected:
        reason = f"partition {partition} ends at position {expected}, not at {last}"
        return _bad_partition(expected, 0, reason)
    beyond = log.read(partition, last, 1)
    if beyond and log.position(partition) < beyond[0].position:
        reason = f"partition {partition} says that it ends at {last}, but goes on"
        return _bad_partition(expected, beyond[0].entry.version, reason)
    return None


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
