"""What a player tried against the others, on a real broker: each attack once, none gets through."""

import datetime as dt
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from schemas.commands import COMMAND_BYTES
from schemas.subjects import partition_of
from services.messaging import streams
from services.messaging.jetstream import JetStreamBus
from services.messaging.permissions import ANSWERS, answers_of, inbox
from services.messaging.port import ConsumerSpec, Message
from services.messaging.server import MAX_PAYLOAD, MAX_SUBSCRIPTIONS, Broker
from tests.broker import SPY, bus_as, running_broker
from tests.messaging.heard import Delivered, Heard
from tests.messaging.raw import Raw
from tests.waiting import until, until_async

ANN, BOB = "u_ann00000", "u_bob00000"
MATCH = "m_0123"
ANNS, BOBS = f"cmdin.{MATCH}.{ANN}", f"cmdin.{MATCH}.{BOB}"
STORED = f"cmd.{partition_of(MATCH, 16)}.{MATCH}"
EVERYTHING = ConsumerSpec(stream=streams.COMMANDS, name="all-e1", filter="cmd.>")
MARKER = "m_9.ops"
SPYS_QUESTION = f"$JS.API.STREAM.MSG.GET.{streams.COMMANDS}"
FORGED_REPLIES = [
    BOBS,
    f"cmdin.{MATCH}.house0",
    f"{STORED}.{BOB}",
    f"feed.{BOB}.{MATCH}",
    f"ask.{MATCH}.{BOB}",
    "event.0.match_ended",
    f"turn.{MATCH}.0",
    "deliver.bots",
    "_INBOX_table.x",
    f"{ANSWERS}x",
    f"{answers_of('table')}x",
    "$SRV.STATS",
    "$JS.API.STREAM.PURGE.EVENTS",
]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running_broker(tmp_path / "broker", [ANN, BOB]) as running:
        yield running


@pytest.fixture
async def table(broker: Broker) -> AsyncIterator[JetStreamBus]:
    bus = await bus_as(broker, "table")
    await bus.ensure(streams.all_streams(16))
    yield bus
    await bus.close()


@pytest.fixture
async def spy(broker: Broker) -> AsyncIterator[JetStreamBus]:
    bus = await bus_as(broker, SPY)
    yield bus
    await bus.close()


@pytest.fixture
async def ann(broker: Broker) -> AsyncIterator[Raw]:
    raw = await Raw(ANN).connect(broker)
    yield raw
    await raw.client.close()


async def settled(spy: JetStreamBus) -> None:
    """All that was said before is stored or refused: a marker after it is stored."""

    async def marked() -> bool:
        return await spy.last(streams.COMMANDS, f"cmd.*.{MARKER}") is not None

    await spy.publish([Message(subject=f"cmdin.{MARKER}", data=b"marker")])
    await until_async(marked, "the marker to be stored")


async def stored_commands(spy: JetStreamBus) -> list[str]:
    """The stored subjects of all commands, oldest first."""
    await settled(spy)
    got = Delivered(acknowledge=False)
    await spy.consume(EVERYTHING, got.take)
    await got.wait_for(b"marker")
    return [subject for subject in got.subjects if not subject.endswith(MARKER)]


@pytest.mark.parametrize("reply", FORGED_REPLIES)
@pytest.mark.usefixtures("table")
async def test_a_reply_subject_gets_nothing_said_in_anothers_name(
    spy: JetStreamBus, ann: Raw, reply: str
) -> None:
    heard = Heard()
    await spy.subscribe(">", heard)
    await ann.say(ANNS, b"stored", reply)
    await ann.say(ANNS, b"x" * (COMMAND_BYTES + 1), reply)
    await ann.say(ANNS, b"refused by a header", reply, {"Nats-Rollup": "all"})
    for _ in range(streams.QUOTA):
        await ann.say(ANNS, b"until over the quota", reply)
    await ann.say(f"ask.{MATCH}.{ANN}", b"ask", reply)
    await settled(spy)
    said = {ANNS, f"ask.{MATCH}.{ANN}", f"cmdin.{MARKER}", SPYS_QUESTION}
    told = (f"{inbox(SPY)}.", "$JS.EVENT.ADVISORY.")  # the spy's answers, the broker's diary
    others = [s for s in heard.subjects if s not in said and not s.startswith(told)]
    assert others == []
    assert await stored_commands(spy) == [f"{STORED}.{ANN}"] * streams.QUOTA


@pytest.mark.parametrize("reply", FORGED_REPLIES)
async def test_a_reply_subject_gets_nothing_while_the_stream_is_missing(
    spy: JetStreamBus, ann: Raw, reply: str
) -> None:
    heard = Heard()
    await spy.subscribe(">", heard)
    await ann.say(ANNS, b"nobody is there", reply)
    await ann.say(f"ask.{MATCH}.{ANN}", b"nor here", reply)
    await heard.wait(2)
    await spy.publish([Message(subject="mark", data=b"mark")])
    await heard.wait_for(b"mark")
    assert heard.subjects == [ANNS, f"ask.{MATCH}.{ANN}", "mark"]


def soon() -> str:
    at = dt.datetime.now(dt.UTC) + dt.timedelta(milliseconds=100)
    return "@at " + at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


HEADERS = [
    {"Nats-Rollup": "all"},
    {"Nats-Rollup": "sub"},
    {"Nats-TTL": "1s"},
    {"Nats-TTL": "never"},
    {"Nats-Schedule": "soon", "Nats-Schedule-Target": BOBS},
    {"Nats-Schedule": "soon", "Nats-Schedule-Target": f"{STORED}.{BOB}"},
    {"Nats-Scheduler": ANNS, "Nats-Schedule-Next": "purge"},
    {"Nats-Incr": "+1"},
    {"Nats-Batch-Id": "b", "Nats-Batch-Sequence": "1"},
    {"Nats-Batch-Id": "b", "Nats-Batch-Sequence": "1", "Nats-Batch-Commit": "1"},
    {"Nats-Expected-Stream": "EVENTS"},
    {"Nats-Expected-Last-Sequence": "0"},
    {"Nats-Required-Api-Level": "99"},
    {"Status": "100", "Description": "FlowControl Request"},
    {"Status": "503"},
]


