"""XO points (H22): once per match, round and player, from the log alone."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier

import pytest
import sqlalchemy as sa

from schemas.commands import HokmOptions, LeaveSeat, TakeSeat
from schemas.events import RoundScored, decode_event
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import LogError
from services.scoring.standings import Overtaken, Standings
from services.scoring.terms import XO_POINTS
from tests.streams import FRIEND, OWNER, Played, match_id, played, store


@pytest.fixture
def standings(tmp_path: Path) -> Iterator[Standings]:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/standings.db")
    found = Standings(engine)
    found.create()
    yield found
    engine.dispose()


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog(MemoryStore(partitions=1))


def won_by_side_0(match: Played) -> int:
    bodies = [decode_event(row.entry.line).body for row in match.rows]
    return sum(isinstance(body, RoundScored) and body.score.side == 0 for body in bodies)  # type: ignore[union-attr]


def test_H22_each_round_that_a_players_side_wins_is_ten_points(
    standings: Standings, log: MemoryLog
) -> None:
    matches = [played(seed) for seed in range(6)]
    store(log, matches)
    standings.catch_up(log)
    rounds = sum(won_by_side_0(match) for match in matches)
    assert rounds > 0
    assert {one.player: (one.xo, one.rounds) for one in standings.top(10)} == {
        OWNER: (rounds * XO_POINTS, rounds),
        FRIEND: (rounds * XO_POINTS, rounds),
    }


def test_catching_up_twice_counts_once(standings: Standings, log: MemoryLog) -> None:
    store(log, [played(1)])
    assert standings.catch_up(log) == len(played(1).rows)
    before = standings.top(10)
    assert standings.catch_up(log) == 0
    assert standings.top(10) == before


def test_dropped_and_made_again_the_standings_are_equal(
    standings: Standings, log: MemoryLog, tmp_path: Path
) -> None:
    store(log, [played(seed) for seed in range(4)])
    standings.catch_up(log)
    engine = sa.create_engine(f"sqlite:///{tmp_path}/again.db")
    again = Standings(engine)
    again.create()
    again.catch_up(log)
    assert again.top(10) == standings.top(10)
    engine.dispose()


def test_who_has_left_earns_nothing_more(standings: Standings, log: MemoryLog) -> None:
    match = Played(match_id(1), played(1).live.state.opened.options)  # type: ignore[arg-type]
    match.seat_everybody()
    match.say(FRIEND, LeaveSeat())
    while not match.live.state.over:
        match.move(Random(0))
    store(log, [match])
    standings.catch_up(log)
    assert FRIEND not in {one.player for one in standings.top(10)}


def test_a_log_put_back_from_a_copy_is_counted_anew(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/standings.db")
    kept = Standings(engine)
    kept.create()
    before = MemoryLog(MemoryStore(partitions=1))
    store(before, [played(seed) for seed in range(4)])
    kept.catch_up(before)
    restored = MemoryLog(MemoryStore(partitions=1, generation=2))
    store(restored, [played(9)])
    kept.catch_up(restored)
    alone = sa.create_engine(f"sqlite:///{tmp_path}/alone.db")
    fresh = Standings(alone)
    fresh.create()
    fresh.catch_up(restored)
    assert kept.top(10) == fresh.top(10)
    engine.dispose()
    alone.dispose()


def test_a_page_that_another_worker_has_taken_is_not_taken_again(
    standings: Standings, log: MemoryLog
) -> None:
    store(log, [played(1)])
    stale = log.read(0, 0)
    standings.catch_up(log)
    before = standings.top(10)
    with pytest.raises(Overtaken):
        standings._take(stale, 1)
    assert standings.top(10) == before


def test_who_sat_at_the_end_of_the_round_has_its_points(
    standings: Standings, log: MemoryLog
) -> None:
    """Not who takes the seat, or leaves it, between the round's end and its score."""
    seed = next(seed for seed in range(20) if won_first_round_by_side_0(seed))
    match, random = Played(match_id(seed), HokmOptions(target=1)), Random(seed)
    match.seat_everybody()
    while match.live.state.ended is None:
        match.move(random)
    match.say(FRIEND, LeaveSeat())
    match.say("u_newcomer0", TakeSeat(seat=2))
    match.move(random)
    store(log, [match])
    standings.catch_up(log)
    assert {one.player for one in standings.top(10)} == {OWNER, FRIEND}


def won_first_round_by_side_0(seed: int) -> bool:
    match, random = Played(match_id(seed), HokmOptions(target=1)), Random(seed)
    match.seat_everybody()
    while match.live.state.ended is None:
        match.move(random)
    return bool(match.live.state.game.tricks[0] == 7)


def test_a_gap_in_the_log_is_said_and_not_tried_for_ever(
    standings: Standings, log: MemoryLog
) -> None:
    store(log, [played(1)])
    del log._store.partitions[0].rows[5]
    with pytest.raises(LogError, match="gap after position"):
        standings.catch_up(log)
    del log._store.partitions[0].rows[:5]
    with pytest.raises(LogError, match="gap before position 7"):
        standings.catch_up(log)


def test_workers_that_begin_together_make_the_tables_once(postgres_url: str) -> None:
    workers = 8
    together = Barrier(workers)

    def begin(_: int) -> None:
        engine = sa.create_engine(postgres_url)
        together.wait(10)
        try:
            Standings(engine).create()
        finally:
            engine.dispose()

    with ThreadPoolExecutor(workers) as pool:
        assert list(pool.map(begin, range(workers))) == [None] * workers
