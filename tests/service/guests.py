"""Players of a whole service who come in as players do: by HTTP, then to the broker by a token."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from schemas import subjects
from schemas.commands import Action, Command, encode_command
from schemas.feed import Ask, Feed, Happened, Refused, Snapshot, decode_feed, encode_ask
from services.cli.client import CommandRefused, MatchClient
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.port import Message
from services.runtime.command_ids import random_id
from tests.auth.door import Player
from tests.service.up_process import Up
from tests.waiting import until


class Answer(Struct, frozen=True):
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


def ask(up: Up, method: str, path: str, token: str | None = None, body: object = None) -> Answer:
    """The answer; whoever is told that he asks too often waits for as long as he is told."""
    while (answer := _asked(up, method, path, token, body)).status == HTTPStatus.TOO_MANY_REQUESTS:
        time.sleep(float(answer.headers["Retry-After"]))
    return answer


def _asked(up: Up, method: str, path: str, token: str | None, body: object) -> Answer:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    url = f"{up.ready['web']}{path}"
    asked = urllib.request.Request(url, data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(asked) as answer:
            return Answer(answer.status, dict(answer.headers), answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, dict(error.headers), error.read().decode())


def session_text(up: Up, token: str | None = None) -> str:
    """The answer as it comes: to a new guest, or to whom `token` is."""
    answer = ask(up, "POST", "/session", token)
    assert answer.status == 201, answer
    return answer.text


def session(up: Up, token: str | None = None) -> dict[str, Any]:
    opened: dict[str, Any] = json.loads(session_text(up, token))
    return opened


class Guest(Player):
    """A guest with a connection over TCP that is never made again, and all that he was told."""

    def __init__(self, up: Up, opened: dict[str, Any]) -> None:
        super().__init__(opened["player"])
        self.opened = opened
        self.name: str = opened["player"]
        self.token: str = opened["token"]
        self._address: str = up.ready["nats"]

    async def come_in(self) -> "Guest":
        await self.enter(self._address, token=self.token)
        await self.client.subscribe(f"feed.{self.name}.*", cb=self._hear)
        await self.round_trip()
        return self

    def told(self, match: str, since: int = 0) -> list[Feed]:
        subject = subjects.feed(self.name, match)
        return [decode_feed(one.data) for one in self.heard[since:] if one.subject == subject]

    async def do(
        self, match: str, action: Action, *, move: int | None = None
    ) -> Happened | Refused:
        """Say a command with a new id, once, and wait for its answer."""
        return await self.repeat(match, Command(id=random_id(), move=move, action=action))

    async def repeat(self, match: str, command: Command) -> Happened | Refused:
        """Say it once and wait for its answer; an answer of before does not count."""
        heard = len(self.heard)
        await self.say(subjects.command_in(match, self.name), encode_command(command))
        found: list[Happened | Refused] = []

        def answered() -> bool:
            found[:] = [one for one in self.told(match, heard) if answers(one, command)]  # type: ignore[misc] # `answers` tells
            return bool(found)

        await until(answered, f"an answer to {command}")
        return found[0]

    async def snapshot(self, match: str) -> Snapshot:
        heard = len(self.heard)
        await self.say(subjects.ask(match, self.name), encode_ask(Ask()))
        found: list[Snapshot] = []

        def answered() -> bool:
            found[:] = [one for one in self.told(match, heard) if isinstance(one, Snapshot)]
            return bool(found)

        await until(answered, f"a snapshot of {match}")
        return found[-1]


def answers(feed: Feed, command: Command) -> bool:
    return isinstance(feed, Happened | Refused) and feed.command == command.id


@asynccontextmanager
async def guests(up: Up, count: int) -> AsyncIterator[tuple[Guest, ...]]:
    """So many new guests, connected."""
    async with AsyncExitStack() as leaving:
        found = [await Guest(up, session(up)).come_in() for _ in range(count)]
        for guest in found:
            leaving.push_async_callback(guest.leave)
        yield tuple(found)


@asynccontextmanager
async def entered(up: Up, guest: dict[str, Any]) -> AsyncIterator[JetStreamBus]:
    """The guest's connection, over TCP."""
    player, token = guest["player"], guest["token"]
    bus = await connect(up.ready["nats"], user=player, password=token, name=player)
    try:
        yield bus
    finally:
        await bus.close()


async def at_match(bus: JetStreamBus, player: str, match: str) -> MatchClient:
    """That player's client of that match, which hears."""
    client = MatchClient(bus, player, match)

    def hear(message: Message) -> None:
        if message.subject.endswith(match):
            client.hear(message)

    await bus.subscribe(f"feed.{player}.*", hear)
    return client


async def code_of(client: MatchClient, action: Action, *, within: float) -> str | None:
    """The code that the table refuses it with, None if it takes it."""
    try:
        await client.do(action, within=within)
    except CommandRefused as error:
        return error.code.value
    return None
