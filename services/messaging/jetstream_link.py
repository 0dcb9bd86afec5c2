"""The connection: opened once within a time, then kept up for ever."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from nats.aio.client import Client

from services.messaging.jetstream_client import SteadyClient
from services.messaging.lean import load_websockets
from services.messaging.permissions import inbox
from services.messaging.port import BusUnreachable, LoginRefused

RECONNECT_WAIT: Final = 0.25
"""Seconds between two tries to connect again; there is no last try."""
FOR_EVER: Final = -1
TRY_WAIT: Final = 2
"""Seconds that one try may take."""
PING_EVERY: Final = 3
"""Seconds between pings."""
PINGS_OUT: Final = 2
"""Unanswered pings after which the connection counts as dead."""
PENDING_BYTES: Final = 16 << 20
"""What may wait to be written; while disconnected, what is beyond it is dropped."""
FLUSH_WAIT: Final = 1.0
"""Seconds that a publisher waits when so much is waiting to be written."""
ROUND_TRIP: Final = 5
"""Seconds that the broker has to take what was written and to answer a ping."""
WRITE_POLL: Final = 0.001
"""Seconds between two looks whether all is written."""
FAULTS: Final = 8
"""Different faults that are logged of one loss of the connection."""
CANCEL_AGAIN: Final = 0.05
"""Seconds after which a task that goes on after it was cancelled is cancelled again."""

WEBSOCKET: Final = ("ws://", "wss://")

Password = str | Callable[[], str]
"""One that changes is asked for at each try to connect."""

_log: Final = logging.getLogger(__name__)


class Link:
    """What the client tells about its connection. `on_lost` is called each time it breaks."""

    def __init__(self, name: str, on_closed: Callable[[], None] | None) -> None:
        self.name = name
        self.back = asyncio.Event()
        self.closed = asyncio.Event()
        self.refused = asyncio.Event()
        self.fault = ""
        self._faults: set[str] = set()
        self.refusal = ""
        self.closing = False
        self.losses = 0
        """How often the connection broke."""
        self.whole = True
        """False from a loss until the connection is back."""
        self.on_lost: Callable[[], None] | None = None
        self._on_closed = on_closed

    async def heard_error(self, error: Exception) -> None:
        """Each fault is logged once, not at every try to connect again: of a cluster that is away
        the nodes take turns with theirs.
        """
        fault = str(error) or type(error).__name__
        if fault not in self._faults and len(self._faults) < FAULTS:
            _log.warning("%s: %s", self.name, fault)
            self._faults.add(fault)
        self.fault = fault
        if "authorization" in fault.lower():
            self.refusal = fault
            self.refused.set()

    async def heard_disconnected(self) -> None:
        self.losses, self.whole = self.losses + 1, False
        if not self.closing:
            _log.warning("%s: disconnected", self.name)
        if self.on_lost:
            self.on_lost()

    async def heard_reconnected(self) -> None:
        _log.warning("%s: connected again", self.name)
        self.fault = ""
        self._faults.clear()
        self.whole = True
        self.back.set()

    async def heard_closed(self) -> None:
        self.closed.set()
        if self._on_closed:
            self._on_closed()


async def end(*tasks: asyncio.Task[None] | asyncio.Task[bool]) -> None:
    """Cancel until they end: the client swallows a cancellation while it flushes."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN)


async def open_client(url: str, user: str, password: Password, link: Link, within: float) -> Client:
    """A connected client. Raises `BusUnreachable` after `within` seconds, or when refused."""
    if url.startswith(WEBSOCKET):
        load_websockets()
    client = SteadyClient()
    opening = asyncio.create_task(_connect(client, url, user, password, link))
    refusal = asyncio.create_task(link.refused.wait())
    opened = False
    try:
        await asyncio.wait({opening, refusal}, timeout=within, return_when="FIRST_COMPLETED")
        opened = opening.done() and not opening.exception()
    finally:
        await end(opening, refusal)
        if not opened:
            link.closing = True
            await client.give_up()
    if opened:
        return client
    if link.refusal:
        raise LoginRefused(f"{url}: {link.refusal}")
    fault = None if opening.cancelled() else opening.exception()
    raise BusUnreachable(f"{url}: {fault or link.fault or 'no broker answered'}")


async def round_trip(client: Client) -> None:
    """Wait until all that was written before has reached the broker. Raises the client's errors.

    The client writes a ping ahead of what is already waiting, so that has to go first.
    """
    if not client.is_connected:
        return
    async with asyncio.timeout(ROUND_TRIP):
        while client.pending_data_size:  # noqa: ASYNC110 - the client has no event for it
            await asyncio.sleep(WRITE_POLL)
    await client.flush(ROUND_TRIP)


async def _connect(client: Client, url: str, user: str, password: Password, link: Link) -> None:
    await client.connect(
        url.split(","),  # of a cluster any node will do: one may be down just now
        user=user,
        password=password,
        name=link.name,
        inbox_prefix=inbox(user),
        error_cb=link.heard_error,
        disconnected_cb=link.heard_disconnected,
        reconnected_cb=link.heard_reconnected,
        closed_cb=link.heard_closed,
        max_reconnect_attempts=FOR_EVER,
        reconnect_time_wait=RECONNECT_WAIT,  # type: ignore[arg-type] # it sleeps so long
        connect_timeout=TRY_WAIT,
        ping_interval=PING_EVERY,
        max_outstanding_pings=PINGS_OUT,
        pending_size=PENDING_BYTES,
        flush_timeout=FLUSH_WAIT,
    )
