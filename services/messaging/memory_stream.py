"""A stream in memory: what is stored, under which subject, and what is refused."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, structs

from schemas.subjects import MSG_ID_HEADER, partition_of
from services.messaging.port import BusError, Message, StreamSpec

_PARTITION: Final = re.compile(r"\{\{partition\((\d+),(\d+)\)\}\}")
_WILDCARD: Final = re.compile(r"\{\{wildcard\((\d+)\)\}\}")


class Refused(Exception):
    """A limit of the stream keeps the message out; the text is the broker's."""


class Stored(Struct, frozen=True):
    """A message under its stored subject; `time` is on the loop's clock."""

    sequence: int
    message: Message
    time: float


def takes(pattern: str, subject: str) -> bool:
    """True if `subject` matches `pattern`, with `*` for one token and `>` for all that follow."""
    wanted, given = pattern.split("."), subject.split(".")
    for place, word in enumerate(wanted):
        if word == ">":
            return len(given) > place
        if place >= len(given) or word not in ("*", given[place]):
            return False
    return len(wanted) == len(given)


def transformed(transform: tuple[str, str], subject: str) -> str:
    """`subject` mapped by `(source, destination)`, with `partition(N,i)` and `wildcard(i)`."""
    source, destination = transform
    if not takes(source, subject):
        return subject
    pairs = zip(source.split("."), subject.split("."), strict=True)
    stars = [given for wanted, given in pairs if wanted == "*"]
    return ".".join(_token(token, stars) for token in destination.split("."))


def _token(token: str, stars: list[str]) -> str:
    if found := _PARTITION.fullmatch(token):
        return str(partition_of(stars[int(found[2]) - 1], int(found[1])))
    if found := _WILDCARD.fullmatch(token):
        return stars[int(found[1]) - 1]
    return token


def size_of(message: Message) -> int:
    """Bytes that count against a stream's limits."""
    headers = sum(len(key) + len(value) for key, value in message.headers.items())
    return len(message.data) + headers


class MemoryStream:
    """Sequences rise from 1 and are never used again."""

    def __init__(self, spec: StreamSpec) -> None:
        self.spec = spec
        self._stored: dict[int, Stored] = {}
        self._subjects: dict[str, dict[int, None]] = {}
        self._ids: dict[str, float] = {}
        self._bytes = 0
        self._last = 0

    def update(self, spec: StreamSpec) -> None:
        """Raises `BusError` on what no stream can change."""
        if spec.retention != self.spec.retention:
            raise BusError(f"stream {spec.name}: the retention cannot change")
        self.spec = spec

    def takes(self, subject: str) -> bool:
        return any(takes(pattern, subject) for pattern in self.spec.subjects)

    def store(self, message: Message, now: float) -> Stored | None:
        """What was stored, or None for a duplicate. Raises `Refused`."""
        self.forget(now)
        if self._is_duplicate(message, now):
            return None
        subject = message.subject
        if self.spec.transform:
            subject = transformed(self.spec.transform, subject)
        self._make_room(subject, size_of(message))
        self._last += 1
        stored = Stored(self._last, structs.replace(message, subject=subject), now)
        self._stored[self._last] = stored
        self._subjects.setdefault(subject, {})[self._last] = None
        self._bytes += size_of(message)
        if name := message.headers.get(MSG_ID_HEADER):
            self._ids[name] = now
        return stored

    def _is_duplicate(self, message: Message, now: float) -> bool:
        while self._ids:
            oldest = next(iter(self._ids))
            if now - self._ids[oldest] < self.spec.duplicate_window:
                break
            del self._ids[oldest]
        return message.headers.get(MSG_ID_HEADER, "") in self._ids

    def _make_room(self, subject: str, size: int) -> None:
        spec = self.spec
        if 0 <= spec.max_message_bytes < size:
            raise Refused("message size exceeds maximum allowed")
        same = self._subjects.get(subject, {})
        if 0 < spec.max_per_subject <= len(same):
            if spec.discard == "new":
                raise Refused("maximum messages per subject exceeded")
            self.remove(next(iter(same)))
        while self._is_full(size):
            if spec.discard == "new":
                raise Refused("maximum messages or bytes exceeded")
            self.remove(next(iter(self._stored)))

    def _is_full(self, size: int) -> bool:
        if not self._stored:
            return False
        spec = self.spec
        many = 0 < spec.max_messages <= len(self._stored)
        return many or 0 < spec.max_bytes < self._bytes + size

    def forget(self, now: float) -> None:
        """Let go of what is older than the stream keeps."""
        while self.spec.max_age > 0 and self._stored:
            oldest = next(iter(self._stored.values()))
            if now - oldest.time < self.spec.max_age:
                return
            self.remove(oldest.sequence)

    def get(self, sequence: int) -> Stored | None:
        return self._stored.get(sequence)

    def where(self, message: Message) -> int:
        """The sequence of the newest message with this one's `Nats-Msg-Id`, or of the last."""
        name = message.headers.get(MSG_ID_HEADER)
        for sequence in reversed(self._stored):
            if name and self._stored[sequence].message.headers.get(MSG_ID_HEADER) == name:
                return sequence
        return self._last

    def remove(self, sequence: int) -> None:
        """Take it out, if it is there."""
        stored = self._stored.pop(sequence, None)
        if stored is None:
            return
        self._bytes -= size_of(stored.message)
        same = self._subjects[stored.message.subject]
        del same[sequence]
        if not same:
            del self._subjects[stored.message.subject]

    def matching(self, pattern: str) -> Iterator[Stored]:
        """What is stored under `pattern`, oldest first."""
        return (one for one in self._stored.values() if takes(pattern, one.message.subject))

    def last(self, pattern: str) -> Message | None:
        newest = [next(reversed(of)) for name, of in self._subjects.items() if takes(pattern, name)]
        return self._stored[max(newest)].message if newest else None
