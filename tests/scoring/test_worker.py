"""The scoring worker goes on whatever comes: an odd round is its own, the others are scored."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from schemas import subjects
from services.event_log.memory import MemoryLog, MemoryStore
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import Message
from services.rules import games
from services.scoring.standings import Standings
from services.scoring.worker import Scoring
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
