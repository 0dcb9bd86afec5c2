"""A terminal's connection over websocket when its token ends, and while no auth worker answers."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web as served

from services.cli.exits import UNREACHABLE, Stop
from services.cli.join.session import player as players
from services.cli.join.session.player import Player, Server, enter, sign_in
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import Message
from services.messaging.server import Broker
from services.runtime.tasks import end
from tests.auth.door import KEYS, OTHERS, auth_worker, broker_with_door, door, token
from tests.broker import SPY, bus_as
from tests.messaging.heard import Heard
from tests.waiting import until
from tests.web.answering import answering

pytestmark = [
    pytest.mark.slow,
    # nats-py 2.16 gives aiohttp a time-out in its old form.
    pytest.mark.filterwarnings("ignore:parameter 'timeout' of type 'float':DeprecationWarning"),
]
ANNE = "u_anne0000"
SHORT_MS = 1_500
WITHIN = 30.0


class Sessions:
    """A web worker that gives one player tokens of a short life, until it gives none."""

    def __init__(self, nats: str, lasts: int = SHORT_MS) -> None:
        self.given = 0
        self.ended = False
        self.keys = KEYS
        self._nats = nats
        self._lasts = lasts

    async def answer(self, _request: served.Request) -> served.StreamResponse:
        if self.ended:
            return served.json_response({"error": "refused", "text": "ended"}, status=401)
        self.given += 1
        made = token(ANNE, keys=self.keys, lasts=self._lasts)
        ends = round(time.time() * 1000) + self._lasts
        opened = {"player": ANNE, "token": made, "ends": ends, "nats": self._nats}
        return served.json_response(opened, status=201)


@asynccontextmanager
async def entered(sessions: Sessions, folder: Path) -> AsyncIterator[tuple[Player, JetStreamBus]]:
    """A terminal's player, connected."""
    async with answering(sessions.answer) as url:
        server = Server(url=url, key=url, advice="start it", here=True)
        player = await sign_in(server, folder / "session.json")
        bus = await enter(player)
        try:
            yield player, bus
        finally:
            await bus.close()


@asynccontextmanager
async def kept_up(sessions: Sessions, folder: Path) -> AsyncIterator[tuple[Player, JetStreamBus]]:
    """The same, and his session is kept up."""
    async with entered(sessions, folder) as (player, bus):
        keeping = asyncio.create_task(player.keep_up(bus))
        try:
            yield player, bus
        finally:
            await end(keeping)


async def test_a_connection_that_is_cut_at_the_tokens_end_comes_back_with_a_renewed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "FIRST_PAUSE", 0.1)
    monkeypatch.setattr(players, "LEAST", 0.0)
    with door(tmp_path) as broker:
        sessions = Sessions(broker.web_url)
        async with kept_up(sessions, tmp_path) as (player, bus):
            heard = Heard()
            await bus.subscribe(f"feed.{ANNE}.*", heard)
            await until(lambda: bus._link.losses >= 2, "the token's end, twice", within=WITHIN)
            await until(lambda: bus.connected, "to be back", within=WITHIN)
            await is_heard(broker, heard)
            assert sessions.given >= 3
            assert player.id == ANNE


async def is_heard(broker: Broker, heard: Heard) -> None:
    """What is told to the player comes, the subscription being made again by itself."""
    spy = await bus_as(broker, SPY)

    async def told() -> None:
        while not heard.messages:
            await spy.publish([Message(subject=f"feed.{ANNE}.m_1", data=b"news")])
            await asyncio.sleep(0.05)

    async with asyncio.timeout(WITHIN):
        await told()
    await spy.close()


async def test_a_session_that_has_ended_for_good_ends_the_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "FIRST_PAUSE", 0.1)
    monkeypatch.setattr(players, "LEAST", 0.0)
    with door(tmp_path) as broker:
        sessions = Sessions(broker.web_url)
        async with entered(sessions, tmp_path) as (player, bus):
            sessions.ended = True
            async with asyncio.timeout(WITHIN):
                await player.keep_up(bus)
            assert not bus.connected


async def test_while_no_auth_worker_answers_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "TRY_AGAIN", 0.0)
    with broker_with_door(tmp_path) as broker:
        sessions = Sessions(broker.web_url, lasts=60_000)
        async with answering(sessions.answer) as url:
            server = Server(url=url, key=url, advice="start it", here=True)
            player = await sign_in(server, tmp_path / "session.json")
            task = asyncio.create_task(enter(player))
            with auth_worker(broker, tmp_path):
                async with asyncio.timeout(WITHIN):
                    bus = await task
                assert bus.connected
                await bus.close()


async def test_who_is_never_let_in_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "TRY_AGAIN", 0.0)
    with door(tmp_path) as broker:
        sessions = Sessions(broker.web_url)
        sessions.keys = OTHERS
        async with answering(sessions.answer) as url:
            server = Server(url=url, key=url, advice="start it", here=True)
            player = await sign_in(server, tmp_path / "session.json")
            with pytest.raises(Stop, match="no auth worker") as stopped:
                await enter(player)
            assert stopped.value.exit_code == UNREACHABLE
