"""Who comes in by a token, and as whom: a real broker and a real auth worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.subjects import partition_of
from services.auth.nkeys import seed_text
from services.messaging import streams
from services.messaging.jetstream_warden import connect_warden
from services.messaging.permissions import CALLOUT, CALLOUT_ANSWERS, COMMAND_LINE_PLAYER, WARDEN
from services.messaging.server import Broker
from tests.auth.door import (
    ANN,
    BOB,
    KEYS,
    OLD,
    OTHERS,
    Player,
    auth_worker,
    broker_with_door,
    door,
    expired,
    key_file,
    refused,
    session,
    token,
)
from tests.broker import SPY, bus_as, password
from tests.messaging.heard import Heard
from tests.messaging.raw import Raw
from tests.waiting import until

pytestmark = pytest.mark.slow
MATCH = "m_0123"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with door(tmp_path_factory.mktemp("door")) as running:
        yield running


async def test_a_token_lets_a_player_speak_as_himself_and_hear_his_own_feed(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.url)
    for subject in (f"cmdin.{MATCH}.{ANN}", f"ask.{MATCH}.{ANN}"):
        assert await ann.may_publish(subject), subject
    for subject in (f"feed.{ANN}.*", f"feed.{ANN}.{MATCH}", f"_INBOX_{ANN}.x"):
        assert await ann.may_subscribe(subject), subject
    table = await bus_as(broker, SPY)
    await table._client.publish(f"feed.{ANN}.{MATCH}", b"news")
    await until(lambda: f"feed.{ANN}.{MATCH}" in ann.subjects, "the news")
    await table.close()
    await ann.leave()


async def test_a_token_may_be_a_password_of_the_player_it_names(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.url, user=ANN, password=token())
    assert await ann.may_publish(f"cmdin.{MATCH}.{ANN}")
    await ann.leave()
    assert await refused(broker.url, user=BOB, password=token())
    assert await refused(broker.url, user="table", password=token())


OTHERS_SUBJECTS = [
    f"cmdin.{MATCH}.{BOB}",
    f"cmdin.{MATCH}.house0",
    f"cmdin.{MATCH}.scoring",
    f"cmdin.{MATCH}.ops",
    f"cmdin.{MATCH}.*",
    f"cmdin.{MATCH}.>",
    f"cmdin.{MATCH}.{ANN}.more",
    f"ask.{MATCH}.{BOB}",
    f"feed.{ANN}.{MATCH}",
    f"feed.{BOB}.{MATCH}",
    f"cmd.0.{MATCH}.{ANN}",
    "event.0.match_ended",
    f"turn.{MATCH}.0",
    f"_INBOX_{ANN}.x",
    f"_INBOX_{BOB}.x",
    "$JS.API.INFO",
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.PURGE.EVENTS",
    "$JS.API.CONSUMER.CREATE.EVENTS.mine.event.>",
    "$JS.ACK.EVENTS.scoring.1.1.1.1.1",
    "$KV.a.b",
    "$SRV.PING",
    "$SYS.REQ.SERVER.PING",
    "$SYS.REQ.USER.INFO",
    CALLOUT,
    f"{CALLOUT_ANSWERS}a.b",
]
OTHERS_FEEDS = [
    ">",
    "*",
    "*.*.*",
    f"feed.{BOB}.*",
    f"feed.*.{MATCH}",
    "feed.>",
    "event.>",
    "event.0.*",
    "turn.>",
    f"turn.{MATCH}.0",
    "cmdin.>",
    "cmd.>",
    "ask.>",
    "$JS.>",
    "$JS.API.>",
    "$JS.ACK.>",
    "$KV.>",
    "$SRV.>",
    "$SYS.>",
    CALLOUT,
    f"{CALLOUT_ANSWERS}>",
    "_INBOX.>",
    f"_INBOX_{BOB}.>",
    "deliver.bots",
]


async def test_a_player_may_not_say_what_is_anothers(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.url)
    assert [one for one in OTHERS_SUBJECTS if await ann.may_publish(one)] == []
    await ann.leave()


async def test_a_player_may_not_hear_what_is_anothers(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.url)
    heard = [one for one in OTHERS_FEEDS if await ann.may_subscribe(one)]
    assert heard + [one for one in OTHERS_FEEDS if await ann.may_subscribe(one, "queue")] == []
    await ann.leave()


@pytest.mark.parametrize("reply", [f"cmdin.{MATCH}.{BOB}", f"feed.{BOB}.{MATCH}", "event.0.x"])
async def test_a_reply_subject_of_anothers_is_never_answered(broker: Broker, reply: str) -> None:
    table, spy = await bus_as(broker, "table"), await bus_as(broker, SPY)
    await table.ensure(streams.all_streams(16))
    heard = Heard()
    await spy.subscribe(reply, heard)
    ann = await Player(ANN).enter(broker.url)
    await ann.say(f"cmdin.{MATCH}.{ANN}", b"{}", reply=reply)
    await ann.say(f"ask.{MATCH}.{ANN}", b"{}", reply=reply)
    stored = await spy.last(streams.COMMANDS, f"cmd.{partition_of(MATCH, 16)}.{MATCH}.{ANN}")
    assert stored is not None
    assert heard.subjects == []
    await ann.leave()
    await table.close()
    await spy.close()


@pytest.mark.parametrize(
    "shown",
    [
        "",
        "x",
        "a.b",
        "a" * 3_000,
        token(keys=OTHERS),
        token() + "x",
        expired(),
        token("u_*"),
        token("u_>"),
        token("u_ann0.*00"),
        token("*"),
        token(">"),
        token("ops"),
        token("scoring"),
        token(COMMAND_LINE_PLAYER),
    ],
    ids=range(15),
)
async def test_no_other_token_lets_anybody_in(broker: Broker, shown: str) -> None:
    assert await refused(broker.url, token=shown)
    assert await refused(broker.url, user=ANN, password=shown)


async def test_nobody_comes_in_without_a_token_or_by_a_static_users_name(broker: Broker) -> None:
    assert await refused(broker.url, name="nobody")
    for name in ("table", "auth", "cli", WARDEN, SPY):
        assert await refused(broker.url, user=name, password="x")
        assert await refused(broker.url, token=name)


async def test_the_token_of_the_key_before_is_still_good(broker: Broker) -> None:
    ann = await Player(ANN).enter(broker.url, token=token(keys=OLD))
    assert await ann.may_publish(f"cmdin.{MATCH}.{ANN}")
    await ann.leave()


async def test_a_key_that_is_taken_away_lets_nobody_in(tmp_path: Path) -> None:
    with door(tmp_path, WARAQ_SESSION_OLD_KEY_FILE="") as broker:
        assert await refused(broker.url, token=token(keys=OLD))
        assert not await refused(broker.url, token=token())


async def test_when_a_token_ends_its_connection_is_cut(broker: Broker) -> None:
    short = token(lasts=2_500)
    ann, bob = await Player(ANN).enter(broker.url, token=short), await Player(BOB).enter(broker.url)
    assert await ann.may_publish(f"cmdin.{MATCH}.{ANN}")
    await until(lambda: ann.client.is_closed, "the connection to be cut")
    assert bob.client.is_connected
    await bob.leave()


async def test_the_warden_finds_and_cuts_who_came_in_by_a_token(broker: Broker) -> None:
    ann = [await Player(ANN).enter(broker.url), await Player(ANN).enter(broker.url)]
    bob = await Player(BOB).enter(broker.url, user=BOB, password=token(BOB))
    warden = await connect_warden(broker.url, user=WARDEN, password=password(WARDEN))
    assert await warden.kick(ANN) == 2
    await until(lambda: all(one.client.is_closed for one in ann), "both to be cut")
    assert bob.client.is_connected
    assert await warden.kick(BOB) == 1
    await warden.close()
    await bob.leave()


async def test_without_an_auth_worker_nobody_comes_in_and_who_is_in_plays_on(
    tmp_path: Path,
) -> None:
    with broker_with_door(tmp_path) as broker:
        assert await refused(broker.url, token=token())
        with auth_worker(broker, tmp_path) as worker:
            ann = await Player(ANN).enter(broker.url)
            worker.kill()
        await ann.say(f"cmdin.{MATCH}.{ANN}", b"x")
        assert await ann.may_publish(f"ask.{MATCH}.{ANN}")
        assert await refused(broker.url, token=token(BOB))
        table = await Raw("table").connect(broker)
        await table.client.close()
        await ann.leave()


async def test_with_two_auth_workers_log_ins_go_on_when_either_dies(tmp_path: Path) -> None:
    with broker_with_door(tmp_path) as broker:
        for _ in range(2):
            with auth_worker(broker, tmp_path) as first, auth_worker(broker, tmp_path):
                before = await Player(ANN).enter(broker.url)
                first.kill()
                for _ in range(5):
                    after = await Player(BOB).enter(broker.url)
                    await after.leave()
                assert await before.may_publish(f"cmdin.{MATCH}.{ANN}")
                await before.leave()


async def test_a_worker_of_another_seed_lets_nobody_in(tmp_path: Path) -> None:
    with broker_with_door(tmp_path) as broker:
        other = key_file(tmp_path, "other.seed", seed_text(b"z" * 32).encode())
        with auth_worker(broker, tmp_path, WARAQ_ISSUER_SEED_FILE=str(other)):
            assert await refused(broker.url, token=token())


async def test_the_workers_log_holds_no_token_and_no_key(tmp_path: Path) -> None:
    with broker_with_door(tmp_path) as broker:
        good, bad = token(), token(keys=OTHERS)
        with auth_worker(broker, tmp_path, WARAQ_LOG_LEVEL="debug") as worker:
            ann = await Player(ANN).enter(broker.url, token=good)
            assert await refused(broker.url, token=bad)
            await ann.leave()
            assert worker.stop() == 0
            said = worker.log.read_text() + broker.log_tail()
    assert '"let_in": 1' in said
    assert '"forged": 1' in said
    for secret in (good, bad, KEYS.signs.decode(), session().player):
        assert secret not in said
