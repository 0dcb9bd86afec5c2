"""The projections say what a second count says, made from docs/standings.md by itself; also when
they were fed out of order, with crashes between transactions and with pages that came twice.
"""

from contextlib import suppress
from random import Random
from typing import get_args

import pytest
import sqlalchemy as sa

from schemas.commands import HokmOptions, SeatPlan
from schemas.events import Event
from schemas.ids import Level
from services.event_log.memory import MemoryLog
from services.event_log.port import Row
from services.scoring import ledger, projecting, standings
from services.scoring.standings import Overtaken, Standings
from tests.eventful import eventful, mixed
from tests.scoring.databases import all_rows, new_log, store_together
from tests.scoring.plain_count import Counted, count

PARTITIONS = 4
CRASHES = 0.003
"""The share of events after which the worker is killed."""


def masked(seed: int) -> tuple[SeatPlan, ...]:
    """Two masks of one level, mostly; partners come and go."""
    levels: tuple[Level, ...] = get_args(Level)
    level = levels[seed % 3]
    other = levels[0] if seed % 5 == 0 else level
    return (
        SeatPlan(seat=0, filled_by="owner" if seed % 4 else "anyone"),
        SeatPlan(seat=1, filled_by="house", level=level),
        SeatPlan(seat=2, filled_by=("anyone", "invited")[seed % 2]),
        SeatPlan(seat=3, filled_by="house", level=other),
    )


@pytest.fixture(scope="module")
def matches() -> list[list[Row]]:
    tables = [eventful(seed, HokmOptions(), plan=masked(seed)) for seed in range(500, 530)]
    return [*tables, *mixed(20)]


@pytest.fixture(scope="module")
def by_hand(matches: list[list[Row]]) -> Counted:
    found = Counted()
    for rows in matches:
        one = count(row.entry.line for row in rows)
        found.points |= one.points
        found.records |= one.records
    left = [row for row in found.records if row[4]]
    assert min(len(found.points), len(left)) > 20
    return found


class Killed(Exception):
    """The worker was killed here."""


def feed_badly(engine: sa.Engine, log: MemoryLog, luck: Random) -> None:
    """Some partitions, each up to a kill; and the first page of one again."""
    for partition in luck.sample(range(PARTITIONS), luck.randrange(PARTITIONS + 1)):
        with suppress(Killed):
            Standings(engine)._catch_up(log, partition, 1)
    if rows := log.read(0, 0, 40):
        with suppress(Overtaken, Killed):
            Standings(engine)._take(rows, 1)


def test_however_they_are_fed_and_when_rebuilt_they_say_what_is_counted_by_hand(
    engine: sa.Engine,
    matches: list[list[Row]],
    by_hand: Counted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    luck, log, real = Random(6), new_log(PARTITIONS), projecting.apply

    def killed_at_times(connection: sa.Connection, event: Event) -> tuple[str, ...]:
        if luck.random() < CRASHES:
            raise Killed
        return real(connection, event)

    monkeypatch.setattr(standings, "PAGE", 40)
    with monkeypatch.context() as bad:
        bad.setattr(projecting, "apply", killed_at_times)
        for first in range(0, len(matches), 5):
            store_together(log, matches[first : first + 5], step=3)
            feed_badly(engine, log, luck)
    Standings(engine).catch_up(log)
    fed = all_rows(engine)
    assert (set(fed["points"]), set(fed["records"])) == (by_hand.points, by_hand.records)
    sums = {
        (who, sum(r[3] for r in by_hand.points if r[2] == who)) for _, _, who, _ in fed["points"]
    }
    assert {(who, xo) for who, xo, _ in fed["tallies"]} == sums
    Standings(engine).rebuild(log)
    assert all_rows(engine) == fed
    assert fed[ledger.sat.name] == []  # all are over
