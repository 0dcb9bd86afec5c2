"""The scoring worker goes on whatever comes: an odd round is its own, the others are scored."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from prometheus_client import CollectorRegistry

from schemas import subjects
from services.event_log.memory import MemoryLog, MemoryStore
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import Message
from services.rules import games
from services.scoring.metrics import ScoringMetrics
from services.scoring.standings import Standings
from services.scoring.worker import Scoring, _ids
from services.table.outbox import event_message
from tests.streams import played, store
from tests.waiting import until


async def test_a_round_that_cannot_be_scored_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd, good = played(1), played(2)
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, [odd, good])
    engine = sa.create_engine(f"sqlite:///{tmp_path}/standings.db")
    standings = Standings(engine)
    standings.create()
    broker = MemoryBroker()
    bus, line = MemoryBus(broker), MemoryBus(broker)
    await bus.ensure(streams.all_streams(1))
    said: list[Message] = []
    await line.subscribe("cmdin.*.*", said.append)
    stop, ready = asyncio.Event(), asyncio.Event()
    scoring = Scoring(log=log, bus=bus, standings=standings)
    running = asyncio.create_task(scoring.run(stop, ready.set))
    await asyncio.wait_for(ready.wait(), 10)

    real = games.GAMES["hokm@1"].round_score
    bad = next(row for row in odd.rows if row.entry.type == "round_ended")

    def picky(options: object, ended: object) -> object:
        if said == []:
            raise KeyError("planted")
        return real(options, ended)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(games.GAMES["hokm@1"], "round_score", picky)
        await line.publish(
            [event_message(bad, 1), Message(subject="event.0.round_ended", data=b"{")]
        )
        await asyncio.sleep(0)
    ended = [row for row in good.rows if row.entry.type == "round_ended"]
    await line.publish([event_message(row, 1) for row in ended])
    wanted = subjects.command_in(good.match, "scoring")
    await until(lambda: sum(m.subject == wanted for m in said) >= len(ended), "the good scores")
    assert not running.done()
    stop.set()
    await asyncio.wait_for(running, 10)
    engine.dispose()


def test_a_line_about_a_round_names_its_match_as_far_as_that_can_be_read() -> None:
    row = next(row for row in played(1).rows if row.entry.type == "round_ended")
    assert _ids(event_message(row, 1)) == {
        "subject": "event.0.round_ended",
        "match": row.entry.stream,
        "version": row.entry.version,
    }
    for data in (b"", b"{", b"[" * 5_000, b'{"match":1,"version":2}'):
        assert _ids(Message(subject="event.0.x", data=data)) == {"subject": "event.0.x"}


async def test_how_far_the_standings_are_behind_is_counted_and_that_they_cannot_be_kept(
    tmp_path: Path,
) -> None:
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, [played(1)])
    engine = sa.create_engine(f"sqlite:///{tmp_path}/standings.db")
    standings, registry, broker = Standings(engine), CollectorRegistry(), MemoryBroker()
    bus = MemoryBus(broker)
    await bus.ensure(streams.all_streams(1))
    metrics, stop = ScoringMetrics(registry), asyncio.Event()
    scoring = Scoring(log=log, bus=bus, standings=standings, metrics=metrics)
    running = asyncio.create_task(scoring.run(stop, lambda: None))

    def value(name: str) -> float | None:
        return registry.get_sample_value(f"waraq_standings_{name}")

    await until(lambda: value("caught_up_timestamp_seconds"), "all to be taken in")
    assert value("behind") == value("behind_most") == value("events_total") == log.position(0)
    assert scoring.keeps
    engine.dispose()
    (tmp_path / "standings.db").unlink()
    (tmp_path / "standings.db").mkdir()
    await until(lambda: not scoring.keeps, "the worker to find that it cannot keep them")
    assert not running.done()
    engine.dispose()
    (tmp_path / "standings.db").rmdir()
    await until(lambda: scoring.keeps, "it to keep them again")
    assert value("events_total") == 2 * log.position(0), "all is taken in anew"
    stop.set()
    await running
    engine.dispose()
