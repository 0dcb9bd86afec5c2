"""Standings as projections of the log, with cursors of their own.

The cursor moves in the transaction that writes what it stands for, so a kill at any moment leaves
each round counted once. The tables can be dropped: they are made from the log again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from msgspec import Struct

from schemas.events import decode_event
from services.event_log.port import LogError, Reader, Row
from services.scoring import ledger, projecting
from services.scoring.database import StandingsError, reading
from services.scoring.ledger import cursors
from services.scoring.records import Standing, top_of

PAGE: Final = 1_000
"""Rows of the log read into one transaction."""


class Overtaken(Exception):
    """Another worker has moved the cursor since it was read: begin again from where it is."""


class OtherForm(StandingsError):
    """Another form of this program keeps these tables now: two would undo each other's work."""

    def __init__(self, form: int | None) -> None:
        super().__init__(
            f"the standings have form {form} now, and this program keeps form {ledger.FORM}: start"
            " it again, or the newer one in its place"
        )


class Rebuilt(Struct, frozen=True, kw_only=True):
    """What the projections hold once they were made anew: events taken in, and rows."""

    events: int
    matches: int
    players: int
    points: int
    records: int


class Standings:
    """The projections in one database, SQLite or PostgreSQL; several workers may keep them."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def create(self) -> None:
        """Make the tables that are missing, and those of another form anew."""
        with self._engine.begin() as connection:
            ledger.create(connection)

    def rebuild(self, log: Reader) -> Rebuilt:
        """Drop the projections and take in the whole log again.

        Workers may go on meanwhile: each page is taken once, by whoever comes first.
        """
        with self._engine.begin() as connection:
            ledger.create(connection, anew=True)
        self.catch_up(log)
        with reading(self._engine) as connection:
            return _rebuilt(connection)

    def catch_up(self, log: Reader) -> int:
        """Take in all that the log has and these tables have not; how many events that was.

        Of a log that was put back from a copy (another generation) everything is taken in anew, and
        so it is into tables that are gone. Raises `OtherForm`; `LogError` also if these tables have
        more than the log.
        """
        info = log.info()
        self.make_what_is_gone()
        self._forget_other_generations(info.generation)
        return sum(
            self._catch_up(log, partition, info.generation) for partition in range(info.partitions)
        )

    def behind(self, log: Reader) -> int:
        """How many events the log has and these tables have not; raises as `behind_each`."""
        return sum(self.behind_each(log))

    def behind_each(self, log: Reader) -> tuple[int, ...]:
        """Of each partition how many; raises `LogError` if they have more than the log."""
        info = log.info()
        cursors_ = [self._cursor(each, info.generation) for each in range(info.partitions)]
        return tuple(_behind(log, each, cursor) for each, cursor in enumerate(cursors_))

    def top(self, most: int) -> tuple[Standing, ...]:
        """The players with the most XO points, the best first."""
        with self._engine.connect() as connection:
            return top_of(connection, most)

    def _catch_up(self, log: Reader, partition: int, generation: int) -> int:
        taken, cursor = 0, self._cursor(partition, generation)
        while rows := log.read(partition, cursor, PAGE):
            _refuse_gaps(rows, cursor)
            try:
                self._take(rows, generation)
                taken += len(rows)
            except Overtaken:
                if self._cursor(partition, generation) == cursor:
                    raise LogError("these standings follow another generation now") from None
            cursor = self._cursor(partition, generation)
        _behind(log, partition, cursor)
        return taken

    def make_what_is_gone(self) -> None:
        """Somebody may take the tables away, or their whole file, while a worker runs."""
        with self._engine.begin() as connection:
            if ledger.form_of(connection) is None:
                ledger.create(connection)

    def _forget_other_generations(self, generation: int) -> None:
        other = sa.select(sa.func.count()).where(cursors.c.generation != generation)
        with self._engine.begin() as connection:
            if connection.execute(other).scalar():
                ledger.empty(connection)

    def _cursor(self, partition: int, generation: int) -> int:
        here = (cursors.c.partition == partition) & (cursors.c.generation == generation)
        query = sa.select(cursors.c.position).where(here)
        with self._engine.connect() as connection:
            return connection.execute(query).scalar() or 0

    def _take(self, rows: Sequence[Row], generation: int) -> None:
        """One page and its cursor, in one transaction that begins with the form and the cursor, as
        dropping the tables does: neither waits for the other with half of them in his hands.
        """
        with self._engine.begin() as connection:
            ledger.begin_writing(connection)
            _refuse_other_forms(connection)
            _move_cursor(connection, rows, generation)
            earned = Counter[str]()
            for row in rows:
                earned.update(projecting.apply(connection, decode_event(row.entry.line)))
            projecting.tally(connection, earned)


def _refuse_gaps(rows: Sequence[Row], cursor: int) -> None:
    first, last = rows[0].position, rows[-1].position
    if first != cursor + 1:
        raise LogError(f"the log has a gap before position {first}")
    if last - cursor != len(rows):
        raise LogError(f"the log has a gap after position {cursor}")


def _behind(log: Reader, partition: int, cursor: int) -> int:
    """How many events come after `cursor`, which was read before: the log only grows."""
    behind = log.position(partition) - cursor
    if behind < 0:
        raise LogError(
            f"the standings have {-behind} events of partition {partition} that the log has not: if"
            " it was put back from a copy run `waraq db restored`, else `waraq standings rebuild`"
        )
    return behind


def _refuse_other_forms(connection: sa.Connection) -> None:
    """Of two programs only one may write: the other's rows would be read as something else."""
    form = ledger.form_of(connection)
    if form != ledger.FORM:
        raise OtherForm(form)


def _move_cursor(connection: sa.Connection, rows: Sequence[Row], generation: int) -> None:
    """From just before these rows to their last; raises `Overtaken` if it is not there."""
    first, last = rows[0], rows[-1]
    start = {"partition": first.partition, "generation": generation, "position": 0}
    connection.execute(ledger.inserting(connection, cursors, start).on_conflict_do_nothing())
    here = (
        (cursors.c.partition == first.partition)
        & (cursors.c.generation == generation)
        & (cursors.c.position == first.position - 1)
    )
    moved = connection.execute(sa.update(cursors).where(here).values(position=last.position))
    if moved.rowcount != 1:
        raise Overtaken


def _rebuilt(connection: sa.Connection) -> Rebuilt:
    def rows_of(table: sa.Table) -> int:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()

    players = sa.select(sa.func.count(sa.distinct(ledger.members.c.player)))
    events = sa.select(sa.func.coalesce(sa.func.sum(cursors.c.position), 0))
    return Rebuilt(
        events=int(connection.execute(events).scalar_one()),
        matches=rows_of(ledger.matches),
        players=connection.execute(players).scalar_one(),
        points=rows_of(ledger.points),
        records=rows_of(ledger.records),
    )
