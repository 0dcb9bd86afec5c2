"""How a log stands just now, for whoever looks after it: owners, positions, what waits.

Nothing here is read whole: `waraq audit --all` does that.
"""

import time
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, text

from services.event_log.database import Database, faults
from services.event_log.port import LogInfo
from services.event_log.sql import locate, stored_info

LAST_ROWS: Final = 1_000
"""The rows of each partition, its latest, whose positions are looked at."""

_PARTITIONS: Final = text(
    "select partition, epoch, position, published, owner from partitions order by partition"
)
_LATEST: Final = text("""
    select count(*), coalesce(min(position), 0), coalesce(max(position), 0) from events
    where partition = :partition and position > :after""")
_OPEN: Final = text("select partition, count(*) from open_matches group by partition")
_LETTERS: Final = text("select count(*) from dead_letters")


class PartitionFound(Struct, frozen=True, kw_only=True):
    """A partition's row. `held`: a living process has its lock; `whole`: its latest rows have every
    position up to the one that is written here, and none beyond; `open`: its open matches.
    """

    partition: int
    epoch: int
    position: int
    published: int
    owner: str
    held: bool
    whole: bool
    open: int


class LogFound(Struct, frozen=True, kw_only=True):
    """`milliseconds`: how long one question took; `skew`: seconds by which the database's clock is
    ahead of ours, None for a file.
    """

    info: LogInfo
    partitions: tuple[PartitionFound, ...]
    letters: int
    milliseconds: float
    skew: float | None


def survey(url: str) -> LogFound:
    """Raises `LogMissing`, `LogUnreachable`; changes nothing."""
    database = locate(url)
    engine = database.reading()
    try:
        with faults(), engine.connect() as connection:
            return _survey(connection, database)
    finally:
        engine.dispose()


def _survey(connection: Connection, database: Database) -> LogFound:
    info = stored_info(connection, database.name)
    began = time.perf_counter()
    letters: int = connection.execute(_LETTERS).scalar_one()
    took = (time.perf_counter() - began) * 1_000
    held = database.held(connection, info.partitions)
    return LogFound(
        info=info,
        partitions=_partitions(connection, held),
        letters=letters,
        milliseconds=round(took, 1),
        skew=database.skew(connection),
    )


def _partitions(connection: Connection, held: frozenset[int]) -> tuple[PartitionFound, ...]:
    rows = connection.execute(_OPEN).all()
    open_matches = {partition: number for partition, number in rows}  # noqa: C416 mypy reads it
    return tuple(
        PartitionFound(
            partition=partition,
            epoch=epoch,
            position=position,
            published=published,
            owner=owner,
            held=partition in held,
            whole=_whole(connection, partition, position),
            open=open_matches.get(partition, 0),
        )
        for partition, epoch, position, published, owner in connection.execute(_PARTITIONS).all()
    )


def _whole(connection: Connection, partition: int, position: int) -> bool:
    """An owner may have appended since `position` was read: what is beyond it goes on from it."""
    after = max(0, position - LAST_ROWS)
    wanted = {"partition": partition, "after": after}
    count, first, last = connection.execute(_LATEST, wanted).one()
    if position == 0 and last == 0:
        return True
    return bool(count == last - after and first == after + 1 and last >= position)
