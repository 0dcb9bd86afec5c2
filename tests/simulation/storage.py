"""A process's handle on the log: it fails, its outcome is unknown, the process dies beside it."""

from collections.abc import Sequence
from random import Random
from typing import Final, Protocol

from msgspec import Struct

from services.event_log.batches import one_by_one
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import (
    READ_ROWS,
    Append,
    Batch,
    Claim,
    Crew,
    DeadLetter,
    LogInfo,
    LogUnreachable,
    Row,
)
from tests.simulation.loop import Killed
from tests.simulation.process import Process


class Weather(Struct):
    """How the database is today; the world changes it. Chances from 0 to 1.

    `lost`: a call that does not reach it; `unknown`: an append that is written and not answered.
    """

    down: bool = False
    lost: float = 0.0
    unknown: float = 0.0


class Ledger(Protocol):
    """Who sees what is written."""

    def claimed(self, process: Process, claim: Claim) -> None: ...

    def appended(self, process: Process, claim: Claim, batch: Batch, *, newest: int) -> None:
        """`claim`: the process's own latest one; `newest`: the epoch that the partition has."""
        ...


UNANSWERED: Final = "the database does not answer"


class Handle:
    """An `EventLog`."""

    def __init__(
        self, process: Process, store: MemoryStore, weather: Weather, ledger: Ledger, dice: Random
    ) -> None:
        self.log = MemoryLog(store)
        self._process = process
        self._store = store
        self._weather = weather
        self._ledger = ledger
        self._dice = dice
        self._claims: dict[int, Claim] = {}

    def _reach(self) -> MemoryLog:
        if self._process.state == "buried":
            raise LogUnreachable(UNANSWERED)
        if not self._process.alive:
            raise Killed
        if self._weather.down or self._falls(self._weather.lost):
            raise LogUnreachable(UNANSWERED)
        return self.log

    def _falls(self, chance: float) -> bool:
        return chance > 0 and self._dice.random() < chance

    def info(self) -> LogInfo:
        return self._reach().info()

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        return self._reach().load(stream, after=after, limit=limit)

    def read(self, partition: int, after: int, limit: int = READ_ROWS) -> tuple[Row, ...]:
        return self._reach().read(partition, after, limit)

    def position(self, partition: int) -> int:
        return self._reach().position(partition)

    def streams(self, *, after: str = "", limit: int = READ_ROWS) -> tuple[str, ...]:
        return self._reach().streams(after=after, limit=limit)

    def open_streams(self, partition: int) -> tuple[str, ...]:
        return self._reach().open_streams(partition)

    def dead_letters(self, *, after: int = 0, limit: int = READ_ROWS) -> tuple[DeadLetter, ...]:
        return self._reach().dead_letters(after=after, limit=limit)

    def hold(self, partition: int) -> bool:
        return self._reach().hold(partition)

    def release(self, partition: int) -> None:
        self._reach().release(partition)

    def join(self) -> Crew:
        return self._reach().join()

    def leave(self) -> None:
        self._reach().leave()

    def claim(self, partition: int, owner: str) -> Claim:
        claim = self._reach().claim(partition, owner)
        self._claims[partition] = claim
        self._ledger.claimed(self._process, claim)
        return claim

    def append(self, claim: Claim, batch: Batch) -> int:
        self._process.point("before_commit")
        position = self._reach().append(claim, batch)
        newest = self._store.partition(claim.partition).epoch
        mine = self._claims[claim.partition]
        self._ledger.appended(self._process, mine, batch, newest=newest)
        self._process.point("after_commit")
        if self._falls(self._weather.unknown):
            raise LogUnreachable("the connection was cut at COMMIT")
        return position

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        """Each a transaction of its own: the process may die between two of them too."""
        return one_by_one(self, appends)

    def close(self) -> None:
        self.log.close()
