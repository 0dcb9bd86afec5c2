"""What each user may do and may not, tried on a real broker."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.errors import Error as ClientError

from schemas import ids
from schemas.subjects import partition_of
from services.messaging import streams
from services.messaging.permissions import (
    ANSWERS,
    CALLOUT,
    CALLOUT_ANSWERS,
    COMMAND_LINE_PLAYER,
    ROLES,
    inbox,
    player,
)
from services.messaging.port import ConsumerSpec, Message
from services.messaging.server import Broker
from tests.broker import SPY, bus_as, running_broker
from tests.messaging.heard import Delivered, Heard
from tests.messaging.raw import Raw

ANN, BOB = "u_ann00000", "u_bob00000"
MATCH = "m_0123"

ASKED = ("$SRV.PING", "$SRV.INFO", "$SRV.STATS")
SPEAKERS = ("table", "bot", "scoring", "cli")
MAY_PUBLISH = {
    "table": [
        "event.0.card_played",
        f"feed.{ANN}.{MATCH}",
        "feed.ops.m_1",
        f"turn.{MATCH}.0",
        f"{ANSWERS}table.x",
    ],
    "bot": [*(f"cmdin.{MATCH}.{house}" for house in ids.HOUSES), f"{ANSWERS}bot.x"],
    "scoring": [f"cmdin.{MATCH}.scoring", f"{ANSWERS}scoring.x"],
    "cli": [
        f"cmdin.{MATCH}.{COMMAND_LINE_PLAYER}",
        f"cmdin.{MATCH}.ops",
        f"ask.{MATCH}.{COMMAND_LINE_PLAYER}",
        # An operator says a dead letter again, on its author's own subject.
        *(f"cmdin.{MATCH}.{voice}" for voice in (*ids.HOUSES, ids.SCORING, ANN, BOB)),
        "$SRV.PING",
        "$SRV.INFO.waraq-bot",
        "$SRV.STATS.waraq-table.x",
    ],
    "auth": [f"{CALLOUT_ANSWERS}a.b"],
    "analytics": ["$JS.API.CONSUMER.MSG.NEXT.EVENTS.analytics"],
    ANN: [f"cmdin.{MATCH}.{ANN}", f"ask.{MATCH}.{ANN}"],
}
MAY_SUBSCRIBE = {
    "table": ["ask.*.*", "ask.m_1.u_x", f"{inbox('table')}.x.*", *ASKED, "$SRV.PING.waraq-table"],
    "bot": ["deliver.bots", f"{inbox('bot')}.x", *ASKED, "$SRV.INFO.waraq-bot.x"],
    "scoring": ["deliver.scoring", f"{inbox('scoring')}.x", *ASKED, "$SRV.STATS.waraq-scoring.x"],
    "cli": [
        "event.>",
        "event.0.*",
        f"feed.{COMMAND_LINE_PLAYER}.*",
        "feed.ops.*",
        f"{inbox('cli')}.x",
        f"{ANSWERS}x",
    ],
    "auth": [CALLOUT, f"{inbox('auth')}.x"],
    "analytics": [f"{inbox('analytics')}.x"],
    ANN: [f"feed.{ANN}.*", f"feed.{ANN}.{MATCH}", f"{inbox(ANN)}.x"],
}
NOBODY_PUBLISHES = [
    "cmdin.anything",
    f"cmd.0.{MATCH}.{BOB}",
    f"ask.{MATCH}.{BOB}",
    f"{inbox(BOB)}.x",
    f"{inbox('table')}.x",
    f"{inbox('cli')}.x",
    f"{inbox('cli')}.srv",
    f"{ANSWERS}x",
    "$SRV.OTHER",
    "$SRV.PING.other",
    "$SRV.PING.waraq-auth",
    "deliver.bots",
    "deliver.scoring",
    "$SYS.REQ.SERVER.PING",
    CALLOUT,
    "$KV.a.b",
    "$JS.API.INFO",
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.DELETE.COMMANDS",
    "$JS.API.STREAM.PURGE.COMMANDS",
    "$JS.API.STREAM.PURGE.EVENTS",
    "$JS.API.STREAM.MSG.DELETE.EVENTS",
    "$JS.API.STREAM.MSG.GET.COMMANDS",
    "$JS.API.STREAM.MSG.GET.TURNS",
    "$JS.API.STREAM.CREATE.OTHER",
    "$JS.API.DIRECT.GET.EVENTS",
    "$JS.API.CONSUMER.CREATE.EVENTS",
    "$JS.API.CONSUMER.CREATE.COMMANDS",
    "$JS.API.CONSUMER.CREATE.TURNS",
    "$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.x",
    "$JS.API.CONSUMER.DELETE.EVENTS.scoring",
    "$JS.API.CONSUMER.DELETE.EVENTS.analytics",
    "$JS.API.CONSUMER.DELETE.TURNS.bots",
    "$JS.API.CONSUMER.MSG.NEXT.EVENTS.scoring",
    "$JS.API.CONSUMER.PAUSE.EVENTS.scoring",
    "$JS.API.CONSUMER.RESET.EVENTS.scoring",
]
NOBODY_SUBSCRIBES = [
    ">",
    "*.*.*",
    "cmdin.>",
    "cmd.>",
    "feed.>",
    f"feed.*.{MATCH}",
    f"feed.{BOB}.*",
    "turn.>",
    "$JS.>",
    "$SYS.>",
    "$SRV.>",
    "$SRV.*",
    "$SRV.PING.*",
    "$SRV.PING.waraq-web",
    f"{inbox(BOB)}.>",
    "_INBOX.>",
]
CONSUMERS = ("scoring", "analytics", "bots", "any")
JETSTREAM = [
    f"$JS.{call}"
    for stream in (streams.COMMANDS, streams.EVENTS, streams.TURNS)
    for call in (
        f"API.STREAM.INFO.{stream}",
        f"API.STREAM.CREATE.{stream}",
        f"API.STREAM.UPDATE.{stream}",
        f"API.STREAM.MSG.GET.{stream}",
        f"API.CONSUMER.LIST.{stream}",
        f"API.CONSUMER.NAMES.{stream}",
        *(f"API.CONSUMER.INFO.{stream}.{name}" for name in CONSUMERS),
        *(f"API.CONSUMER.CREATE.{stream}.{name}.filter.x" for name in CONSUMERS),
        *(f"API.CONSUMER.DELETE.{stream}.{name}" for name in CONSUMERS),
        *(f"ACK.{stream}.{name}.1.1.1.1.1" for name in CONSUMERS),
    )
]
JETSTREAM_OF = {
    "table": {
        *(f"$JS.API.STREAM.CREATE.{name}" for name in ("COMMANDS", "EVENTS", "TURNS")),
        *(f"$JS.API.STREAM.UPDATE.{name}" for name in ("COMMANDS", "EVENTS", "TURNS")),
        *(f"$JS.API.STREAM.INFO.{name}" for name in ("COMMANDS", "EVENTS", "TURNS")),
        "$JS.API.STREAM.MSG.GET.EVENTS",
        "$JS.API.CONSUMER.LIST.COMMANDS",
        "$JS.API.CONSUMER.NAMES.COMMANDS",
        *(f"$JS.API.CONSUMER.INFO.COMMANDS.{name}" for name in CONSUMERS),
        *(f"$JS.API.CONSUMER.CREATE.COMMANDS.{name}.filter.x" for name in CONSUMERS),
        *(f"$JS.API.CONSUMER.DELETE.COMMANDS.{name}" for name in CONSUMERS),
        *(f"$JS.ACK.COMMANDS.{name}.1.1.1.1.1" for name in CONSUMERS),
    },
    "bot": {
        "$JS.API.CONSUMER.INFO.TURNS.bots",
        "$JS.API.CONSUMER.CREATE.TURNS.bots.filter.x",
        "$JS.ACK.TURNS.bots.1.1.1.1.1",
    },
    "scoring": {
        "$JS.API.CONSUMER.INFO.EVENTS.scoring",
        "$JS.API.CONSUMER.CREATE.EVENTS.scoring.filter.x",
        "$JS.ACK.EVENTS.scoring.1.1.1.1.1",
    },
    "cli": {
        "$JS.API.STREAM.MSG.GET.EVENTS",
        "$JS.API.CONSUMER.NAMES.EVENTS",
        *(f"$JS.API.STREAM.INFO.{name}" for name in ("COMMANDS", "EVENTS", "TURNS")),
        *(f"$JS.API.CONSUMER.LIST.{name}" for name in ("COMMANDS", "EVENTS", "TURNS")),
        *(f"$JS.API.CONSUMER.INFO.EVENTS.{name}" for name in CONSUMERS),
        *(f"$JS.API.CONSUMER.CREATE.EVENTS.{name}.filter.x" for name in ("bots", "any")),
        *(f"$JS.API.CONSUMER.DELETE.EVENTS.{name}" for name in ("bots", "any")),
        *(f"$JS.ACK.EVENTS.{name}.1.1.1.1.1" for name in ("bots", "any")),
    },
    "auth": set[str](),
    "analytics": {
        "$JS.API.CONSUMER.INFO.EVENTS.analytics",
        "$JS.API.CONSUMER.CREATE.EVENTS.analytics.filter.x",
        "$JS.ACK.EVENTS.analytics.1.1.1.1.1",
    },
    ANN: set[str](),
}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running_broker(tmp_path / "broker", [ANN, BOB]) as running:
        yield running


@pytest.fixture(params=[*ROLES, ANN])
async def user(request: pytest.FixtureRequest, broker: Broker) -> AsyncIterator[Raw]:
    raw = await Raw(request.param).connect(broker)
    yield raw
    await raw.client.close()


async def test_each_user_may_say_and_hear_what_is_its_own(user: Raw) -> None:
    for subject in MAY_PUBLISH[user.user]:
        assert await user.may_publish(subject), subject
    for subject in MAY_SUBSCRIBE[user.user]:
        assert await user.may_subscribe(subject), subject


async def test_no_user_may_say_what_is_anothers(user: Raw) -> None:
    others = {subject for name in MAY_PUBLISH for subject in MAY_PUBLISH[name]}
    own = set(MAY_PUBLISH[user.user])
    refused = sorted((others | set(NOBODY_PUBLISHES)) - own)
    allowed = [subject for subject in refused if await user.may_publish(subject)]
    assert allowed == []


async def test_no_user_may_hear_what_is_anothers(user: Raw) -> None:
    others = {subject for name in MAY_SUBSCRIBE for subject in MAY_SUBSCRIBE[name]}
    refused = sorted(others - set(MAY_SUBSCRIBE[user.user])) + NOBODY_SUBSCRIBES
    allowed = [
        subject
        for subject in refused
        if await user.may_subscribe(subject) or await user.may_subscribe(subject, "queue")
    ]
    assert allowed == []


async def test_each_user_has_of_jetstream_what_its_own_stream_needs_and_a_player_nothing(
    user: Raw,
) -> None:
    allowed = {subject for subject in JETSTREAM if await user.may_publish(subject)}
    assert allowed == JETSTREAM_OF[user.user]


async def test_a_player_may_not_speak_below_or_above_its_own_subject(broker: Broker) -> None:
    ann = await Raw(ANN).connect(broker)
    for subject in (
        f"cmdin.{MATCH}.{ANN}.more",
        f"cmdin.{ANN}",
        f"cmdin..{ANN}",
        f"cmdin.{MATCH}.*",
        f"cmdin.{MATCH}.>",
        f"CMDIN.{MATCH}.{ANN}",
        f"ask.{MATCH}.{ANN}.more",
    ):
        assert not await ann.may_publish(subject), subject
    await ann.client.close()


async def test_nobody_gets_in_without_a_name(broker: Broker) -> None:
    nameless = Client()
    with pytest.raises(ClientError, match=r"(?i)authorization"):
        await nameless.connect(broker.url, allow_reconnect=False)
    await nameless.close()


async def test_every_worker_can_do_its_work_with_its_rights(broker: Broker) -> None:
    table, bot, scoring, cli = [await bus_as(broker, role) for role in SPEAKERS]
    await table.ensure(streams.all_streams(16))
    await table.ensure(streams.all_streams(16))
    commands, turns, ended = Delivered(), Delivered(), Delivered()
    asks, feed, events = Heard(), Heard(), Heard()
    await table.consume(streams.owner(partition_of(MATCH, 16), 1), commands.take)
    await table.subscribe("ask.*.*", asks)
    await bot.consume(streams.bots(), turns.take)
    await scoring.consume(streams.ended_rounds(), ended.take)
    await cli.subscribe(f"feed.{COMMAND_LINE_PLAYER}.*", feed)
    await cli.subscribe("event.>", events)

    speaking = [
        (cli, f"cmdin.{MATCH}.{COMMAND_LINE_PLAYER}"),
        (cli, f"cmdin.{MATCH}.ops"),
        (bot, f"cmdin.{MATCH}.house2"),
        (scoring, f"cmdin.{MATCH}.scoring"),
    ]
    for bus, subject in speaking:
        await bus.publish([Message(subject=subject, data=b"command")])
    await commands.wait(4)
    await cli.publish([Message(subject=f"ask.{MATCH}.{COMMAND_LINE_PLAYER}", data=b"ask")])
    await asks.wait(1)
    told = [
        Message(subject="event.0.round_ended", data=b"line"),
        Message(subject=f"turn.{MATCH}.0", data=b"turn"),
    ]
    await table.publish_confirmed(told, within=5)
    await table.publish([Message(subject=f"feed.{COMMAND_LINE_PLAYER}.{MATCH}", data=b"news")])
    for got in (turns, ended, feed, events):
        await got.wait(1)
    assert await table.last(streams.EVENTS, "event.0.>") is not None

    history = Delivered()
    await cli.consume(
        ConsumerSpec(stream=streams.EVENTS, name="cli-e1", filter="event.>"), history.take
    )
    await history.wait(1)
    await table.consume(streams.owner(partition_of(MATCH, 16), 2), commands.take)
    for bus in (table, bot, scoring, cli):
        await bus.close()


def test_the_command_line_speaks_as_a_proper_player() -> None:
    assert ids.matches(COMMAND_LINE_PLAYER, ids.PlayerId)
    own = player(COMMAND_LINE_PLAYER)
    assert set(own.publish) <= set(ROLES["cli"].publish)


def test_the_spy_of_these_tests_is_no_role() -> None:
    assert SPY not in ROLES
