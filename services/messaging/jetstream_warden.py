"""The warden of a nats-server.

It is a connection of its own, in the broker's system account, which players' messages never reach;
it may find connections and end them, and nothing else.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct, field
from nats.aio.client import Client
from nats.aio.msg import Msg

from services.messaging.jetstream_admin import port_errors
from services.messaging.jetstream_link import Link, open_client
from services.messaging.permissions import inbox

ANSWER_WITHIN: Final = 0.5
"""Seconds that the servers of a cluster have to name a player's connections."""
CONNECT_WITHIN: Final = 5.0
CONNECTIONS: Final = 1_024
"""Connections of one player that are named at once; more are cut the next time."""
_FIND: Final = "$SYS.REQ.SERVER.PING.CONNZ"


class _Connection(Struct):
    cid: int


class _Connections(Struct):
    connections: list[_Connection] = field(default_factory=list)


class _Server(Struct):
    id: str


class _Found(Struct):
    server: _Server
    data: _Connections = field(default_factory=_Connections)


_decode = msgspec.json.Decoder(_Found).decode


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
        self._answers = f"{inbox(user)}.found"
        self._unheard = f"{inbox(user)}.cut"  # a server acts on no request that names none

    async def kick(self, player: str) -> int:
        with port_errors(f"connections of {player}"):
            found = await self._find(player)
            for one in found:
                for connection in one.data.connections:
                    body = msgspec.json.encode({"cid": connection.cid})
                    await self._client.publish(
                        f"$SYS.REQ.SERVER.{one.server.id}.KICK", body, reply=self._unheard
                    )
            await self._client.flush()
        return sum(len(one.data.connections) for one in found)

    async def close(self) -> None:
        self._link.closing = True
        with contextlib.suppress(OSError):  # a connection that is gone cannot be closed better
            await self._client.close()

    async def _find(self, player: str) -> Sequence[_Found]:
        """Every server answers by itself, and nobody knows how many there are."""
        found: list[_Found] = []

        async def hear(message: Msg) -> None:
            try:
                found.append(_decode(message.data))
            except msgspec.DecodeError:
                return

        listening = await self._client.subscribe(self._answers, cb=hear)
        try:
            asked = {"auth": True, "user": player, "limit": CONNECTIONS}
            await self._client.publish(_FIND, msgspec.json.encode(asked), reply=self._answers)
            await asyncio.sleep(ANSWER_WITHIN)
        finally:
            await listening.unsubscribe()
        return found
