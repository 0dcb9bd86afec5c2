"""`waraq status`: what is wrong of what workers, streams and doors say, in words."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from msgspec import structs

from schemas.standing import Standing
from services.cli import say, status
from services.cli.doctor.of_broker import survey_by
from services.cli.place import Place, no_broker
from services.cli.status import DoorLine, _prose, _some, _verdict, _worker, _wrong
from services.messaging import streams
from services.messaging.discovery import Seen
from services.messaging.jetstream_survey import BrokerFound, StreamFound
from services.messaging.permissions import Kind
from services.messaging.port import BusUnreachable, JetStreamOff, LoginRefused, StreamSpec
from services.messaging.streams import WAITING_COMMANDS, WAITING_TURNS
from services.runtime.settings import Login
from tests.broker import bus_as, password, running_broker
from tests.cli.conftest import embedded
from tests.cli.logs import Log, with_key

NUMBERS = {"partitions": 4, "matches_open": 3}
WEB = DoorLine(door="web", ok=True, what="ready")


def seen(worker: Kind, standing: Standing, at: str = "here:1") -> Seen:
    return Seen(worker=worker, id=at, version="0.0.1", at=at, began="2026", standing=standing)


def table(*owned: int, missing: tuple[str, ...] = (), at: str = "here:1") -> Seen:
    stands = Standing(ready=not missing, missing=missing, numbers=NUMBERS, owned=owned)
    return seen("table", stands, at)


OTHERS = (seen("bot", Standing(ready=True)), seen("scoring", Standing(ready=True)))


def broker(*found: StreamFound, missing: tuple[str, ...] = ()) -> BrokerFound:
    return BrokerFound(version="2", streams=found, missing=missing, skew=0, milliseconds=1)


def stream(name: str, messages: int = 0, size: int = 0) -> StreamFound:
    return StreamFound(
        name=name, odd=(), messages=messages, bytes=size, replicas=1, leader="", away=(), readers=()
    )


def wrong(
    *tables: Seen, found: BrokerFound | None = None, doors: tuple[DoorLine, ...] = (WEB,)
) -> list[str]:
    return list(_wrong((*tables, *OTHERS), found or broker(), doors))


def test_nothing_is_wrong_where_all_work_and_each_partition_has_an_owner() -> None:
    assert wrong(table(0, 1), table(2, 3)) == []


def test_a_kind_of_worker_that_nobody_is_of_is_said() -> None:
    assert wrong() == ["no table worker answers"]
    assert list(_wrong((), broker(), ())) == [
        f"no {kind} worker answers" for kind in ("table", "bot", "scoring")
    ]


def test_a_broker_that_confirms_nothing_and_copies_that_are_away_are_said() -> None:
    numbers = NUMBERS | {"events_stalled_seconds": 31}
    stuck = seen("table", Standing(ready=True, numbers=numbers, owned=(0, 1, 2, 3)), "there:7")
    assert wrong(stuck) == [
        "the broker confirms no event of the table worker there:7: matches stand still"
    ]
    away = structs.replace(stream("EVENTS"), away=("nats-2",))
    assert wrong(table(0, 1, 2, 3), found=broker(away)) == [
        "copies of the stream EVENTS are away or behind: nats-2"
    ]


def test_who_drains_is_said_and_that_nothing_waits_is_not() -> None:
    numbers = {"partitions": 1, "events_stalled_seconds": 0, "draining": 1, "matches_open": 2}
    said = _prose(_worker(seen("table", Standing(ready=True, numbers=numbers, owned=(0,)))))
    assert "0 done, partitions 0, draining, 2 matches open" in said
    assert "stalled" not in said


def test_what_a_worker_misses_is_said_with_where_it_is() -> None:
    found = wrong(table(0, 1, 2, 3), table(missing=("broker", "partitions"), at="there:7"))
    assert found == ["the table worker there:7 misses broker, partitions"]


def test_partitions_that_nobody_serves_are_named() -> None:
    assert wrong(table(1)) == ["3 of 4 partitions have no owner: 0 2-3"]


def test_a_stream_that_takes_nothing_more_is_wrong_and_one_that_drops_its_oldest_is_not() -> None:
    whole = table(0, 1, 2, 3)
    full = stream("COMMANDS", WAITING_COMMANDS)
    assert wrong(whole, found=broker(full)) == [
        "the stream COMMANDS is full: what is said is not taken"
    ]
    assert wrong(whole, found=broker(stream("TURNS", WAITING_TURNS))) == []
    assert wrong(whole, found=broker(stream("EVENTS", 9, 1 << 30))) == []
    assert wrong(whole, found=broker(missing=("TURNS",))) == ["the stream TURNS is missing"]


def test_a_door_that_lets_nobody_in_is_wrong() -> None:
    closed = DoorLine(door="log-ins", ok=False, what="no auth worker answers")
    assert wrong(table(0, 1, 2, 3), doors=(closed,)) == ["log-ins: no auth worker answers"]


@pytest.mark.parametrize(
    ("numbers", "said"), [([], ""), ([3], "3"), ([0, 1, 2], "0-2"), ([0, 2, 3, 7], "0 2-3 7")]
)
def test_neighbours_are_said_together(numbers: list[int], said: str) -> None:
    assert _some(numbers) == said


def test_what_a_worker_says_moves_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b[2J\nall is well\u202e\x9b"
    one = _worker(table(missing=(evil,), at=evil))
    say.result(one, say.foreign(_prose(one)), as_json=False)
    say.prose(_verdict(wrong(table(missing=(evil,), at=evil))))
    said = capsys.readouterr().err
    assert "\\x1b[2J\\nall is well\\u202e\\x9b" in said
    assert all(one.isprintable() for one in said.replace("\n", ""))
    assert "all is well" not in said.splitlines()


def test_a_worker_that_is_not_ready_is_said_loudly() -> None:
    assert "NOT READY (broker)" in _prose(_worker(table(missing=("broker",))))
    assert "partitions 0-1" in _prose(_worker(table(0, 1)))


def test_without_a_service_it_is_said_what_to_do(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    log = embedded(data, with_key(tmp_path))
    done = log.waraq("status", "--json")
    (whole,) = lines(done, 5)
    assert (whole["kind"], whole["ok"]) == ("whole", False)
    assert "waraq up" in done.stderr


def lines(done: Result, code: int) -> list[dict[str, Any]]:
    assert done.exit_code == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


OUTSIDE = {"WARAQ_NATS_URL": "nats://me:secret@127.0.0.1:9"}


def test_without_an_outside_broker_the_doors_are_said_and_no_service_is_brought_up_beside_it(
    sqlite_log: Log,
) -> None:
    """`waraq up` in that shell would join the service that it is of."""
    away = Log(sqlite_log.url, {**sqlite_log.environ, **OUTSIDE})
    done = away.waraq("status", "--json")
    *doors, whole = lines(done, 5)
    assert [(one["door"], one["ok"]) for one in doors] == [("web", None), ("log-ins", None)]
    assert (whole["kind"], whole["ok"], len(whole["wrong"])) == ("whole", False, 1)
    assert "docs/operations.md#broker-lost" in done.stderr
    for words in (("status",), ("match", "list"), ("play", "--game", "hokm", "--bots", "white")):
        said = away.waraq(*words).stderr
        assert "waraq up --data" not in said
        assert "secret" not in said
    alone = Log(sqlite_log.url, dict(sqlite_log.environ)).waraq("status").stderr
    assert "--embedded" not in alone, "it has no such option"


async def test_a_stream_without_a_leader_hides_nothing_of_the_others(
    sqlite_log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For some seconds after a node of a cluster is lost."""

    async def surveyed(entry: Login, specs: tuple[StreamSpec, ...]) -> BrokerFound:
        if any(one.name == "EVENTS" for one in specs):
            raise JetStreamOff("STREAM.INFO.EVENTS is not answered in 3 s")
        return await survey_by(entry, specs)

    monkeypatch.setattr(status, "survey_by", surveyed)
    with running_broker(tmp_path / "broker") as broker:
        bus = await bus_as(broker, "table")
        await bus.ensure(streams.all_streams(1))
        told = {"WARAQ_NATS_URL": broker.url, "WARAQ_NATS_PASSWORD": password("cli")}
        log = Log(sqlite_log.url, {**sqlite_log.environ, **told})
        found = lines(await asyncio.to_thread(log.waraq, "status", "--json"), 4)
        await bus.close()
    assert [one["stream"] for one in found if one["kind"] == "stream"] == ["COMMANDS", "TURNS"]
    assert found[-1]["wrong"] == [
        "the stream EVENTS does not answer: STREAM.INFO.EVENTS is not answered in 3 s",
        *(f"no {kind} worker answers" for kind in ("table", "bot", "scoring")),
    ]


def test_what_is_wrong_with_the_broker_is_said_as_what_it_is(tmp_path: Path) -> None:
    place = Place(tmp_path, {})
    away = no_broker(place, BusUnreachable("nats://a:secret@h:1: no broker answered"))
    refused = no_broker(place, LoginRefused("nats://a:secret@h:1: 'Authorization Violation'"))
    off = no_broker(place, JetStreamOff("no JetStream answers"))
    assert [("waraq up" in one, "secret" in one) for one in (away, refused, off)] == [
        (True, False),
        (False, False),
        (False, False),
    ]
    assert "no broker answers" in away
    assert "refuses our log-in" in refused
    assert "not its streams (no JetStream answers)" in off
