"""The warden of a nats-server.

It is a connection of its own, in the broker's system account, which players' messages never reach;
it may hear who comes and goes, find connections and end them, and nothing else.
"""

import contextlib
import logging
from asyncio import sleep
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from nats.aio.client import Client
from nats.aio.msg import Msg

from schemas.ids import PlayerId, matches
from services.messaging.crowd import Connection, Crowd
from services.messaging.jetstream_admin import port_errors
from services.messaging.jetstream_link import Link, open_client
from services.messaging.permissions import CAME, WENT, inbox
from services.messaging.port import BusError
from services.messaging.warden import MOST_CONNECTIONS

ANSWER_WITHIN: Final = 0.5
"""Seconds that the servers of a cluster have to name connections."""
CONNECT_WITHIN: Final = 5.0
CONNECTIONS: Final = 1_024
"""Connections that a server names at once: of one player more are cut the next time."""
PAGES: Final = 100
"""The most times that it is asked for those of everybody."""
_FIND: Final = "$SYS.REQ.SERVER.PING.CONNZ"

_log: Final = logging.getLogger(__name__)


class _Connection(Struct):
    cid: int
    start: datetime
    authorized_user: str = ""


class _Connections(Struct):
    connections: list[_Connection] = field(default_factory=list)


class _Server(Struct):
    id: str


class _Found(Struct):
    server: _Server
    data: _Connections = field(default_factory=_Connections)


class _Client(Struct):
    id: int
    start: datetime
    user: str = ""


class _Event(Struct):
    """What the broker says of who came or went."""

    server: _Server
    client: _Client


_decode = msgspec.json.Decoder(_Found).decode
_decode_event = msgspec.json.Decoder(_Event).decode


async def connect_warden(url: str, *, user: str, password: str) -> "BrokerWarden":
    """The warden of the broker at `url`; raises `BusUnreachable`."""
    link = Link("warden", None)
    client = await open_client(url, user, password, link, CONNECT_WITHIN)
    return BrokerWarden(client, link, user)


class BrokerWarden:
    """A `Warden` by the system account's services of nats-server."""

    def __init__(self, client: Client, link: Link, user: str) -> None:
        self._client = client
        self._link = link
        self._found = f"{inbox(user)}.found"
        self._counted = f"{inbox(user)}.counted"
        self._unheard = f"{inbox(user)}.cut"  # a server acts on no request that names none
        self._crowd = Crowd(MOST_CONNECTIONS)

    async def kick(self, player: str) -> int:
        """Those that are known, at once. They are known no more, so that whoever is there all the
        same is asked for the next time.
        """
        with port_errors(f"connections of {player}"):
            found = self._crowd.leave(player) or await self._found_of(player)
            for connection in found:
                await self._cut(connection)
            await self._client.flush()
        return len(found)

    async def watch(self) -> None:
        """The broker tells who comes and goes; what it told while the line was broken is found by
        counting everybody, once after each loss.
        """
        listening = False
        while True:
            self._link.back.clear()
            try:
                if not listening:
                    await self._listen()
                listening = True
                self._crowd.forget()
                await self._count()
            except BusError as error:
                _log.warning("connections are not counted", extra={"reason": str(error)})
            await self._link.back.wait()

    async def close(self) -> None:
        self._link.closing = True
        with contextlib.suppress(OSError):  # a connection that is gone cannot be closed better
            await self._client.close()

    # Counting ---------------------------------------------------------------------------------

    async def _listen(self) -> None:
        with port_errors("who comes and goes"):
            await self._client.subscribe(CAME, cb=self._hear_came)
            await self._client.subscribe(WENT, cb=self._hear_went)

    async def _count(self) -> None:
        """Those who are there already, a page at a time."""
        with port_errors("everybody's connections"):
            for page in range(PAGES):
                asked = {"auth": True, "limit": CONNECTIONS, "offset": page * CONNECTIONS}
                found = await self._ask(asked, self._counted)
                for one in found:
                    for each in one.data.connections:
                        connection = Connection(one.server.id, each.cid)
                        await self._came(each.authorized_user, connection, each.start)
                if all(len(one.data.connections) < CONNECTIONS for one in found):
                    return

    async def _hear_came(self, message: Msg) -> None:
        event = _read_event(message)
        if event is not None:
            with contextlib.suppress(BusError):  # it is counted again when the line is back
                await self._came(event.client.user, _of(event), event.client.start)

    async def _hear_went(self, message: Msg) -> None:
        event = _read_event(message)
        if event is not None:
            self._crowd.went(event.client.user, _of(event))

    async def _came(self, user: str, connection: Connection, since: datetime) -> None:
        if not matches(user, PlayerId):
            return
        surplus = self._crowd.came(user, connection, since)
        if surplus is not None:
            _log.warning("too many connections: the oldest is cut", extra={"player": user})
            with port_errors(f"a connection of {user}"):
                await self._cut(surplus)

    async def _found_of(self, player: str) -> tuple[Connection, ...]:
        asked = {"auth": True, "user": player, "limit": CONNECTIONS}
        return tuple(
            Connection(one.server.id, each.cid)
            for one in await self._ask(asked, self._found)
            for each in one.data.connections
        )

    # Saying -----------------------------------------------------------------------------------

    async def _cut(self, connection: Connection) -> None:
        body = msgspec.json.encode({"cid": connection.cid})
        subject = f"$SYS.REQ.SERVER.{connection.server}.KICK"
        await self._client.publish(subject, body, reply=self._unheard)

    async def _ask(self, asked: dict[str, Any], answers: str) -> Sequence[_Found]:
        """Every server answers by itself, and nobody knows how many there are."""
        found: list[_Found] = []

        async def hear(message: Msg) -> None:
            try:
                found.append(_decode(message.data))
            except msgspec.DecodeError:
                return

        listening = await self._client.subscribe(answers, cb=hear)
        try:
            await self._client.publish(_FIND, msgspec.json.encode(asked), reply=answers)
            await sleep(ANSWER_WITHIN)
        finally:
            await listening.unsubscribe()
        return found


def _read_event(message: Msg) -> _Event | None:
    try:
        return _decode_event(message.data)
    except msgspec.DecodeError:
        return None


def _of(event: _Event) -> Connection:
    return Connection(event.server.id, event.client.id)
