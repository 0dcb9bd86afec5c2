"""The log in memory: every promise of the port but durability. For tests and single processes."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Final

import msgspec

from services.event_log.batches import check, legible, one_by_one
from services.event_log.port import (
    FORMAT,
    READ_ROWS,
    Append,
    Batch,
    Claim,
    Conflict,
    Crew,
    DeadLetter,
    Entry,
    Fenced,
    LogError,
    LogInfo,
    Row,
)


class _Partition:
    def __init__(self) -> None:
        self.epoch = 0
        self.published = 0
        self.owner = ""
        self.rows: list[Row] = []
        self.open: set[str] = set()


class MemoryStore:
    """What is stored. The handles on one store see the same log and contend for its partitions."""

    def __init__(self, *, partitions: int = 1, generation: int = 1) -> None:
        self.info: Final = LogInfo(format=FORMAT, generation=generation, partitions=partitions)
        self.lock: Final = Lock()
        self.partitions: Final = {number: _Partition() for number in range(partitions)}
        self.streams: Final[dict[str, dict[int, Row]]] = {}
        self.commands: Final[set[tuple[str, str]]] = set()
        self.dead: Final[list[DeadLetter]] = []
        self.holders: Final[dict[int, MemoryLog]] = {}
        self.crew: Final[list[MemoryLog]] = []

    def partition(self, number: int) -> _Partition:
        if number not in self.partitions:
            raise LogError(f"no partition {number} in this log")
        return self.partitions[number]


class MemoryLog:
    """One handle, an `EventLog`. Safe to use from several threads."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def info(self) -> LogInfo:
        return self._store.info

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        with self._store.lock:
            rows = self._store.streams.get(stream, {})
            versions = sorted(rows)
            wanted = versions[bisect_right(versions, after) :][:limit]
            return tuple(map(rows.__getitem__, wanted))

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        with self._store.lock:
            found = self._store.partitions.get(partition, _Partition())
            return tuple(found.rows[after : after + limit])

    def position(self, partition: int) -> int:
        with self._store.lock:
            return len(self._store.partition(partition).rows)

    def streams(self, *, after: str = "", limit: int = READ_ROWS) -> tuple[str, ...]:
        with self._store.lock:
            return tuple(sorted(s for s in self._store.streams if s > after)[:limit])

    def open_streams(self, partition: int) -> tuple[str, ...]:
        with self._store.lock:
            return tuple(sorted(self._store.partitions.get(partition, _Partition()).open))

    def dead_letters(self, *, after: int = 0, limit: int = READ_ROWS) -> tuple[DeadLetter, ...]:
        with self._store.lock:
            return tuple(self._store.dead[after : after + limit])

    def hold(self, partition: int) -> bool:
        with self._store.lock:
            return self._store.holders.setdefault(partition, self) is self

    def release(self, partition: int) -> None:
        with self._store.lock:
            if self._store.holders.get(partition) is self:
                del self._store.holders[partition]

    def join(self) -> Crew:
        with self._store.lock:
            crew = self._store.crew
            if self not in crew:
                crew.append(self)
            return Crew(workers=len(crew), rank=crew.index(self))

    def leave(self) -> None:
        with self._store.lock:
            if self in self._store.crew:
                self._store.crew.remove(self)
            for partition, holder in list(self._store.holders.items()):
                if holder is self:
                    del self._store.holders[partition]

    def claim(self, partition: int, owner: str) -> Claim:
        with self._store.lock:
            found = self._store.partition(partition)
            found.epoch += 1
            found.owner = owner
            return Claim(
                partition=partition,
                epoch=found.epoch,
                position=len(found.rows),
                published=found.published,
            )

    def append(self, claim: Claim, batch: Batch) -> int:
        check(batch)
        with self._store.lock:
            found = self._store.partition(claim.partition)
            if found.epoch != claim.epoch:
                raise Fenced(f"partition {claim.partition} has been claimed since")
            _refuse_conflicts(self._store, batch.entries)
            _write(self._store, claim.partition, batch)
            return len(found.rows)

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        return one_by_one(self, appends)

    def close(self) -> None:
        self.leave()


def _refuse_conflicts(store: MemoryStore, entries: Iterable[Entry]) -> None:
    """Raises `Conflict`, so that `_write` cannot fail half way."""
    versions: set[tuple[str, int]] = set()
    commands: set[tuple[str, str]] = set()
    for entry in entries:
        version = (entry.stream, entry.version)
        if version in versions or entry.version in store.streams.get(entry.stream, {}):
            raise Conflict(f"{entry.stream} has a version {entry.version} already")
        versions.add(version)
        if entry.command is None:
            continue
        command = (entry.stream, entry.command)
        if command in commands or command in store.commands:
            raise Conflict(f"{entry.stream} has the command {entry.command} already")
        commands.add(command)


def _write(store: MemoryStore, partition: int, batch: Batch) -> None:
    found = store.partitions[partition]
    for entry in batch.entries:
        row = Row(partition=partition, position=len(found.rows) + 1, entry=entry)
        found.rows.append(row)
        store.streams.setdefault(entry.stream, {})[entry.version] = row
        if entry.command is not None:
            store.commands.add((entry.stream, entry.command))
    found.open.update(batch.opened)
    found.open.difference_update(batch.closed)
    for letter in batch.dead:
        numbered = msgspec.structs.replace(letter, id=len(store.dead) + 1, error=legible(letter))
        store.dead.append(numbered)
    found.published = max(found.published, batch.published)
