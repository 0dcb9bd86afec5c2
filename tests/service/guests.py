"""Guests of a whole service: what they ask by HTTP, and their own connections to the broker."""

import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from schemas.commands import Action
from services.cli.client import CommandRefused, MatchClient
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.port import Message
from tests.service.up_process import Up


class Said(Struct, frozen=True):
    """An answer's status and JSON."""

    status: int
    json: Any


def ask(up: Up, method: str, path: str, token: str | None = None, body: object = None) -> Said:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    url = f"{up.ready['web']}{path}"
    asked = urllib.request.Request(url, data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(asked) as answer:
            return Said(answer.status, json.load(answer))
    except urllib.error.HTTPError as error:
        with error:
            return Said(error.code, json.load(error))


def session(up: Up, token: str | None = None) -> dict[str, Any]:
    answer = ask(up, "POST", "/session", token)
    assert answer.status == 201, answer
    opened: dict[str, Any] = answer.json
    return opened


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
