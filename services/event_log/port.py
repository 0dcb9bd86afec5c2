"""The event log's port: claim, append, load, read by cursor. Every call blocks.

A stream is a match. A partition holds many streams and numbers their events 1..n without a gap
(`position`); within a stream events are numbered 1..n too (`version`). One owner at a time appends
to a partition: `claim` raises its epoch, and an append under an older epoch raises `Fenced`.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

FORMAT: Final = 1
"""The log's format, stored in it when it is created."""
BATCH_EVENTS: Final = 50_000
"""The most entries one append may carry: a whole match of the longest kind is imported at once
(hokm to 100 with every turn timed out has under 40,000 events).
"""
PARTITIONS_LIMIT: Final = 128
"""The most partitions of a new log: a worker that is left alone serves them all, each by a
subscription of its own, and the broker takes no more than some 250 of one connection.
"""
PARTITIONS_READ: Final = 1_024
"""The most partitions of a log that is read: older programs made such ones."""
STREAM_EVENTS: Final = BATCH_EVENTS
"""The most events of one stream."""
READ_ROWS: Final = 1_000
"""The default size of one page read by cursor."""
LIFELESS: Final = 5.0
"""Seconds without a sign of life after which a worker's locks may be taken from it."""


class LogError(Exception):
    """Base of all faults of the log."""


class Fenced(LogError):
    """Another owner has claimed the partition since: give it up."""


class Conflict(LogError):
    """A version or a command id is already in the stream: refold before anything else."""


class LogUnreachable(LogError):
    """The database did not answer; whether an append in flight was committed is unknown."""


class LogReadOnly(LogUnreachable):
    """It takes no writes: from this role, or from nobody since it is a copy of another one, which
    passes when that one fails.
    """


class LogDenied(LogError):
    """The database does not let this role do it."""


class LogMissing(LogError):
    """There is no log here, or one of another format: run `waraq db upgrade`."""


class Entry(Struct, frozen=True, kw_only=True):
    """One event to append. `head` is `next_head(previous head, line)`; `command` stands on the
    first event of a command only; `secret` is a pack's order, on `cards_shuffled` only.
    """

    stream: str
    version: int
    type: str
    command: str | None
    line: str
    head: str
    secret: str | None


class Row(Struct, frozen=True, kw_only=True):
    """One event as it is stored."""

    partition: int
    position: int
    entry: Entry


class DeadLetter(Struct, frozen=True, kw_only=True):
    """A message that made the rules raise: kept, so that it can be looked at and sent again.

    `time` is Unix ms; `id` is 0 until it is stored.
    """

    id: int = 0
    subject: str
    body: str
    error: str
    time: int


class Batch(Struct, frozen=True, kw_only=True):
    """What one transaction writes: all of it or nothing.

    `opened` and `closed` are streams to add to and to take from the open matches; `published`
    is the last position that the stream EVENTS has confirmed.
    """

    entries: tuple[Entry, ...] = ()
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    dead: tuple[DeadLetter, ...] = ()
    published: int = 0


class Claim(Struct, frozen=True, kw_only=True):
    """A partition as its new owner finds it."""

    partition: int
    epoch: int
    position: int
    published: int


class Append(Struct, frozen=True):
    """A batch, and the claim under which it is written."""

    claim: Claim
    batch: Batch


class LogInfo(Struct, frozen=True, kw_only=True):
    format: int
    generation: int
    partitions: int


class Crew(Struct, frozen=True, kw_only=True):
    """The `workers` that want a log's partitions, and this one's place among them, from 0."""

    workers: int
    rank: int


class Reader(Protocol):
    """What may be read, by anyone with access to the log."""

    def info(self) -> LogInfo:
        """Raises `LogMissing`, `LogUnreachable` (as every other call may)."""
        ...

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        """The rows of `stream` with a version above `after`, in order; empty for no such stream."""
        ...

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        """The rows of `partition` with a position above `after`, in order, at most `limit`."""
        ...

    def position(self, partition: int) -> int:
        """The last position appended to `partition`, 0 if none was."""
        ...

    def streams(self, *, after: str = "", limit: int = READ_ROWS) -> tuple[str, ...]:
        """Ids of all streams, sorted, those above `after`, at most `limit`."""
        ...

    def open_streams(self, partition: int) -> tuple[str, ...]:
        """Ids of the open matches of `partition`, sorted."""
        ...

    def dead_letters(self, *, after: int = 0, limit: int = READ_ROWS) -> tuple[DeadLetter, ...]:
        """Dead letters with an id above `after`, in order."""
        ...

    def close(self) -> None: ...


class EventLog(Reader, Protocol):
    """What the table, the only writer, may do besides."""

    def hold(self, partition: int) -> bool:
        """Try to take the partition's lock, without waiting; true if it is ours now.

        The lock makes take-over fast and two owners rare; only the epoch makes them harmless.
        It is given up by `release`, by `close` and by the death of the process.
        """
        ...

    def release(self, partition: int) -> None: ...

    def join(self) -> Crew:
        """Be counted among the handles that want partitions of this log; who they are now.

        Calling it is also the sign of life: who has held a lock and not called anything here for
        `LIFELESS` seconds may lose it to the next who tries (a stopped process keeps its locks).
        """
        ...

    def leave(self) -> None:
        """Be counted no more, and give up every lock."""
        ...

    def claim(self, partition: int, owner: str) -> Claim:
        """Become the owner: raises the epoch, so that every earlier owner is fenced."""
        ...

    def append(self, claim: Claim, batch: Batch) -> int:
        """Write `batch` in one transaction and return the partition's last position.

        The entries get the positions up to it, in order. Raises `Fenced`, `Conflict`, `LogError`;
        after any error nothing is known of the batch: claim anew and load what is there.
        `published` never goes down.
        """
        ...

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        """Write the batches, of different partitions, in one transaction where that is faster.

        As `append` gives it for each, in their order; None for one that was not written, such as
        one whose partition is claimed or locked by another: `append` it alone, which waits for the
        lock and says what is wrong. Raises `LogUnreachable` only: nothing is known of any then.
        """
        ...
