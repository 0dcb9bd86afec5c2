"""What adapters have in common: what they ask of a batch, and how they write several of them."""

from collections.abc import Sequence

from services.event_log.port import (
    BATCH_EVENTS,
    Append,
    Batch,
    DeadLetter,
    Entry,
    EventLog,
    LogError,
    LogUnreachable,
)


def check(batch: Batch) -> None:
    """Raises `LogError` if a database could not give `batch` back byte for byte."""
    if len(batch.entries) > BATCH_EVENTS:
        raise LogError(f"{len(batch.entries)} entries in one append, at most {BATCH_EVENTS}")
    for entry in batch.entries:
        if not _exact(entry):
            raise LogError(
                f"{entry.stream!a} {entry.version}: its texts are ASCII, versions from 1"
            )
    for letter in batch.dead:
        if not (_storable(letter.subject) and _storable(letter.body)):
            raise LogError("a dead letter's subject and body are text without NUL")


def one_by_one(log: EventLog, appends: Sequence[Append]) -> tuple[int | None, ...]:
    """`append_together` for a log to which one transaction for all is worth nothing."""
    return tuple(_tried(log, one) for one in appends)


def _tried(log: EventLog, one: Append) -> int | None:
    try:
        return log.append(one.claim, one.batch)
    except LogUnreachable:
        raise
    except LogError:
        return None


def legible(letter: DeadLetter) -> str:
    """The letter's error with what no database stores as text written out.

    It quotes what made the rules raise, and must never be the reason that a letter is not kept.
    """
    return letter.error.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _exact(entry: Entry) -> bool:
    texts = (entry.stream, entry.type, entry.command or "", entry.line, entry.head)
    whole = "".join((*texts, entry.secret or ""))
    return entry.version > 0 and whole.isascii() and "\0" not in whole


def _storable(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False
