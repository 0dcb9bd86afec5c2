"""Lists of tables: those that wait for anybody, and a player's own, in pages."""

import pytest
import sqlalchemy as sa

from schemas.commands import HandOptions, HokmOptions, LeaveSeat, SeatPlan, StartMatch, TakeSeat
from schemas.events import MatchStarted, decode_event
from services.event_log.memory import MemoryLog
from services.event_log.port import Row
from services.replay.rebuild import summary
from services.scoring import tables
from services.scoring.database import reading
from services.scoring.records import top_of
from services.scoring.standings import Standings
from services.scoring.tables import OVER, RUNNING, Table, TableSeat, open_tables, tables_of
from tests.eventful import OWNER as HOST
from tests.eventful import PEOPLE, EventfulMatch, mixed
from tests.scoring.databases import new_log, store_together
from tests.streams import FRIEND, OWNER, Played, match_id, played


def kept(engine: sa.Engine, *matches: list[Row]) -> MemoryLog:
    log = new_log(partitions=2)
    store_together(log, matches)
    Standings(engine).catch_up(log)
    return log


def listed(engine: sa.Engine) -> list[str]:
    with reading(engine) as connection:
        return [table.match for table in open_tables(connection)]


def lobby(seed: int) -> Played:
    """A table with one seat for anybody."""
    return Played(match_id(seed), HokmOptions())


def test_a_table_that_waits_for_anybody_is_listed_with_its_rules(engine: sa.Engine) -> None:
    match = lobby(1)
    kept(engine, match.rows)
    with reading(engine) as connection:
        (found,) = open_tables(connection)
    assert found == Table(
        match=match_id(1),
        game="hokm",
        ruleset="hokm@1",
        status="lobby",
        owner=OWNER,
        masked=True,
        options=HokmOptions(),
        seats=(
            TableSeat(seat=0, filled_by="owner", level=None, player=OWNER),
            TableSeat(seat=1, filled_by="house", level="black", player=None),
            TableSeat(seat=2, filled_by="anyone", level=None, player=None),
            TableSeat(seat=3, filled_by="house", level="black", player=None),
        ),
        free=1,
        opened=decode_event(match.rows[0].entry.line).time,
        started=None,
        ended=None,
        rounds=0,
        score=(),
        winner=None,
    )


def test_it_is_listed_while_somebody_may_still_sit_down(engine: sa.Engine) -> None:
    match = lobby(1)
    log = kept(engine, match.rows)
    done = len(match.rows)
    for action, shown in (
        (TakeSeat(seat=2), False),
        (LeaveSeat(), True),
        (TakeSeat(seat=2), False),
    ):
        match.say(FRIEND, action)
        store_together(log, [match.rows[done:]])
        done = len(match.rows)
        Standings(engine).catch_up(log)
        assert bool(listed(engine)) is shown
    match.say(OWNER, StartMatch())
    match.say(FRIEND, LeaveSeat())
    store_together(log, [match.rows[done:]])
    Standings(engine).catch_up(log)
    assert listed(engine) == []


def test_a_table_for_invited_friends_is_not_for_anybody(engine: sa.Engine) -> None:
    options = HandOptions(variant="classic", seats=2, rounds=3)
    tried = (EventfulMatch(seed, options) for seed in range(40))
    match = next(one for one in tried if _kinds(one) == {"owner", "invited"})
    kept(engine, match.rows)
    assert listed(engine) == []
    with reading(engine) as connection:
        (found,) = tables_of(connection, HOST)
    assert "invitation" not in repr(found)


def _kinds(match: EventfulMatch) -> set[str]:
    plan: tuple[SeatPlan, ...] = match.state.opened.seats
    return {one.filled_by for one in plan}


def test_pages_have_each_table_once_the_newest_first(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PAGE_TABLES", 3)
    log = kept(engine, *(lobby(seed).rows for seed in range(8)))
    found: list[str] = []
    with reading(engine) as connection:
        while page := open_tables(connection, after=found[-1] if found else None, most=50):
            assert len(page) <= 3
            found += [table.match for table in page]
        assert found == [match_id(seed) for seed in range(7, -1, -1)]
        assert open_tables(connection, after=match_id(99)) == ()
        assert len(tables_of(connection, OWNER, most=2)) == 2
        assert open_tables(connection, most=-1) == ()
        assert top_of(connection, -1) == ()
    assert Standings(engine).behind(log) == 0


def test_my_matches_are_those_i_opened_or_ever_sat_in(engine: sa.Engine) -> None:
    running = played(1, moves=5)
    left = lobby(2)
    left.say(FRIEND, TakeSeat(seat=2))
    left.say(FRIEND, LeaveSeat())
    kept(engine, running.rows, left.rows, played(3).rows, lobby(4).rows)
    with reading(engine) as connection:
        mine = tables_of(connection, FRIEND)
        assert [table.match for table in mine] == [match_id(n) for n in (3, 2, 1)]
        now = tables_of(connection, FRIEND, status=RUNNING)
        assert [table.status for table in now] == ["lobby", "playing"]
        (over,) = tables_of(connection, FRIEND, status=OVER)
        assert tables_of(connection, "u_nobody00") == ()
    assert over.winner in (0, 1)
    assert over.score[over.winner] >= 2


def test_lists_of_eventful_matches_say_what_their_streams_say(engine: sa.Engine) -> None:
    matches = list(mixed(20))
    log = kept(engine, *matches)
    told: dict[str, Table] = {}
    with reading(engine) as connection:
        for player in PEOPLE:
            told |= {table.match: table for table in tables_of(connection, player)}
    assert len(told) == len(matches)
    for rows in matches:
        found, table = summary(rows), told[rows[0].entry.stream]
        assert (table.status, table.score, table.winner, table.rounds, table.opened) == (
            found.status,
            found.score,
            found.winner,
            found.rounds,
            found.opened,
        )
        assert [one.player for one in table.seats] == [one.player for one in found.sitting]
        events = [decode_event(row.entry.line) for row in rows]
        begun = [event.time for event in events if isinstance(event.body, MatchStarted)]
        assert table.started == (begun[0] if begun else None)
        assert table.ended == found.latest
    store_together(log, [lobby(500).rows])
    assert Standings(engine).behind(log) == 1