@pytest.mark.parametrize("headers", HEADERS, ids=" ".join)
async def test_headers_of_a_player_do_nothing_to_others(
    broker: Broker, table: JetStreamBus, spy: JetStreamBus, ann: Raw, headers: dict[str, str]
) -> None:
    bob = await Raw(BOB).connect(broker)
    for _ in range(3):
        await bob.say(BOBS, b"bob")
    timed = {key: soon() if value == "soon" else value for key, value in headers.items()}
    await ann.say(ANNS, b"attack", headers=timed)
    for _ in range(3):
        await bob.say(BOBS, b"bob")
    got = Delivered()
    await table.consume(streams.owner(partition_of(MATCH, 16), 1), got.take)
    await spy.publish([Message(subject=f"cmdin.{MATCH}.ops", data=b"marker")])
    await got.wait_for(b"marker")
    assert got.bodies.count(b"bob") == 6
    for message in got.messages:
        assert message.headers == {}
        if message.data == b"attack":
            assert message.subject == f"{STORED}.{ANN}"
    await bob.client.close()


async def test_an_id_that_a_player_made_up_silences_nobody_else(
    broker: Broker, table: JetStreamBus, spy: JetStreamBus, ann: Raw
) -> None:
    bob = await Raw(BOB).connect(broker)
    await ann.say(ANNS, b"ann", headers={"Nats-Msg-Id": "1:0:1"})
    await bob.say(BOBS, b"bob")
    lines = Message(subject="event.0.x", data=b"line", headers={"Nats-Msg-Id": "1:0:1"})
    await table.publish_confirmed([lines], within=5)
    assert await stored_commands(spy) == [f"{STORED}.{ANN}", f"{STORED}.{BOB}"]
    assert await table.last(streams.EVENTS, ">") is not None
    await bob.client.close()


async def test_a_flood_of_one_player_leaves_the_others_their_quota(
    broker: Broker, table: JetStreamBus, spy: JetStreamBus, ann: Raw
) -> None:
    bob = await Raw(BOB).connect(broker)
    for _ in range(500):
        await ann.client.publish(ANNS, b"flood")
    await ann.round_trip()
    await bob.say(BOBS, b"bob")
    stored = await stored_commands(spy)
    assert stored.count(f"{STORED}.{ANN}") == streams.QUOTA
    assert stored.count(f"{STORED}.{BOB}") == 1
    await table.last(streams.EVENTS, ">")
    await bob.client.close()


@pytest.mark.usefixtures("table")
async def test_a_message_over_the_payload_limit_costs_the_connection(
    broker: Broker, spy: JetStreamBus, ann: Raw
) -> None:
    ann.client._max_payload = 2 * MAX_PAYLOAD  # an attacker's client does not check
    await ann.client.publish(ANNS, b"x" * (MAX_PAYLOAD + 1))
    await until(lambda: ann.client.is_closed, "the connection to be cut")
    assert await stored_commands(spy) == []
    assert broker.poll() is None


async def test_a_player_cannot_fill_the_broker_with_subscriptions(ann: Raw) -> None:
    for number in range(MAX_SUBSCRIPTIONS + 1):
        await ann.client.subscribe(f"feed.{ANN}.m_{number}", cb=ann._hear)
    await until(
        lambda: (
            any("maximum subscriptions exceeded" in said for said in ann.refusals)
            or ann.client.is_closed
        ),
        "the broker to refuse the last one",
    )


async def test_the_command_line_cannot_redirect_what_scoring_reads(
    broker: Broker, table: JetStreamBus
) -> None:
    scoring = await bus_as(broker, "scoring")
    ended = Delivered()
    await scoring.consume(streams.ended_rounds(), ended.take)
    cli = await Raw("cli").connect(broker)
    theft = {"ack_policy": "explicit", "deliver_subject": "feed.u_commandline.m_1"}
    named = {"name": "scoring", "durable_name": "scoring", "filter_subject": "event.*.round_ended"}
    calls = [
        ("CONSUMER.CREATE.EVENTS", {"name": "scoring"}),
        ("CONSUMER.CREATE.EVENTS.scoring", named),
        ("CONSUMER.CREATE.EVENTS.scoring.event.*.round_ended", named),
        ("CONSUMER.DURABLE.CREATE.EVENTS.scoring", named),
        ("CONSUMER.CREATE.EVENTS.mine.event.*.round_ended", named),
    ]
    for call, config in calls:
        answer = await cli.ask_api(call, {"stream_name": "EVENTS", "config": config | theft})
        assert answer is None or "error" in answer, call
    line = Message(subject="event.0.round_ended", data=b"line")
    await table.publish_confirmed([line], within=5)
    await ended.wait(1)
    await cli.client.close()
    await scoring.close()


@pytest.mark.usefixtures("table")
async def test_a_reader_of_events_cannot_take_another_streams_messages(broker: Broker) -> None:
    cli = await Raw("cli").connect(broker)
    call = "CONSUMER.CREATE.EVENTS.mine.event.>"
    config = {"name": "mine", "ack_policy": "none", "filter_subject": "event.>"}
    for stream in (streams.COMMANDS, streams.TURNS):
        answer = await cli.ask_api(call, {"stream_name": stream, "config": config})
        assert answer is not None
        assert "error" in answer
    await cli.client.close()
