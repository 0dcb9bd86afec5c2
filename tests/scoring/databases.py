"""Standings on SQLite and PostgreSQL, and all that their tables hold."""

from collections.abc import Sequence
from itertools import count

import sqlalchemy as sa

from schemas.subjects import partition_of
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Batch, EventLog, Reader, Row
from services.scoring.ledger import projections
from services.scoring.standings import Standings

Rows = list[tuple[object, ...]]
OVER = frozenset({"match_ended", "match_abandoned"})


def all_rows(engine: sa.Engine) -> dict[str, Rows]:
    """Every row of every projection, in an order of its own."""
    with engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in projections.sorted_tables
        }


def made_from(log: Reader) -> dict[str, Rows]:
    """The rows that fresh standings make of `log`."""
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    fresh = Standings(engine)
    fresh.create()
    fresh.catch_up(log)
    found = all_rows(engine)
    engine.dispose()
    return found


def new_log(partitions: int = 1) -> MemoryLog:
    return MemoryLog(MemoryStore(partitions=partitions))


def store_together(log: EventLog, matches: Sequence[Sequence[Row]], *, step: int = 7) -> None:
    """Append the matches as if they were played at the same time, `step` events of each in turn."""
    for first in count(0, step):
        some = [rows[first : first + step] for rows in matches]
        if not any(some):
            return
        for rows in filter(None, some):
            _append(log, rows)


def _append(log: EventLog, rows: Sequence[Row]) -> None:
    entries = tuple(row.entry for row in rows)
    match, over = entries[0].stream, entries[-1].type in OVER
    claim = log.claim(partition_of(match, log.info().partitions), "test")
    opened = (match,) if entries[0].version == 1 else ()
    log.append(claim, Batch(entries=entries, opened=opened, closed=(match,) if over else ()))
