"""Players at the whole service: from `POST /session` to the end of a match, and one who floods."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from schemas import subjects
from schemas.commands import Command, OpenMatch, StartMatch, encode_command
from services.cli.client import MatchClient, new_match_id
from services.cli.play import FIRST_MOVE, Table
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import Message
from services.runtime.command_ids import random_id
from tests.auth.door import refused
from tests.service.guests import entered, session
from tests.service.up_process import Up, running
from tests.waiting import until, until_async

pytestmark = pytest.mark.slow
WITHIN: Final = 60.0
MADE_UP: Final = 2_000


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("players") / "data") as found:
        yield found


async def play(bus: JetStreamBus, player: str) -> MatchClient:
    """Open a match of four bots as that player, and follow it to its end."""
    client, table = MatchClient(bus, player, new_match_id()), Table.of_bots("hokm", "white")
    asking: set[asyncio.Task[None]] = set()

    def hear(message: Message) -> None:
        if message.subject.endswith(client.match) and client.hear(message):
            asking.add(asyncio.ensure_future(client.ask()))

    await bus.subscribe(f"feed.{player}.*", hear)
    await client.do(OpenMatch(options=table.options, seats=table.plan), within=WITHIN)
    await client.do(StartMatch(), within=WITHIN, move=FIRST_MOVE)
    await client.until_ended(patience=WITHIN)
    await asyncio.gather(*asking)
    return client


async def test_a_guest_opens_a_match_and_sees_it_to_its_end(up: Up) -> None:
    guest = session(up)
    async with entered(up, guest) as bus:
        client = await play(bus, guest["player"])
    assert client.ended is not None
    with up.log() as log:
        assert len(log.load(client.match)) == client.ended.events


async def test_a_renewed_session_is_the_same_player(up: Up) -> None:
    guest = session(up)
    again = session(up, guest["token"])
    assert again["player"] == guest["player"]
    async with entered(up, again) as bus:
        assert bus.connected


async def test_the_broker_takes_websockets_where_the_session_says(up: Up) -> None:
    guest = session(up)
    assert guest["nats"].startswith("ws://127.0.0.1:")
    assert await refused(up.ready["nats"], token=guest["token"] + "x")
    assert not await refused(up.ready["nats"], token=guest["token"])


async def test_made_up_matches_get_their_author_cut_and_nobody_else(up: Up) -> None:
    flooding, playing = session(up), session(up)
    async with entered(up, flooding) as flood, entered(up, playing) as quiet:
        heard: list[Message] = []
        await flood.subscribe(f"feed.{flooding['player']}.*", heard.append)
        before = flood._link.losses
        for _ in range(MADE_UP):
            start = Command(id=random_id(), move=1, action=StartMatch())
            subject = subjects.command_in(new_match_id(), flooding["player"])
            await flood.publish([Message(subject=subject, data=encode_command(start))])
        await until(lambda: flood._link.losses > before, "the flood to be cut", within=WITHIN)
        assert len(heard) < MADE_UP
        client = await play(quiet, playing["player"])
        assert client.ended is not None
        assert quiet._link.losses == 0


def another(up: Up, name: str, before: int) -> Callable[[], bool]:
    return lambda: up.children().get(name, before) != before


async def comes_in(up: Up, guest: dict[str, Any]) -> bool:
    return not await refused(up.ready["nats"], token=guest["token"])


async def test_an_auth_or_web_worker_that_is_killed_is_started_again(up: Up) -> None:
    guest = session(up)
    for name in ("auth", "web"):
        before = up.children()[name]
        os.kill(before, signal.SIGKILL)
        await until(another(up, name, before), f"another {name} worker", within=WITHIN)
    await until_async(lambda: comes_in(up, guest), "log-ins to go on")
    async with entered(up, guest) as bus:
        client = await play(bus, guest["player"])
    assert client.ended is not None


async def test_while_no_auth_worker_answers_who_is_in_plays_a_match_to_its_end(up: Up) -> None:
    playing, coming = session(up), session(up)
    async with entered(up, playing) as bus:
        os.kill(auth := up.children()["auth"], signal.SIGSTOP)  # a dead one is started again
        try:
            assert not await comes_in(up, coming)
            client = await play(bus, playing["player"])
            assert client.ended is not None
            assert bus._link.losses == 0
            assert not await comes_in(up, coming)
        finally:
            os.kill(auth, signal.SIGCONT)
    await until_async(lambda: comes_in(up, coming), "log-ins to go on")
